package smi

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"tracemerge/model"
)

// tallies prints counts as "code=n code=n".
func tallies(ts []model.Tally) string {
	var out []string
	for _, t := range ts {
		out = append(out, fmt.Sprintf("%s=%d", t.Code, t.N))
	}
	return strings.Join(out, " ")
}

// samplesOf returns the samples of a capture as rows.
func samplesOf(c *model.Capture) []model.Sample {
	var out []model.Sample
	if c.Samples == nil {
		return nil
	}
	for b := range c.Samples.Batches() {
		for i := range b.At {
			v := model.Known(b.Value[i])
			if b.Why[i] != model.Present {
				v = model.Missing[float64](model.Reason(b.Why[i]))
			}
			out = append(out, model.Sample{At: model.ClockTime(b.At[i]), Track: model.TrackID(b.Track[i]),
				Metric: model.MetricID(b.Metric[i]), Value: v, Line: b.Line[i], Offset: b.Offset[i]})
		}
	}
	return out
}

// valuesOf prints the samples of a metric: numbers as they are, unknown ones as
// their reason.
func valuesOf(c *model.Capture, metric string) string {
	var out []string
	for _, s := range samplesOf(c) {
		if c.Metrics[s.Metric].Name.Raw.Reveal() != metric {
			continue
		}
		if v, ok := s.Value.Get(); ok {
			out = append(out, fmt.Sprint(v))
		} else {
			out = append(out, s.Value.Why().String())
		}
	}
	return strings.Join(out, " ")
}

// noticesOf prints the codes and counts of the notices.
func noticesOf(c *model.Capture) string {
	var out []string
	for _, n := range c.Notices {
		out = append(out, fmt.Sprintf("%s=%d", n.Code, n.N))
	}
	return strings.Join(out, " ")
}

func readText(t *testing.T, text string) *model.Capture {
	t.Helper()
	c, err := readAll(context.Background(), strings.NewReader(text), 1)
	if err != nil {
		t.Fatal(err)
	}
	checkCapture(t, c, int64(len(text)))
	return c
}

// checkCapture holds a capture to what every capture promises; size is that of
// the file.
func checkCapture(t *testing.T, c *model.Capture, size int64) {
	t.Helper()
	if !c.Account.Balanced() {
		t.Errorf("the account is not balanced: %+v", c.Account)
	}
	inside := func(what string, p model.Pos) {
		if p.Offset < 0 || p.Offset >= size || p.Line < 1 {
			t.Errorf("%s stands at line %d, byte %d of a file of %d bytes", what, p.Line, p.Offset, size)
		}
	}
	for _, n := range c.Notices {
		if n.N < 1 || len(n.At) == 0 {
			t.Errorf("notice %s has no place", n.Code)
		}
		for _, p := range n.At {
			inside(n.Code, p)
		}
	}
	for _, ts := range [][]model.Tally{c.Account.SetAside, c.Account.Rejected} {
		for _, ta := range ts {
			inside(ta.Code, ta.First)
		}
	}
	for _, s := range samplesOf(c) {
		inside("a sample", model.Pos{Line: s.Line, Offset: s.Offset})
		if int(s.Track) >= len(c.Tracks) || int(s.Metric) >= len(c.Metrics) {
			t.Errorf("a sample names track %d of %d, metric %d of %d", s.Track, len(c.Tracks), s.Metric, len(c.Metrics))
		}
		if !s.Value.Known() && s.Value.Why() == model.NotSet {
			t.Error("an unknown sample has no reason")
		}
		if d := c.Domains[c.DomainAt(s.Offset)]; d.Kind != model.DomainNone && !d.Valid.Contains(s.At) {
			t.Errorf("a sample at %d lies outside its piece %v", s.At, d.Valid)
		}
	}
	for _, tr := range c.Tracks {
		for _, h := range tr.Unknown {
			if h.At.Empty() || h.Why == model.NotSet || len(h.From) == 0 {
				t.Errorf("a hole is empty or has no reason or place: %+v", h)
			}
		}
	}
}

// summary prints a capture completely, to compare two of them.
func summary(c *model.Capture, err error) string {
	var b bytes.Buffer
	fmt.Fprintln(&b, err, c.Account, noticesOf(c), c.Truncated, c.Window, c.Source.Form)
	for _, d := range c.Domains {
		fmt.Fprintln(&b, d.ID, d.Kind, d.Step, d.Valid, d.From)
	}
	for _, tr := range c.Tracks {
		fmt.Fprintln(&b, tr.ID, tr.Kind, tr.Name.Raw.Reveal(), tr.Device.Reveal(), len(tr.Unknown))
		for _, f := range tr.Facts {
			fmt.Fprintln(&b, f.Name.Raw.Reveal(), f.Value.Raw.Reveal())
		}
	}
	for _, m := range c.Metrics {
		fmt.Fprintln(&b, m.Name.Raw.Reveal(), m.Unit.Raw.Reveal(), m.Role)
	}
	for _, s := range samplesOf(c) {
		v, ok := s.Value.Get()
		fmt.Fprintln(&b, s.At, s.Track, s.Metric, v, ok, s.Value.Why(), s.Line, s.Offset)
	}
	return b.String()
}
