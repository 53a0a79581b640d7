package redact

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"tracemerge/model"
)

func TestWhatEachClassShows(t *testing.T) {
	const uuid = "GPU-1234abcd-1234-1234-1234-1234567890ab"
	tests := []struct {
		rule     string
		class    model.Class
		in, want string
	}{
		{"a file name of words of the field stays", model.ClassFile, "rank0.json", "rank0.json"},
		{"and in a known folder", model.ClassFile, "gpu/smi_before.csv.gz", "gpu/smi_before.csv.gz"},
		{"an unknown folder is a placeholder", model.ClassFile, "acme-claims/gpu.csv", "⟨dir:1⟩/gpu.csv"},
		{"a host and pid in a file name", model.ClassFile, "hbx7_12345.1723456789012.pt.trace.json.gz", "⟨file:1⟩.pt.trace.json.gz"},
		{"a file's letters cannot spell", model.ClassFile, "j-o-h-n.log", "⟨file:1⟩.log"},
		{"an operator of torch", model.ClassOperation, "aten::addmm", "aten::addmm"},
		{"an operator of somebody else", model.ClassOperation, "acme::fused", "⟨op:1⟩"},
		{"a kernel loses template arguments", model.ClassOperation, "void at::native::vectorized_elementwise_kernel<4, at::native::F<float>>(int, x)", "at::native::vectorized_elementwise_kernel"},
		{"an anonymous namespace", model.ClassOperation, "void at::native::(anonymous namespace)::softmax_warp_forward<float>(int)", "at::native::softmax_warp_forward"},
		{"a generated kernel", model.ClassOperation, "triton_poi_fused_add_relu_0", "triton_poi_fused_add_relu_0"},
		{"a user's kernel", model.ClassOperation, "void acme_kernel<float>(int)", "⟨op:1⟩"},
		{"a collective kernel", model.ClassOperation, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*, unsigned long)", "ncclDevKernel_AllReduce_Sum_f32_RING_LL"},
		{"a collective", model.ClassOperation, "nccl:all_reduce", "nccl:all_reduce"},
		{"a copy", model.ClassOperation, "Memcpy HtoD (Pinned -> Device)", "Memcpy HtoD (Pinned -> Device)"},
		{"a fill", model.ClassOperation, "Memset (Device)", "Memset (Device)"},
		{"a step", model.ClassOperation, "ProfilerStep#12", "ProfilerStep#12"},
		{"a known optimiser", model.ClassOperation, "Optimizer.step#AdamW.step", "Optimizer.step#AdamW.step"},
		{"an unknown optimiser", model.ClassOperation, "Optimizer.step#AcmeOpt.step", "Optimizer.step#⟨op:1⟩.step"},
		{"a loader", model.ClassOperation, "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"},
		{"a gradient of torch", model.ClassOperation, "autograd::engine::evaluate_function: AddmmBackward0", "autograd::engine::evaluate_function: AddmmBackward0"},
		{"a gradient of a user", model.ClassOperation, "autograd::engine::evaluate_function: AcmeBackward", "autograd::engine::evaluate_function: ⟨op:1⟩"},
		{"a runtime call", model.ClassOperation, "cudaLaunchKernel", "cudaLaunchKernel"},
		{"a HIP call", model.ClassOperation, "hipMemcpyAsync", "hipMemcpyAsync"},
		{"a python frame", model.ClassOperation, "/home/joe/train.py(12): step", "⟨op:1⟩"},
		{"an annotation of known words", model.ClassOperation, "load_batch", "load_batch"},
		{"a stage of known words", model.ClassStage, "export", "export"},
		{"a stage of others", model.ClassStage, "claims review", "⟨stage:1⟩"},
		{"a task number", model.ClassTask, "t1", "t1"},
		{"a card number in groups", model.ClassTask, "4929-1234-5678-9012", "⟨task:1⟩"},
		{"a batch", model.ClassInput, "batch-7", "batch-7"},
		{"a step of any number", model.ClassInput, "step 120000", "step 120000"},
		{"a metric of nvidia-smi", model.ClassMetric, "clocks_throttle_reasons.hw_slowdown", "clocks_throttle_reasons.hw_slowdown"},
		{"its unit", model.ClassMetric, "MiB", "MiB"},
		{"a metric of pidstat", model.ClassMetric, "kB_rd/s", "kB_rd/s"},
		{"an unknown metric", model.ClassMetric, "acme_quota", "⟨metric:1⟩"},
		{"a data centre GPU", model.ClassGPUModel, "NVIDIA A100-SXM4-80GB", "NVIDIA A100-SXM4-80GB"},
		{"a desktop GPU", model.ClassGPUModel, "NVIDIA GeForce RTX 4090", "NVIDIA GeForce RTX 4090"},
		{"another maker", model.ClassGPUModel, "AMD Instinct MI300X", "AMD Instinct MI300X"},
		{"an unknown product", model.ClassGPUModel, "Acme Board", "⟨gpu:1⟩"},
		{"an index", model.ClassGPUIdentity, "0", "0"},
		{"a UUID", model.ClassGPUIdentity, uuid, "⟨gpu:1⟩"},
		{"a bus id", model.ClassGPUIdentity, "00000000:07:00.0", "⟨gpu:1⟩"},
		{"a host", model.ClassHost, "node7.corp.example", "⟨host:1⟩"},
		{"a user", model.ClassUser, "joe", "⟨user:1⟩"},
		{"a data set", model.ClassDataset, "corpus-a@3", "⟨dataset:1⟩"},
		{"a kind of storage", model.ClassPath, "nfs", "nfs"},
		{"a path keeps its extension", model.ClassPath, "/mnt/acme/data.json", "⟨path:1⟩.json"},
		{"a URL", model.ClassPath, "https://acme.example/x?y=z", "⟨url:1⟩"},
		{"a version", model.ClassVersion, "2.5.1+cu121", "2.5.1+cu121"},
		{"a driver", model.ClassVersion, "535.104.05", "535.104.05"},
		{"an address is no version", model.ClassVersion, "10.1.2.3", "⟨version:1⟩"},
		{"a precision", model.ClassSetting, "bf16", "bf16"},
		{"a number", model.ClassSetting, "3e-05", "3e-05"},
		{"a setting of words", model.ClassSetting, "batch_size", "batch_size"},
		{"a setting of others", model.ClassSetting, "acme", "⟨setting:1⟩"},
		{"a zone", model.ClassZone, "Asia/Seoul", "Asia/Seoul"},
		{"a zone that does not exist", model.ClassZone, "Asia/Hbxqzwvk", "⟨zone:1⟩"},
		{"an offset", model.ClassZone, "+09:00", "+09:00"},
		{"an absent value", model.ClassCell, "[N/A]", "[N/A]"},
		{"a block device", model.ClassCell, "nvme0n1p2", "nvme0n1p2"},
		{"a numbered volume", model.ClassCell, "dm-3", "dm-3"},
		{"a volume with a name", model.ClassCell, "vg-anna", "⟨text⟩"},
		{"a device with a name behind it", model.ClassCell, "sda-anna", "⟨text⟩"},
		{"a row", model.ClassTableRow, "2026/03/04 12:00:01.123, 0, NVIDIA H100 80GB HBM3, " + uuid + ", 97 %, 40536 MiB, [N/A], 81559, 0x0000000000000001, 1320921012345",
			"2026/03/04 12:00:01.123, 0, NVIDIA H100 80GB HBM3, ⟨gpu:1⟩, 97 %, 40536 MiB, [N/A], 81559, 0x0000000000000001, ⟨gpu:2⟩"},
		{"the recommended log line", model.ClassLogLine, `{"time":"2026-05-04T09:00:00.000+09:00","task":"t1","stage":"cpu_preparation","edge":"start","input":"batch-7","progress":"7/100","accepted":6,"rejected":1}`,
			`{"time":"2026-05-04T09:00:00.000+09:00","task":"t1","stage":"cpu_preparation","edge":"start","input":"batch-7","progress":"7/100","accepted":6,"rejected":1}`},
		{"a training line", model.ClassLogLine, "epoch 3 step 12000/50000 loss 2.345678 lr=3e-05 12345.6 samples/s 12.3it/s", "epoch 3 step 12000/50000 loss 2.345678 lr=3e-05 12345.6 samples/s 12.3it/s"},
		{"hidden words in a row are one", model.ClassLogLine, "INFO patient reports pain, severe", "INFO ⟨text⟩"},
		{"an account number", model.ClassLogLine, "loaded 4711002 of 12 samples", "loaded ⟨number⟩ of 12 samples"},
		{"an address behind an interface", model.ClassLogLine, "NCCL INFO NET/Socket : Using [0]eth0:fd12:ab::1<0>", "NCCL INFO NET/Socket : Using [0]⟨text⟩:⟨host:1⟩<0>"},
		{"an option that names a secret hides any value", model.ClassLogLine, "python train.py --password rank", "python train.py --password ⟨secret:1⟩"},
		{"a word that names a secret hides a word of the field", model.ClassLogLine, "the secret is batch", "the secret is ⟨secret:1⟩"},
		{"unless the sentence goes on", model.ClassLogLine, "password is missing, login failed, token invalid", "password is missing, login failed, token invalid"},
		{"a token of a model is no secret", model.ClassLogLine, "pad_token_id=0 token count 512", "⟨text⟩=0 token count 512"},
		{"a path of words of the field", model.ClassFree, "see /data/secret/batch-15", "⟨text⟩ ⟨path:1⟩"},
		{"a path at home", model.ClassFree, "from ~/train/data", "from ⟨path:1⟩"},
		{"a path of Windows", model.ClassFree, `open C:\data\train`, "open ⟨path:1⟩"},
		{"a share", model.ClassFree, `open \\server\train`, "open ⟨path:1⟩"},
		{"a path with spaces", model.ClassFree, `open "/data/the secret model/train" failed`, `open "⟨path:1⟩" failed`},
		{"a path in brackets", model.ClassFree, "</data/train>", "<⟨path:1⟩>"},
		{"a URL of words of the field", model.ClassFree, "from https://server/train", "from ⟨url:1⟩"},
		{"a path as an input", model.ClassInput, "/data/secret/batch-15", "⟨path:1⟩"},
		{"a path as a task", model.ClassTask, "~/train", "⟨path:1⟩"},
		{"a path as a stage", model.ClassStage, "/train/load", "⟨path:1⟩"},
		{"a path as a setting", model.ClassSetting, "/data/train", "⟨path:1⟩"},
		{"a path as an annotation", model.ClassOperation, "/train/step", "⟨op:1⟩"},
		{"a path as a cell", model.ClassCell, "/memory/used", "⟨path:1⟩"},
		{"a path as a process", model.ClassProcess, "/python/main", "⟨path:1⟩"},
		{"a path as a file", model.ClassFile, "/data/gpu.csv", "⟨path:1⟩.csv"},
		{"a path as a metric", model.ClassMetric, "/gpu/power", "⟨path:1⟩"},
		{"an input below a folder", model.ClassInput, "train/batch-15", "train/batch-15"},
		{"a key that names a secret hides any value", model.ClassLogLine, "password=rank", "password=⟨secret:1⟩"},
		{"a private key over lines", model.ClassLogLine, "key:\n-----BEGIN RSA PRIVATE KEY-----\nAAAA\nBBBB\n-----END RSA PRIVATE KEY-----\nstep 3", "key:\n⟨key:1⟩\nstep 3"},
		{"free text of the vocabulary", model.ClassFree, "a 40 s pause between batches", "a 40 s pause between batches"},
		{"markup is text", model.ClassFree, "</script><b>step 3</b>", "</⟨text⟩><⟨text⟩>step 3</⟨text⟩>"},
		{"a placeholder of a file's own is none", model.ClassFree, "⟨host:1⟩ step", "host:1 step"},
	}
	for _, tt := range tests {
		if got := newTestRedactor().Text(model.NewText(tt.in, tt.class)).String(); strings.TrimSpace(got) != tt.want {
			t.Errorf("%s: %q\ngot  %q\nwant %q", tt.rule, tt.in, got, tt.want)
		}
	}
}

