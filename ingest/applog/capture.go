package applog

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tracemerge/model"
)

// capture puts together what was read.
func (r *reader) capture(label model.Text) *model.Capture {
	c := &model.Capture{Account: r.account, Truncated: r.cut}
	domains, final := r.clocks.domains()
	c.Domains = domains
	r.marks.Renumber(func(d model.DomainID) model.DomainID { return final[d] })
	c.Marks = r.marks.Table()
	if domains[0].Kind != model.DomainNone {
		c.Window = domains[0].Valid
	}
	c.Tracks = r.tracks(label, domains, final)
	c.Source.Form, c.Source.Guess = r.form(), r.guess()
	c.Notices = r.notices.List
	for _, m := range r.markers {
		m.Domain = final[m.Domain]
		m.At.End = max(m.At.End, m.At.Start+model.ClockTime(domains[m.Domain].Step)) // cut off to the resolution
		c.Markers = append(c.Markers, m)
	}
	if len(r.losses) > 0 {
		for i := range r.losses {
			if l := &r.losses[i]; l.At.Known() {
				l.Domain = final[l.Domain]
			}
		}
		c.Log = &model.LogFacts{Lost: r.losses}
	}
	return c
}

// tracks returns one track for each clock of the file, and one for each rank on
// each of them.
func (r *reader) tracks(label model.Text, domains []model.Domain, final []model.DomainID) []model.Track {
	var out []model.Track
	add := func(d model.DomainID, name model.Text) *model.Track {
		out = append(out, model.Track{ID: model.TrackID(len(out)), Kind: model.TrackLog, Domain: d,
			Parent: model.NoTrack, Name: name})
		return &out[len(out)-1]
	}
	for _, d := range domains {
		add(d.ID, label)
	}
	keys := slices.SortedFunc(maps.Keys(r.ranks), func(a, b rankKey) int {
		return cmp.Or(cmp.Compare(final[a.piece], final[b.piece]), cmp.Compare(a.rank, b.rank))
	})
	for _, k := range keys {
		rank := fmt.Sprint(k.rank)
		t := add(final[k.piece], model.NewText("rank "+rank, model.ClassProcess))
		t.Facts = []model.Fact{{Name: model.NewText("rank", model.ClassCell), Value: model.NewText(rank, model.ClassCell)}}
	}
	return out
}

// formNames names the forms that a record with fields or a stamp can have.
var formNames = [forms]string{formPattern: "declared pattern", formMLPerf: "MLPerf log", formJSON: "json lines",
	formCSV: "csv", formLogfmt: "logfmt", formText: "text with a stamp"}

// form words how the records are written: the commonest form of a record first,
// then the runner-up.
func (r *reader) form() string {
	total := r.records()
	order := []form{formPattern, formMLPerf, formJSON, formCSV, formLogfmt, formText}
	if total == 0 {
		if r.byForm[formBar] > 0 {
			return "text without a stamp, progress bars"
		}
		return "text without a stamp"
	}
	slices.SortStableFunc(order, func(a, b form) int { return cmp.Compare(r.byForm[b], r.byForm[a]) })
	var parts []string
	for _, f := range order[:2] {
		if n := r.byForm[f]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s (%d of %d records)", formNames[f], n, total))
		}
	}
	return strings.Join(parts, ", ")
}
