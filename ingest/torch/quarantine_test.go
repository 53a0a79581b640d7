package torch

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/device"
)

const hour = 3_600_000_000 // us

// crowd writes n kernels of 2 us, 10 us apart, from start on.
func crowd(n int, start int64) []string {
	var out []string
	for i := range int64(n) {
		out = append(out, x("kernel", "k", start+10*i, 2, fmt.Sprintf(`,"args":{"device":0,"stream":7,"correlation":%d}`, i+1)))
	}
	return out
}

// window writes the two instants that state the recorder's window.
func window(from, to int64) []string {
	return []string{fmt.Sprintf(`{"ph":"i","name":"Iteration Start: x","ts":%d,"pid":"Traces","tid":"Trace x"}`, from),
		fmt.Sprintf(`{"ph":"i","name":"Record Window End","ts":%d,"pid":"","tid":""}`, to)}
}

func join(lists ...[]string) []string {
	var out []string
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

func TestQuarantine(t *testing.T) {
	array := func(events ...string) string { return "[" + strings.Join(events, ",") + "]" }
	const us = time.Microsecond
	cases := []struct {
		rule  string
		text  string
		code  string // "": nothing is kept out
		n     int64
		would time.Duration
		span  time.Duration // of device 0
	}{
		{"time 0 is no time where the clock is Unix time", doc(append(crowd(3, hour), x("kernel", "z", 0, 7, ""))...), "torch/ts-zero", 1, 7 * us, 22 * us},
		{"time 0 far from all is no time", array(append(crowd(3, 5000*hour), x("kernel", "z", 0, 7, ""))...), "torch/ts-zero", 1, 7 * us, 22 * us},
		{"time 0 is a time for a recorder that counts from its start", array(append(crowd(3, 30), x("kernel", "z", 0, 7, ""))...), "", 0, 0, 52 * us},
		{"far before all others", doc(append(crowd(3, 90*hour), x("kernel", "f", 5, 7, ""))...), "torch/far-from-all", 1, 7 * us, 22 * us},
		{"far behind all others", array(append(crowd(3, 5), x("kernel", "f", 90*hour, 7, ""))...), "torch/far-from-all", 1, 7 * us, 22 * us},
		{"far on both sides", array(append(crowd(5, 90*hour), x("kernel", "f", 5, 7, ""), x("kernel", "f", 1000*hour, 7, ""))...), "torch/far-from-all", 2, 14 * us, 42 * us},
		{"an end far from all others", doc(append(crowd(3, hour), x("kernel", "f", hour, 5*hour, ""))...), "torch/far-from-all", 1, 5 * time.Hour, 22 * us},
		{"ten minutes apart is a pause", array(append(crowd(3, 5), x("kernel", "p", hour/6, 10, ""))...), "", 0, 0, 10*time.Minute + 5*us},
		{"ten times the extent apart is a pause", array(append(crowd(3, 5), x("kernel", "a", 5+hour/6, 10, ""), x("kernel", "b", 5+10*hour/6, 10, ""))...), "", 0, 0, 100*time.Minute + 10*us},
		{"without a majority nothing is far", array(append(crowd(3, 5), crowd(3, 90*hour)...)...), "", 0, 0, 90*time.Hour + 17*us},
		{"inside the stated window nothing is far", doc(join(window(5, 20*hour), crowd(3, 10), []string{x("kernel", "f", 19*hour, 7, "")})...), "", 0, 0, 19*time.Hour - 3*us},
		{"a window that lies far from all is not used", doc(join(window(5, 9000*hour), crowd(3, 10), []string{x("kernel", "f", 8000*hour, 7, "")})...), "torch/far-from-all", 1, 7 * us, 22 * us},
		{"a kernel that ends after the window", doc(join(window(5, 100), crowd(3, 10), []string{x("kernel", "l", 99, 2, "")})...), "torch/ends-after-window", 1, 2 * us, 22 * us},
		{"a copy that starts before the window", doc(join(window(9, 100), crowd(3, 10), []string{x("gpu_memcpy", "e", 8, 4, "")})...), "torch/starts-before-window", 1, 4 * us, 22 * us},
		{"what child profilers record may lie outside", doc(join(window(9, 100), crowd(3, 10), []string{x("mtia_ccp_events", "pe", 3, 4, "")})...), "", 0, 0, 29 * us},
		{"half of the device against it is a window that is wrong", doc(join(window(9, 35), crowd(6, 10))...), "", 0, 0, 52 * us},
		{"a negative length covers nothing", doc(append(crowd(3, 10), x("kernel", "n", 12, -5, ""))...), "torch/negative-duration", 1, -5 * us, 22 * us},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			got := mustRead(t, c.text)
			q := got.Trace.Quarantine
			if c.code == "" && len(q) != 0 || c.code != "" && (len(q) != 1 || q[0].Rule != c.code || q[0].N != c.n || q[0].Would != c.would || q[0].Why.Empty()) {
				t.Errorf("quarantine: got %+v, want %d of %s with %v", q, c.n, c.code, c.would)
			}
			if codesOf(got)[c.code] != c.n {
				t.Errorf("notices: got %s, want %d of %s", said(got), c.n, c.code)
			}
			if span := device.Tabulate(got)[0].Span.Len(); span != c.span {
				t.Errorf("span of the device: got %v, want %v", span, c.span)
			}
			if got.Window.Len() > 21*time.Hour && c.code != "" {
				t.Errorf("window: got %v, stretched by what is kept out", got.Window.Len())
			}
		})
	}
}