// One example of each kind of secret that REDACTION.md lists, in a sentence that
// has no key for it. All are invented.
func TestSecretsAreLabelledAsSecrets(t *testing.T) {
	for _, s := range []string{
		"hf_" + strings.Repeat("qZ", 17), "sk-" + strings.Repeat("q7Z", 16), "sk-proj-" + strings.Repeat("q7Z", 12), "ghp_" + strings.Repeat("q7Z", 12),
		"github_pat_" + strings.Repeat("q7Z", 12), "glpat-" + strings.Repeat("q7Z", 7), "xoxb-123456789012-" + strings.Repeat("q7Z", 8), "AKIA" + strings.Repeat("Q7ZX", 4),
		"AIza" + strings.Repeat("q7Z", 12), "ya29." + strings.Repeat("q7Z", 12), "nvapi-" + strings.Repeat("q7Z", 21), "dapi" + strings.Repeat("7f", 16),
		"npm_" + strings.Repeat("q7Z", 12), "pypi-" + strings.Repeat("q7Z", 12), "eyJ" + strings.Repeat("q7Z", 9) + ".eyJ" + strings.Repeat("q7Z", 9) + "." + strings.Repeat("q7Z", 9), "r8_" + strings.Repeat("q7Z", 12),
	} {
		r := newTestRedactor()
		if got, want := r.Text(model.NewText("using "+s+" step 3", model.ClassLogLine)).String(), "using ⟨secret:1⟩ step 3"; got != want {
			t.Errorf("%.8s…: got %q, want %q", s, got, want)
		}
	}
}

