package chart

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
)

func bands(t *testing.T, name string) []byte {
	t.Helper()
	j, err := Bands(Frame{ID: "chart-1", XName: "s", YName: "%", To: 10, Top: 100},
		[]Band{{Name: name, Colour: "--st-write", X: []float64{0, 5, 10}, Lo: []float64{0, math.NaN(), 20}, Hi: []float64{10, math.NaN(), 90}}},
		[]Gap{{From: 0, To: 5, Why: "not observed"}})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func TestNamesCannotLeaveTheScript(t *testing.T) {
	j := bands(t, `</script><script>a__f__b`)
	if bytes.ContainsAny(j, "<>") {
		t.Errorf("unescaped markup in %s", j)
	}
	if !bytes.Contains(j, []byte("a__f__b")) {
		t.Errorf("the name was changed: %s", j)
	}
}

func TestSameArgumentsSameBytes(t *testing.T) {
	if a, b := bands(t, "x"), bands(t, "x"); !bytes.Equal(a, b) {
		t.Errorf("two calls differ:\n%s\n%s", a, b)
	}
}

// The lower bound is a line, the distance to the upper one is stacked on it, and
// what is unknown interrupts both.
func TestBandsAreStackedAndUnknownIsNull(t *testing.T) {
	var o struct {
		Series []struct {
			Name, Stack string
			Data        []struct{ Value []*float64 }
			MarkArea    struct{ Data [][]map[string]any }
		}
		XAxis []struct{ Min, Max float64 }
	}
	j := bands(t, "x")
	if err := json.Unmarshal(j, &o); err != nil {
		t.Fatalf("%v in %s", err, j)
	}
	if len(o.Series) != 2 || o.Series[0].Stack == "" || o.Series[0].Stack != o.Series[1].Stack {
		t.Fatalf("series: %s", j)
	}
	for i, want := range []float64{20, 70} {
		d := o.Series[i].Data
		if d[1].Value[1] != nil {
			t.Errorf("series %d: an unknown value is %v, want null", i, *d[1].Value[1])
		}
		if d[2].Value[1] == nil || *d[2].Value[1] != want {
			t.Errorf("series %d: last value %v, want %v", i, d[2].Value[1], want)
		}
	}
	if a := o.Series[0].MarkArea.Data; len(a) != 1 || a[0][1]["xAxis"] != 5.0 {
		t.Errorf("the unobserved stretch: %v", a)
	}
	if len(o.XAxis) != 1 || o.XAxis[0].Max != 10 {
		t.Errorf("axis: %v", o.XAxis)
	}
}

func TestStepsKeepTheirValue(t *testing.T) {
	j, err := Steps(Frame{ID: "c", To: 5}, []Line{{Name: "accepted", Colour: "--series-1", X: []float64{1, 2}, Y: []float64{0, 7}}})
	if err != nil || !strings.Contains(string(j), `"step":"end"`) {
		t.Errorf("got %s, %v", j, err)
	}
}

func TestLengthsThatDoNotMatchAreAnError(t *testing.T) {
	if _, err := Bands(Frame{ID: "c"}, []Band{{X: []float64{1}, Lo: nil, Hi: nil}}, nil); err == nil {
		t.Error("a band without bounds was drawn")
	}
	if _, err := Steps(Frame{ID: "c"}, []Line{{X: []float64{1}}}); err == nil {
		t.Error("a line without values was drawn")
	}
}
