package render

import "tracemerge/model/report"

// verdicts of cross-checks in words.
var verdicts = map[string]string{
	report.CheckAgrees:      "can be the same work",
	report.CheckContradicts: "cannot be the same work",
	report.CheckUntestable:  "too few readings to say",
}

// crossChecks shows which sampled device can be which traced one.
func (v *view) crossChecks() {
	if len(v.run.CrossChecks) == 0 {
		return
	}
	v.heading("Samples against the trace")
	t := table{caption: "Can the sampled utilization be what the trace recorded?", headed: true, cols: []column{words("sampled device"), words("in"),
		words("traced device"), words("in"), figure("readings tested"), figure("above the trace"), figure("below the trace"), words("verdict"), words("first")}}
	for _, c := range v.run.CrossChecks {
		t.rows = append(t.rows, []cell{file(v.doc.Text(c.Device).String()), file(v.source(c.Sampler)), file(v.doc.Text(c.TraceDevice).String()), file(v.source(c.Trace)),
			v.plain.countCell(c.Tested), v.plain.countCell(c.Above), v.plain.countCell(c.Below), txt(verdicts[c.Verdict]), {places: places(c.First)}})
	}
	v.table(t)
	v.elem("p", "A reading counts as above or below only if no window of 1/6 s to 1 s that ended within the second before its stamp could show it, whatever ran where the trace recorded nothing. Above is consistent with another process on the device; below is not. That all readings fit does not show that the two are the same device.", "class", "note")
}