func TestNumbersStampsAndDurationsStay(t *testing.T) {
	for _, s := range []string{"2026-03-04 12:00:01,234", "2026-05-04T09:00:00.000000001+09:00", "2026/03/04 12:00:01.123", "12:00:01", "Mar  4 12:00:01",
		"1772625601.234567", "97 %", "40536 MiB", "12345678 ms", "3.5 s", "-12", "1e-05", "7/100", "0.25", "loss=0.123456789"} {
		if got := newTestRedactor().Text(model.NewText(s, model.ClassLogLine)).String(); got != s {
			t.Errorf("got %q, want %q", got, s)
		}
	}
}

func TestRelativeTimeHidesTheCalendar(t *testing.T) {
	r := New(Policy{RelativeTime: true}, plainValues{})
	for _, tt := range []struct {
		class    model.Class
		in, want string
	}{
		{model.ClassLogLine, "2026-03-04 12:00:01,234 INFO step 3", "⟨time⟩ INFO step 3"},
		{model.ClassLogLine, `{"ts":1772625601.25,"step":3}`, `{"ts":⟨time⟩,"step":3}`},
		{model.ClassLogLine, "Mar  4 12:00:01 INFO took 3 s", "⟨time⟩ INFO took 3 s"},
		{model.ClassTableRow, "2026/03/04 12:00:01.123, 97 %", "⟨time⟩, 97 %"},
		{model.ClassTableRow, "1772625601.25, 97 %", "⟨time⟩, 97 %"},
		{model.ClassFile, "gpu_2026-05-04.csv", "⟨file:1⟩.csv"},
	} {
		if got := r.Text(model.NewText(tt.in, tt.class)).String(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestWordsOfThePolicyAreReplacedEverywhere(t *testing.T) {
	r := newTestRedactor("ProjectX", "training")
	for _, tt := range []struct {
		class    model.Class
		in, want string
	}{
		{model.ClassOperation, "aten::projectx_mm", "aten::⟨word:1⟩_mm"},
		{model.ClassLogLine, "INFO Training PROJECTX started", "INFO ⟨word:2⟩ ⟨word:1⟩ started"},
		{model.ClassFile, "training.log", "⟨word:2⟩.log"},
	} {
		if got := r.Text(model.NewText(tt.in, tt.class)).String(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
	if got, want := r.Stage(model.StageWrite).String(), "write"; got != want {
		t.Errorf("our own text: got %q, want %q", got, want)
	}
}

func TestShowNamesFields(t *testing.T) {
	r := New(Policy{Show: []string{"dataset", "symptom", "optimizer"}}, plainValues{})
	data := model.NewText("corpus-a@3", model.ClassDataset)
	if got, want := r.Text(data).String(), "corpus-a@3"; got != want {
		t.Errorf("data set: got %q, want %q", got, want)
	}
	symptom := model.NewText("the claims job stalls\x1b[0m, password=hunter2", model.ClassFree)
	if got, want := r.Field("symptom", symptom).String(), "the claims job stalls, password=⟨secret:1⟩"; got != want {
		t.Errorf("symptom: got %q, want %q", got, want)
	}
	if got, want := r.Field("done_when", symptom).String(), "the ⟨text⟩ job stalls, password=⟨secret:1⟩"; got != want {
		t.Errorf("a field that is not named: got %q, want %q", got, want)
	}
	k, v := r.Setting(model.Setting{Key: model.NewText("optimizer", model.ClassSetting), Value: model.NewText("acmeopt", model.ClassSetting)})
	if got, want := k.String()+"="+v.String(), "optimizer=acmeopt"; got != want {
		t.Errorf("setting: got %q, want %q", got, want)
	}
	if err := r.Check([]byte("corpus-a@3 the claims job stalls acmeopt")); err != nil {
		t.Errorf("what the policy shows is no leak: %v", err)
	}
}

func TestAPhraseShowsItsArguments(t *testing.T) {
	r := newTestRedactor()
	files := func(id model.SourceID) model.Text {
		return model.NewText([]string{"", "gpu.csv", "hbxq7.json"}[id], model.ClassFile)
	}
	p := model.Say("{} at {} and {} in {}: {}, {}, {} {} {} {}, {}", model.Lit("gap"), model.Pos{Source: 1, Line: 41}, model.Pos{Source: 2, Offset: 12},
		model.SourceID(1), model.CollectorGap, model.StageCPUPreparation, 3, 2.5, time.Second, model.StageNamed("hbxq"),
		model.Say("from {}", model.NewText("node7", model.ClassHost)))
	want := "gap at gpu.csv:41 and ⟨file:1⟩.json, byte 12 in gpu.csv: not observed: the collector wrote nothing here, CPU preparation, 3 2.5 1s ⟨stage:1⟩, from ⟨host:1⟩"
	if got := r.Phrase(p, files).String(); got != want {
		t.Errorf("\ngot  %q\nwant %q", got, want)
	}
	if got, want := r.Phrase(model.Say("at {}", model.Pos{Line: 3}), nil).String(), "at line 3"; got != want {
		t.Errorf("without files: got %q, want %q", got, want)
	}
}

func TestATranslationMayReorderArguments(t *testing.T) {
	r := New(Policy{Translate: func(s string) string {
		return map[string]string{"{} of {}": "{2} 중 {1}", "write": "쓰기"}[s]
	}}, plainValues{})
	if got, want := r.Phrase(model.Say("{} of {}", 3, 7), nil).String()+r.Stage(model.StageWrite).String(), "7 중 3쓰기"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTemplatesEscapeShownText(t *testing.T) {
	s := Shown{`</script>"<b>`}
	var b bytes.Buffer
	if err := template.Must(template.New("").Parse(`<p title="{{.}}">{{.}}</p><script>x = {{.}}</script>`)).Execute(&b, s); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "<b>") || strings.Count(b.String(), "</script>") != 1 {
		t.Errorf("not escaped: %s", b.String())
	}
	js, err := json.Marshal(map[string]Shown{"k": s})
	if err != nil || strings.Contains(string(js), "<") {
		t.Errorf("got %s, %v", js, err)
	}
}

type speaking struct{}

func (speaking) Error() string        { return "hbxqzwvk" }
func (speaking) Phrase() model.Phrase { return model.Say("line {} is cut off", 3) }

func TestErrorsShowWhatTheUserTypedAndTheReason(t *testing.T) {
	r := New(Policy{Args: []string{"./runs/hbxq"}}, plainValues{})
	path := func(p string) error { return &fs.PathError{Op: "open", Path: p, Err: fs.ErrNotExist} }
	for _, tt := range []struct {
		rule string
		err  error
		want string
	}{
		{"a path that was typed", path("./runs/hbxq"), "open ./runs/hbxq: file does not exist"},
		{"a file below it", path("runs/hbxq/gpu.csv"), "open runs/hbxq/gpu.csv: file does not exist"},
		{"an unknown file below it", path("runs/hbxq/zwvk.csv"), "open runs/hbxq/⟨file:1⟩.csv: file does not exist"},
		{"any other path", path("/home/joe/x.csv"), "open ⟨path:1⟩.csv: file does not exist"},
		{"with context", fmt.Errorf("reading the run: %w", path("/home/joe/x.csv")), "reading the run: open ⟨path:1⟩.csv: file does not exist"},
		{"context is free text", fmt.Errorf("zwvk hbx: %w", os.ErrPermission), "⟨text⟩: permission denied"},
		{"an error of nobody", errors.New("zwvkpp at 10.9.8.7"), "⟨text⟩ at ⟨host:1⟩"},
		{"several", errors.Join(os.ErrPermission, os.ErrExist), "permission denied\nfile already exists"},
		{"one that speaks", fmt.Errorf("reading: %w", speaking{}), "reading: line 3 is cut off"},
	} {
		if got := r.Error(tt.err).String(); got != tt.want {
			t.Errorf("%s:\ngot  %q\nwant %q", tt.rule, got, tt.want)
		}
	}
}
