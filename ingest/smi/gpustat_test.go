package smi

import (
	"context"
	"strings"
	"testing"

	"tracemerge/ingest"
	"tracemerge/model"
)

const gpustatLoop = `{"hostname":"node1","query_time":"2026-05-04T10:00:01.123456","gpus":[
 {"index":0,"uuid":"GPU-aaaa","name":"NVIDIA A100","temperature.gpu":40,"utilization.gpu":95,"power.draw":null,"memory.used":30000,"memory.total":40960,"processes":[{"pid":7}]},
 {"index":1,"uuid":"GPU-bbbb","name":"NVIDIA A100, 40 GB","temperature.gpu":41,"utilization.gpu":0,"power.draw":60,"memory.used":10,"memory.total":40960,"processes":[]}]}
{"hostname":"node1","query_time":"2026-05-04T10:00:02.123456","gpus":[
 {"index":0,"uuid":"GPU-aaaa","name":"NVIDIA A100","temperature.gpu":40,"utilization.gpu":97,"power.draw":251,"memory.used":30000,"memory.total":40960,"processes":[]}]}
`

func TestGpustat(t *testing.T) {
	if got := match([]byte(gpustatLoop)); got != ingest.Certain {
		t.Errorf("confidence %d", got)
	}
	c, err := readAll(context.Background(), strings.NewReader(gpustatLoop), 1)
	if err != nil || c.Account.Used != 3 || c.Account.Read != 3 || len(c.Tracks) != 2 || c.Source.Form != "gpustat json" {
		t.Fatalf("%v: %+v, %d tracks, %q", err, c.Account, len(c.Tracks), c.Source.Form)
	}
	busy, unknown := 0, 0
	for b := range c.Samples.Batches() {
		for i := range b.At {
			if c.Metrics[b.Metric[i]].Role == model.RoleGPUBusy {
				busy++
			}
			if b.Why[i] != model.Present {
				unknown++
			}
		}
	}
	if busy != 3 || unknown != 1 || c.Domains[0].Kind != model.DomainCivil {
		t.Errorf("%d readings of utilization, %d without a value, clock %v", busy, unknown, c.Domains[0].Kind)
	}
	cut, err := readAll(context.Background(), strings.NewReader(gpustatLoop[:len(gpustatLoop)-40]), 1)
	if err != nil || !cut.Truncated || cut.Account.Used != 2 || !cut.Account.Balanced() {
		t.Errorf("cut: %v, %+v", err, cut.Account)
	}
}

func TestROCmSMI(t *testing.T) {
	text := "device,Temperature (Sensor edge) (C),GPU use (%),GPU memory use (%)\ncard0,35.0,12,3\ncard1,36.0,0,0\n"
	if got := match([]byte(text)); got < ingest.Likely {
		t.Errorf("confidence %d", got)
	}
	c, err := readAll(context.Background(), strings.NewReader(text), 1)
	if err != nil || c.Account.Used != 2 || len(c.Tracks) != 2 || c.Domains[0].Kind != model.DomainNone {
		t.Errorf("%v: %+v, %d tracks, %v", err, c.Account, len(c.Tracks), c.Domains)
	}
}
