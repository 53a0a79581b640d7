package applog

import (
	"testing"

	"tracemerge/model"
)

// Lines as the common training and serving tools write them, generated after
// their sources and documentation. What a line must say is the mark's content.
func TestLinesOfTools(t *testing.T) {
	step := func(n int64) func(*said) { return func(s *said) { s.step = n } }
	of := func(n, rank int64) func(*said) {
		return func(s *said) { s.step, s.rank = n, rank }
	}
	for _, k := range []struct {
		name, line string
		want       func(*said)
	}{
		{"Megatron-LM", " [2026-03-02 14:05:03] iteration       10/     120 | consumed samples:         5120 | elapsed time per iteration (ms): 3204.7 | global batch size:   512 | number of skipped iterations:   0 |",
			func(s *said) { s.step, s.done = 10, 10 }},
		{"Megatron-LM checkpoint", "2026-03-02 14:05:03,100 - megatron - INFO - saving checkpoint at iteration    1000 to /ckpt in torch format", step(1000)},
		{"DeepSpeed step", "[2026-03-02 14:05:03,100] [INFO] [logging.py:96:log_dist] [Rank 0] step=10, skipped=4, lr=[4.9e-05], mom=[(0.9, 0.95)]", of(10, 0)},
		{"DeepSpeed timer", "[2026-03-02 14:05:03,101] [INFO] [timer.py:260:stop] epoch=0/micro_step=40/global_step=10, RunningAvgSamplesPerSec=25.0, CurrSamplesPerSec=25.7, MemAllocated=4.32GB", step(10)},
		{"DeepSpeed over pdsh", "worker-1: [2026-03-02 14:05:03,100] [INFO] [logging.py:96:log_dist] [Rank 8] step=10, skipped=0, lr=[1e-05]", of(10, 8)},
		{"Lightning checkpoint", "2026-03-02 14:05:03,100 INFO Epoch 3, global step 400: 'val_loss' reached 0.12 (best 0.12), saving model", step(400)},
		{"Lightning rank", "2026-03-02 14:05:03,100 INFO [rank: 3] step 5", of(5, 3)},
		{"NeMo", "[NeMo I 2026-03-02 14:05:03 nemo_logging:393] Training epoch 0, iteration 9/99 | lr: 6e-06 | global_step: 109 | reduced_train_loss: 8.1", step(109)},
		{"torchtitan", "[rank3]:[titan] 2026-03-02 14:05:03,100 - root - INFO - step: 10  loss:  8.2  grad_norm: 1.5", of(10, 3)},
		{"HF transformers", "[INFO|trainer.py:2868] 2026-03-02 14:05:03,100 >> Saving checkpoint at global step 500", step(500)},
		{"HF trainer's dictionary with a step", "2026-03-02 14:05:03,100 INFO {'loss': 0.5, 'learning_rate': 5e-05, 'epoch': 0.1, 'step': 500}", step(500)},
		{"HF trainer, JSON", `{"time":"2026-03-02T14:05:03Z","loss":0.5,"epoch":0.1,"step":500}`, step(500)},
		{"MLPerf", `:::MLLOG {"namespace": "", "time_ms": 1772460303100, "event_type": "POINT_IN_TIME", "key": "train_loss", "value": 1.4, "metadata": {"file": "a.py", "lineno": 1, "step": 24}}`, step(24)},
		{"torchrun, a rank", "[rank5]: 2026-03-02 14:05:03,100 INFO step 7", of(7, 5)},
		{"torchrun, a node's rank is none", "[default5]:2026-03-02 14:05:03,100 INFO step 7", step(7)},
		{"srun", "12: 2026-03-02 14:05:03,100 INFO step 7", of(7, 12)},
		{"srun, padded", " 2: 2026-03-02 14:05:03,100 INFO step 7", of(7, 2)},
		{"mpirun", "[1,3]<stdout>: 2026-03-02 14:05:03,100 INFO step 7", of(7, 3)},
		{"a worker", "(worker 3) 2026-03-02 14:05:03,100 INFO step 7", of(7, 3)},
		{"vLLM", "(VllmWorker rank=2 pid=4711) INFO 03-02 14:05:03 [gpu_model_runner.py:1] step 7", of(7, 2)},
		{"Ray", "(RayTrainWorker pid=4711, ip=10.0.0.1) 2026-03-02 14:05:03,100 INFO step 7", step(7)},
		{"a bar behind Docker's stamp", `{"log":" 10%|#         | 50/500 [01:23\u003c12:30,  6.00it/s]","stream":"stderr","time":"2026-03-02T14:05:03.1Z"}`, func(s *said) { s.done = 50 }},
		{"Kubernetes", "2026-03-02T14:05:03.123456789Z stderr F [rank1]: step 7 failed, retrying", func(s *said) { s.step, s.rank, s.retry = 7, 1, true }},
		{"Kubernetes, a logger's own stamp", "2026-03-02T14:05:03.123456789Z stdout F 2026-03-02 15:05:03,100 - a - ERROR - step 7", func(s *said) { s.step, s.err = 7, true }},
		{"Kubernetes, a level behind the reach", "2026-03-02T14:05:03.123456789Z stdout F {\"level\":\"error\",\"step\":7}", func(s *said) { s.step, s.err = 7, true }},
		{"kubectl logs --prefix --timestamps", "[pod/train-0/main] 2026-03-02T14:05:03.123456789Z step 7", step(7)},
		{"journald, short", "Mar 02 14:05:03 node1 python[4711]: ERROR step 7", func(s *said) { s.step, s.err = 7, true }},
		{"journald, short-full", "Mon 2026-03-02 14:05:03 UTC node1 python[4711]: step 7", step(7)},
		{"journald, short-iso", "2026-03-02T14:05:03+0100 node1 python[4711]: step 7", step(7)},
		{"journald, short-unix", "1772460303.123456 node1 python[4711]: step 7", step(7)},
		{"journald, JSON", `{"__REALTIME_TIMESTAMP":"1772460303123456","_HOSTNAME":"node1","PRIORITY":"3","MESSAGE":"step 7 lost"}`, func(s *said) { s.step, s.err = 7, true }},
		{"syslog, RFC 3164", "<11>Mar  2 14:05:03 node1 a[1]: step 7", func(s *said) { s.step, s.err = 7, true }},
		{"syslog, RFC 5424", "<14>1 2026-03-02T14:05:03.003Z node1 app 4711 ID47 - step 7", step(7)},
		{"klog", "E0302 14:05:03.123456    4711 a.go:12] \"step\" err=\"x\" attempt=3", func(s *said) { s.err, s.retry = true, true }},
		{"zap, console", "2026-03-02T14:05:03.123Z\tERROR\tmain.go:12\tfailed\t{\"step\": 7}", func(s *said) { s.step, s.err = 7, true }},
		{"zerolog", `{"level":"error","error":"x","step":7,"time":1772460303,"message":"failed"}`, func(s *said) { s.step, s.err = 7, true }},
		{"slog", `time=2026-03-02T14:05:03.123Z level=ERROR msg="a failed" step=7 rank=2`, func(s *said) { s.step, s.rank, s.err = 7, 2, true }},
		{"structlog, console", "2026-03-02T14:05:03.123456Z [error    ] it failed                      rank=1 step=7", func(s *said) { s.step, s.rank, s.err = 7, 1, true }},
		{"loguru, serialised", `{"text": "x", "record": {"level": {"name": "ERROR", "no": 40}, "message": "step 7", "time": {"repr": "x", "timestamp": 1772460303.123}}}`, func(s *said) { s.step, s.err = 7, true }},
		{"Kineto's stage", "STAGE:2026-03-02 14:05:03 4711:4711 ActivityProfilerController.cpp:311] step 7", step(7)},
		{"Kubernetes, a line that the runtime cut", "2026-03-02T14:05:03.123456789Z stdout P ERROR step 7 of 70", func(s *said) { s.step, s.err = 7, true }},
		{"a figure at the end of a line that the runtime cut", "2026-03-02T14:05:03.123456789Z stdout P ERROR step 7", func(s *said) { s.err = true }},
		{"a limit is no step", "2026-03-02 14:05:03,100 ERROR max_steps=100 reached, warmup_step 5", func(s *said) { s.err = true }},
	} {
		t.Run(k.name, func(t *testing.T) {
			m := only(t, readText(t, k.line+"\n", model.Declaration{}))
			if got, want := sum(m), says(k.want); got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

// A stamp behind a word, a list or a number belongs to the record above.
func TestWhatIsNoTag(t *testing.T) {
	for _, line := range []string{"ValueError: [2026-03-02 14:05:03,100] x", "ValueError: 2026-03-02 14:05:03 x", "node-1: 2026-03-02 14:05:03 x",
		"[12] 2026-03-02 14:05:03 x", "[a]2026-03-02 14:05:03 x", "[a 2026-03-02 14:05:03", "<200> 2026-03-02 14:05:03 x", "(a) 2026-03-02 14:05:03 x"} {
		if c := readText(t, "2026-03-02 14:05:00 a\n"+line+"\n", model.Declaration{}); c.Account.Read != 1 {
			t.Errorf("%s: got %d records, want 1", line, c.Account.Read)
		}
	}
}

// A bar names what progresses; nested bars are not one task.
func TestBarNamesItsTask(t *testing.T) {
	const tail = `10%|#         | 50/500 [01:23<12:30,  6.00it/s]`
	for _, k := range []struct{ bar, want string }{{"Epoch 3: " + tail, "Epoch 3"}, {" " + tail, ""}, {tail + ", loss: 1", ""}} {
		m := only(t, readText(t, "2026-03-02T14:05:03.1Z stderr F "+k.bar+"\n", model.Declaration{}))
		if got := m.Task.Reveal(); got != k.want || figureOf(m.Total) != 500 {
			t.Errorf("%s: got task %q, total %d; want %q, 500", k.bar, got, figureOf(m.Total), k.want)
		}
	}
}
