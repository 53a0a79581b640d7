package redact

import (
	"strings"
	"testing"

	"tracemerge/model"
)

// declaredTexts are what people write into run.yaml about how work goes.
const declaredTexts = `a 40 s pause between batches
preparation starves the GPU
baseline
after change
loader_workers 4 -> 8
1000 accepted outputs
the pause stays
input takes too long
the GPU is idle while the loader works
GPU utilisation drops to 0 % every 30 s
the first result arrives late
first batch takes 40 s
throughput falls after an hour
output rate drops after step 1000
training stalls at epoch boundaries
data loading is too slow
CPU-bound preprocessing
one thread is saturated
one rank waits for the others
stragglers in allreduce
checkpoint blocks the training loop
too few loader workers
increase loader workers from 4 to 8
num_workers=8, pin_memory=true
batch size 32 -> 64
prefetch_factor 2 -> 4
precision fp32 -> bf16
move the dataset from nfs to local ssd
moved input files to local disk
dataset on network folder
image decoding is slow
augmentation takes half of the step time
host to device copies are not overlapped
copies overlap with compute
pinned memory disabled
GPU memory is nearly full
memory grows over time
out of memory after 3 hours
memory fragmentation
launch overhead of small kernels
many tiny kernels
CUDA graphs enabled
torch.compile enabled
recompilation at every new shape
power limit throttles the clock
thermal throttling
PCIe transfer is slow
NCCL timeouts
communication is not overlapped with backward
gradient accumulation 4 steps
rejected outputs rise
many retries
too many rejected results
quality is unchanged
same quality, same input
reject_rate at most 0.02
all 1000 inputs processed
every batch is verified
job finishes within 2 hours
the deadline is met
last checkpoint written
warm run, cache filled
cold start
second run after a warm up
run 2 after fix
experiment 3
more workers
object store
network drive
shared folder
inference server
the pause disappears
pause is shorter than 10 s
pauses remain
no change in throughput
throughput does not improve
throughput improves by 20 %
latency p99 above 2 s
tokens per second below 1000
step time above 1.5 s
GPU busy below 50 %
wait time is unchanged
profile one step with the PyTorch profiler
record per-thread CPU
run with a prepared subset
compare with data in memory
repeat with 1 worker
repeat the run on another machine
repeat without profiler
measure the read time of one file
disk reads saturate the disk
network bandwidth limit
storage latency
lock contention
the GIL
python garbage collection
page cache is cold
reading files one by one
many small files on nfs
decompression takes most of the CPU time
writing results blocks the GPU
export is synchronous
asynchronous export
verification repeats
idle gaps between steps
GPU waits for input
scheduler preemption
other jobs on the same node
noisy neighbour
driver update
8 GPUs on one node
not reproducible
intermittent
once per epoch
at the start`

func TestTheWordsOfThisFieldStayInDeclaredTexts(t *testing.T) {
	r := newTestRedactor()
	for line := range strings.SplitSeq(declaredTexts, "\n") {
		if got := r.Text(model.NewText(line, model.ClassFree)).String(); got != line {
			t.Errorf("got %q, want %q", got, line)
		}
	}
	for class, names := range map[model.Class][]string{
		model.ClassPath:    {"nfs", "local disk", "network folder", "ssd", "object store", "shared storage", "cloud storage", "network drive", "NAS", "page cache", "file server"},
		model.ClassProcess: {"trainer", "inference server", "data loader", "train.py", "evaluator", "scorer"},
	} {
		for _, n := range names {
			if got := r.Text(model.NewText(n, class)).String(); got != n {
				t.Errorf("class %d: got %q, want %q", class, got, n)
			}
		}
	}
}

// Names, places and words of a business do not: each text has some, and none of
// them may be seen.
func TestBusinessWordsAreHiddenInDeclaredTexts(t *testing.T) {
	for _, tt := range []struct{ text, private string }{
		{"patient reports pain", "patient pain"},
		{"acme claims review at Berlin hospital is slow", "acme claims review Berlin hospital"},
		{"loan scoring for customer Meyer stalls", "loan scoring customer Meyer"},
		{"invoices of project falcon take too long", "invoices project falcon"},
		{"the genome of donors, 40 s per batch", "genome donors"},
		{"face recognition of employees waits for input", "face recognition employees"},
		{"drug trial in Seoul pauses", "drug trial Seoul"},
		{"fraud detection at bank starves the GPU", "fraud detection bank"},
		{"layoff forecast for the Busan plant", "layoff forecast Busan plant"},
		{"radar target tracking is slow", "radar tracking"},
		{"John moved the chat transcripts to nfs", "John chat transcripts"},
	} {
		for _, c := range []model.Class{model.ClassFree, model.ClassLogLine, model.ClassTask, model.ClassProcess, model.ClassPath, model.ClassFile} {
			got := newTestRedactor().Text(model.NewText(tt.text, c)).String()
			for _, w := range strings.Fields(tt.private) {
				if strings.Contains(got, w) {
					t.Errorf("class %d: %q shows %q", c, got, w)
				}
			}
		}
	}
}
