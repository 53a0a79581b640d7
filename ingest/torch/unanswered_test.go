package torch

import (
	"fmt"
	"testing"
	"time"

	"tracemerge/model"
)

func launched(name string, at int64, link int) string {
	return x("cuda_runtime", name, at, 2, fmt.Sprintf(`,"args":{"correlation":%d}`, link))
}

func kernelOf(at int64, link int) string {
	return x("kernel", "k", at, 5, fmt.Sprintf(`,"args":{"device":0,"stream":7,"correlation":%d}`, link))
}

func TestLaunchWithoutARecordIsNotObserved(t *testing.T) {
	sync := func(at, long int64) string {
		return x("cuda_runtime", "cudaDeviceSynchronize", at, long, `,"args":{"correlation":99}`)
	}
	for _, c := range []struct {
		name   string
		events []string
		n      int64
		time   time.Duration
	}{
		{"every launch has its kernel", []string{launched("cudaLaunchKernel", 10, 1), kernelOf(20, 1), launched("cudaLaunchKernelExC", 30, 2), kernelOf(40, 2)}, 0, 0},
		{"one has none: unknown until the next wait ends", []string{launched("cudaLaunchKernel", 10, 1), kernelOf(20, 1), launched("cudaLaunchKernel", 30, 2), sync(50, 10), kernelOf(90, 1)}, 1, 30 * time.Microsecond},
		{"without a wait until the window ends", []string{launched("hipExtModuleLaunchKernel", 10, 2), kernelOf(20, 1), launched("cuLaunchKernel", 12, 1), kernelOf(90, 1)}, 1, 85 * time.Microsecond},
		{"a wait that began before it does not count", []string{sync(5, 20), launched("cudaGraphLaunch", 10, 2), sync(30, 10), kernelOf(20, 1), launched("cudaLaunchKernel", 6, 1)}, 1, 30 * time.Microsecond},
		{"two of them are one time", []string{launched("cudaLaunchKernel", 10, 2), launched("cudaLaunchKernel", 14, 3), launched("cudaLaunchKernel", 15, 1), sync(30, 10), kernelOf(20, 1)}, 2, 30 * time.Microsecond},
		{"what is captured into a graph runs nothing", []string{launched("cudaStreamBeginCapture", 8, 90), launched("cudaLaunchKernel", 10, 2), launched("cudaStreamEndCapture", 13, 91), launched("cudaLaunchKernel", 15, 1), kernelOf(20, 1)}, 0, 0},
		{"a copy or a fill of no bytes leaves no record", []string{launched("cudaMemsetAsync", 10, 2), launched("cudaLaunchKernel", 15, 1), kernelOf(20, 1)}, 0, 0},
		{"no device record at all: the device was not recorded", []string{launched("cudaLaunchKernel", 10, 2), x("cpu_op", "a", 1, 40, "")}, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := mustRead(t, doc(c.events...))
			if got.Trace.Unanswered != c.n || got.Trace.UnansweredTime.Len() != c.time {
				t.Errorf("%d launches, %v; want %d, %v", got.Trace.Unanswered, got.Trace.UnansweredTime.Len(), c.n, c.time)
			}
			for _, tr := range got.Tracks {
				if tr.Kind != model.TrackStream && tr.Kind != model.TrackDevice {
					continue
				}
				var holes time.Duration
				for _, h := range tr.Unknown {
					if h.Why != model.KernelRecordMissing || h.Note.Empty() || len(h.From) == 0 {
						t.Errorf("hole %+v: want its reason, a note and a place", h)
					}
					holes += h.At.Len()
				}
				if holes != c.time {
					t.Errorf("track %d: %v in holes; want %v", tr.ID, holes, c.time)
				}
			}
		})
	}
}
