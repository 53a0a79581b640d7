package torch

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"tracemerge/model"
)

func named(t *testing.T, name, text string) *model.Capture {
	t.Helper()
	c, err := readFrom(context.Background(), bytes.NewReader([]byte(text)), 1, model.NewText(name, model.ClassFile))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestOrigin: the file first, then its name, else not declared.
func TestOrigin(t *testing.T) {
	plain := doc(`{"ph":"X","cat":"cpu_op","name":"a","pid":4711,"tid":4711,"ts":1,"dur":1}`)
	stated := `{"distributedInfo":{"rank":5,"world_size":8},"host_name":"node-1",` + plain[1:]
	two := doc(`{"ph":"X","cat":"cpu_op","name":"a","pid":4711,"tid":1,"ts":1,"dur":1}`, `{"ph":"X","cat":"cpu_op","name":"a","pid":4712,"tid":1,"ts":1,"dur":1}`)
	device := doc(x("kernel", "k", 1, 1, ""))
	cases := []struct {
		rule, file, text string
		want             string // rank, host, process
		fromName         string
	}{
		{"the file states all", "rank3.json", stated, "5 node-1 4711", "false false"},
		{"the rank from the name", "run/rank-3.Jul_15_10_52_41.1074.pt.trace.json.gz", plain, "3  4711", "true false"},
		{"worker is the rank in the name of tensorboard_trace_handler", "worker2.1623143089861.pt.trace.json", plain, "2  4711", "true false"},
		{"host and process from the default name", "gpu_a.example_4711.1694128201545.pt.trace.json.gz", plain, "not_declared gpu_a.example 4711", "false true"},
		{"the stamp in ns", "gpu-a_4711.1694128201545123456.pt.trace.json", plain, "not_declared gpu-a 4711", "false true"},
		{"a number in the name that is not the process", "resnet_workers_4.1694128201545.pt.trace.json", plain, "not_declared  4711", "false false"},
		{"no record of the host", "gpu-a_99.1694128201545.pt.trace.json", device, "not_declared gpu-a 99", "false true"},
		{"several processes", "gpu-a_4711.1694128201545.pt.trace.json", two, "not_declared  not_applicable", "false false"},
		{"nothing says it", "trace.json", device, "not_declared  not_declared", "false false"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			cp := named(t, c.file, c.text)
			f := cp.Trace
			show := func(m model.Maybe[int64]) string {
				if v, ok := m.Get(); ok {
					return fmt.Sprint(v)
				}
				return m.Why().String()
			}
			if got := show(f.Rank) + " " + f.Host.Raw.Reveal() + " " + show(f.Process); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if got := fmt.Sprint(f.FromName.Rank, f.FromName.Host); got != c.fromName {
				t.Errorf("from the name: got %s, want %s", got, c.fromName)
			}
			codes := codesOf(cp)
			if (codes["torch/rank-from-name"] == 1) != f.FromName.Rank || (codes["torch/host-from-name"] == 1) != f.FromName.Host {
				t.Errorf("notices: got %s", said(cp))
			}
		})
	}
}