// A record without a sound time must not decide the clock of all others.
func TestOneBrokenTimeDoesNotDecideTheClock(t *testing.T) {
	c := mustRead(t, "["+strings.Join(append(crowd(3, 1_712_195_495_406_752), x("kernel", "f", 7, 1, "")), ",")+"]")
	if c.Domains[0].Kind != model.DomainUnix || c.Spans.Len() != 3 {
		t.Errorf("got clock %v and %d spans, want Unix time and 3", c.Domains[0].Kind, c.Spans.Len())
	}
}

// A pair is two elements of the array; both are set aside.
func TestQuarantinedPairsCountTwice(t *testing.T) {
	c := mustRead(t, doc(append(crowd(3, 90*hour), `{"ph":"B","ts":0,"pid":1,"tid":1,"name":"a"}`, `{"ph":"E","ts":5,"pid":1,"tid":1}`)...))
	if n := tally(c.Account.SetAside)["torch/ts-zero"]; n != 2 || c.Account.Used != 3 {
		t.Errorf("got %d set aside and %d used, want 2 and 3", n, c.Account.Used)
	}
}

// A step that is kept out is no step.
func TestQuarantinedStepsAreNone(t *testing.T) {
	c := mustRead(t, doc(append(crowd(3, 90*hour), x("user_annotation", "ProfilerStep#1", 0, 5, ""), x("user_annotation", "ProfilerStep#2", 90*hour, 5, ""))...))
	if len(c.Trace.Steps) != 1 || c.Trace.Steps[0].Name.Raw.Reveal() != "ProfilerStep#2" {
		t.Errorf("got %d steps, want ProfilerStep#2 alone", len(c.Trace.Steps))
	}
}

func TestBeforeLaunchBoundsTheClockError(t *testing.T) {
	call := func(ts, correlation int) string {
		return x("cuda_runtime", "cudaLaunchKernel", ts, 1, fmt.Sprintf(`,"args":{"correlation":%d}`, correlation))
	}
	cases := []struct {
		rule string
		text string
		want time.Duration // -1: not known
		n    int64
	}{
		{"kernels before their launch, which may stand behind them", doc(append(crowd(3, 10), call(13, 1), call(27, 2), call(28, 3))...), 7 * time.Microsecond, 2},
		{"every kernel behind its launch", doc(append(crowd(2, 10), call(3, 1), call(4, 2))...), 0, 0},
		{"many kernels of one launch", doc(call(12, 1), crowd(1, 10)[0], crowd(1, 11)[0], crowd(1, 14)[0]), 2 * time.Microsecond, 2},
		{"the earliest of several calls with one id", doc(append(crowd(1, 10), call(19, 1), call(8, 1))...), 0, 0},
		{"nothing is linked", doc(append(crowd(2, 10), call(13, 77))...), -1, 0},
		{"id 0 is no link", doc(x("kernel", "k", 1, 1, `,"args":{"correlation":0}`), call(13, 0)), -1, 0},
		{"ids beyond int64 are told apart by their text", doc(x("kernel", "k", 10, 1, `,"args":{"correlation":18446744073709551615}`),
			x("cuda_runtime", "a", 13, 1, `,"args":{"correlation":18446744073709551615}`), x("cuda_runtime", "b", 1, 1, `,"args":{"correlation":18446744073709551614}`)), 3 * time.Microsecond, 1},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			got := mustRead(t, c.text)
			d, ok := got.Trace.BeforeLaunch.Get()
			if ok != (c.want >= 0) || ok && d != c.want || codesOf(got)["torch/kernel-before-launch"] != c.n {
				t.Errorf("got %v (known %v), %s; want %v and %d records", d, ok, said(got), c.want, c.n)
			}
			if k := device.Tabulate(got)[0].Kernels; k == 0 {
				t.Error("kernels before their launch are kept in the figures")
			}
		})
	}
}
