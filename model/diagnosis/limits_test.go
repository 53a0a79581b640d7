package diagnosis

import (
	"errors"
	"testing"

	"tracemerge/model"
	"tracemerge/model/report"
)

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name    string
		capture model.Capture
		placed  bool
		want    []string
	}{
		{"a whole file", model.Capture{Account: model.Account{Read: 5, Used: 5}}, true, nil},
		{"a comment set aside changes nothing", model.Capture{Account: model.Account{Read: 5, Used: 4, SetAside: []model.Tally{{Code: "smi/comment", N: 1}}}}, true, nil},
		{"rejected rows", model.Capture{Account: model.Account{Read: 5, Used: 3, Rejected: []model.Tally{{Code: "smi/columns", N: 2}}}}, true, []string{"rejected"}},
		{"a row set aside with loss", model.Capture{Account: model.Account{Read: 5, Used: 4, SetAside: []model.Tally{{Code: "smi/cut-last-line", N: 1}}},
			Notices: []model.Notice{{Code: "smi/cut-last-line", Severity: model.DataLoss, N: 1, Text: model.Say("x")}}, Truncated: true}, true, []string{"cut_off", "set_aside"}},
		{"a clock that is not placed", model.Capture{Account: model.Account{Read: 5, Used: 5}}, false, []string{"not_placed"}},
		{"a file that could not be read", model.Capture{Err: errors.New("x"), Account: model.Account{Read: 1, Rejected: []model.Tally{{N: 1}}}}, false, []string{"unreadable"}},
	} {
		s := report.Source{Source: model.Source{ID: 1, Kind: model.KindSMI}, Capture: &c.capture, Placed: c.placed, Clocks: []report.Clock{{}}}
		got := limits(&report.Run{Sources: []report.Source{s}})
		var codes []string
		for _, l := range got {
			codes = append(codes, l.Code)
			if l.What.Empty() || l.At.Source != 1 {
				t.Errorf("%s: %+v has no words or place", c.name, l)
			}
		}
		if len(codes) != len(c.want) {
			t.Errorf("%s: got %v, want %v", c.name, codes, c.want)
			continue
		}
		for i := range codes {
			if codes[i] != c.want[i] {
				t.Errorf("%s: got %v, want %v", c.name, codes, c.want)
			}
		}
	}
}
