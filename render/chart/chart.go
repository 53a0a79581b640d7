// Package chart builds the options of the page's interactive charts with
// go-echarts, and nothing else: no page, no script, no drawing.
//
// Options leave the package as JSON with every special character escaped, so
// that they can stand in a script element of type application/json. Two calls
// with the same arguments give the same bytes: the chart's id is set, and
// go-echarts' own renderers, which draw a random id and undo the escaping, are
// not used.
//
// A colour is the name of a property of the page's style sheet ("--st-write");
// the page's script replaces it by the colour of the present theme. A value that
// is not known is null, and the line is interrupted there.
package chart

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
)

// A Frame is what all charts have: an id, the names of the axes, and the ends of
// the horizontal one. All texts have been redacted.
type Frame struct {
	ID           string
	XName, YName string
	From, To     float64
	Top          float64 // end of the vertical axis; 0: by the values
}

// A Band is a quantity between two bounds. X, Lo and Hi have the same length;
// NaN is unknown.
type Band struct {
	Name, Colour string
	X, Lo, Hi    []float64
}

// A Gap is a stretch of the horizontal axis in which nothing was observed.
type Gap struct {
	From, To float64
	Why      string
}

// A Line is a quantity that keeps its value until the next record.
type Line struct {
	Name, Colour string
	X, Y         []float64
}

func frame(f Frame) *charts.Line {
	c := charts.NewLine()
	y := opts.YAxis{Type: "value", Name: f.YName, NameLocation: "end"}
	if f.Top > 0 {
		y.Min, y.Max = 0, f.Top
	}
	c.SetGlobalOptions(
		charts.WithInitializationOpts(opts.Initialization{ChartID: f.ID}),
		charts.WithAnimation(false),
		charts.WithLegendOpts(opts.Legend{Show: opts.Bool(true), Top: "0", Left: "left"}),
		charts.WithTooltipOpts(opts.Tooltip{Show: opts.Bool(true), Trigger: "axis"}),
		charts.WithXAxisOpts(opts.XAxis{Type: "value", Name: f.XName, NameLocation: "center", NameGap: 26, Min: f.From, Max: f.To}),
		charts.WithYAxisOpts(y),
		charts.WithDataZoomOpts(opts.DataZoom{Type: "inside", XAxisIndex: []int{0}}, opts.DataZoom{Type: "slider", XAxisIndex: []int{0}}),
	)
	return c
}

// Bands draws quantities between bounds: an invisible line at the lower bound
// and, stacked on it, the distance to the upper one, filled.
func Bands(f Frame, bands []Band, gaps []Gap) ([]byte, error) {
	c := frame(f)
	for i, b := range bands {
		if len(b.X) != len(b.Lo) || len(b.X) != len(b.Hi) {
			return nil, fmt.Errorf("chart %s: band %d has %d positions, %d lower and %d upper bounds", f.ID, i+1, len(b.X), len(b.Lo), len(b.Hi))
		}
		stack := fmt.Sprintf("%s-%d", f.ID, i)
		lower, width := make([]opts.LineData, len(b.X)), make([]opts.LineData, len(b.X))
		for k, x := range b.X {
			lower[k] = point(x, b.Lo[k])
			width[k] = point(x, b.Hi[k]-b.Lo[k])
		}
		lineOf := charts.WithLineChartOpts(opts.LineChart{Stack: stack, ShowSymbol: opts.Bool(false), Symbol: "none"})
		extra := []charts.SeriesOpts{lineOf, charts.WithLineStyleOpts(opts.LineStyle{Width: 1.5, Color: b.Colour}),
			charts.WithItemStyleOpts(opts.ItemStyle{Color: b.Colour})}
		if i == 0 {
			extra = append(extra, unobserved(gaps)...)
		}
		c.AddSeries(b.Name, lower, extra...)
		c.AddSeries(b.Name, width, lineOf, charts.WithLineStyleOpts(opts.LineStyle{Width: 1.5, Color: b.Colour}),
			charts.WithItemStyleOpts(opts.ItemStyle{Color: b.Colour}),
			charts.WithAreaStyleOpts(opts.AreaStyle{Color: b.Colour, Opacity: opts.Float(0.35)}))
	}
	return marshal(c)
}

// Steps draws running totals.
func Steps(f Frame, lines []Line) ([]byte, error) {
	c := frame(f)
	for i, l := range lines {
		if len(l.X) != len(l.Y) {
			return nil, fmt.Errorf("chart %s: line %d has %d positions and %d values", f.ID, i+1, len(l.X), len(l.Y))
		}
		at := make([]opts.LineData, len(l.X))
		for k, x := range l.X {
			at[k] = point(x, l.Y[k])
		}
		c.AddSeries(l.Name, at, charts.WithLineChartOpts(opts.LineChart{Step: "end", ShowSymbol: opts.Bool(true), Symbol: "circle", SymbolSize: 4}),
			charts.WithLineStyleOpts(opts.LineStyle{Width: 1.5, Color: l.Colour}), charts.WithItemStyleOpts(opts.ItemStyle{Color: l.Colour}))
	}
	return marshal(c)
}

func point(x, y float64) opts.LineData {
	if math.IsNaN(y) || math.IsInf(y, 0) {
		return opts.LineData{Value: []any{x, nil}}
	}
	return opts.LineData{Value: []any{x, y}}
}

// unobserved shades the stretches in which nothing was observed.
func unobserved(gaps []Gap) []charts.SeriesOpts {
	if len(gaps) == 0 {
		return nil
	}
	out := []charts.SeriesOpts{charts.WithMarkAreaStyleOpts(opts.MarkAreaStyle{
		Label:     &opts.Label{Show: opts.Bool(false)},
		ItemStyle: &opts.ItemStyle{Color: "--shade", BorderColor: "--unknown-line", BorderWidth: 1},
	})}
	for _, g := range gaps {
		out = append(out, charts.WithMarkAreaData([]opts.MarkAreaData{{Name: g.Why, XAxis: g.From}, {XAxis: g.To}}))
	}
	return out
}

func marshal(c *charts.Line) ([]byte, error) {
	c.Validate()
	o := c.JSON()
	// The title is empty, and echarts would draw an empty box for it.
	delete(o, "title")
	j, err := json.Marshal(o)
	if err != nil {
		return nil, fmt.Errorf("writing chart options: %w", err)
	}
	return j, nil
}
