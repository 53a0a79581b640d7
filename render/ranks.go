package render

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// ranks sets the traces of several ranks side by side: the same steps, and the
// same collectives.
func (v *view) ranks() {
	rs := &v.run.Ranks
	if len(rs.Ranks) == 0 && !rs.Alone && len(rs.Repeated) == 0 {
		return
	}
	v.start("div", "id", "ranks-"+strconv.Itoa(v.n+1))
	v.heading("Ranks side by side")
	v.ranksLeftOut()
	if len(rs.Ranks) > 0 {
		v.rankTable()
		v.rankSteps()
		v.collectives()
	}
	v.end("div")
	v.line()
}

// ranksLeftOut says what could not be compared.
func (v *view) ranksLeftOut() {
	rs := &v.run.Ranks
	if rs.Alone {
		v.elem("p", "Communication was recorded of one rank alone: how long it waited for others and how long the transfer took cannot be told apart.", "class", "note")
	}
	if len(rs.Repeated) == 0 {
		return
	}
	v.start("p", "class", "warn")
	v.text("Left out, for several traces state the same rank: ")
	for i, r := range rs.Repeated {
		if i > 0 {
			v.text(", ")
		}
		v.name(v.source(r.Source))
		v.text(" (rank " + strconv.FormatInt(r.Rank, 10) + ")")
	}
	v.text(".")
	v.end("p")
}

// rankName is a rank by its number, as the trace states it.
func (v *view) rankName(i int) string {
	return "rank " + strconv.FormatInt(v.run.Ranks.Ranks[i].Rank, 10)
}

// rankTable is one line for each rank: what it waited at least in the collectives
// that could be matched.
func (v *view) rankTable() {
	rs := &v.run.Ranks
	w := &rs.Together
	t := table{caption: "Ranks", headed: true, cols: []column{words("rank"), words("trace")}}
	if w.Calls > 0 {
		held, waited := ScaleFor(w.Held...), ScaleFor(w.Waited...)
		t.cols = append(t.cols, figure("in matched collectives, "+held.Unit()), figure("of it waiting, at least, "+waited.Unit()), figure("shortest kernel, of "+plural(int(w.Calls), "call")))
		most := highest(w.Waited)
		v.elem("p", capital(v.rankName(most))+" waited longest, at least "+v.plain.Duration(w.Waited[most])+" in "+plural(int(w.Calls), "matched call")+
			". The shortest kernel of a call was most often that of "+v.shortestOf(w.Last)+".")
		v.elem("p", "A communication kernel runs from the arrival of its rank until the last rank has come and the transfer is over. What a kernel took beyond the shortest of the same call on any rank, "+
			"its rank waited at least, if no rank's own transfer took longer than that shortest kernel. If the kernels of a call end together, the shortest is that of the rank that came last. It does not say what made it late.", "class", "note")
		for i, r := range rs.Ranks {
			t.rows = append(t.rows, []cell{txt(strconv.FormatInt(r.Rank, 10)), file(v.source(r.Source)), held.in(w.Held[i]), waited.in(w.Waited[i]), v.plain.countCell(w.Last[i])})
		}
	} else {
		v.elem("p", "No communication kernel could be matched over these ranks: what one waited for another is not known.", "class", "note")
		for _, r := range rs.Ranks {
			t.rows = append(t.rows, []cell{txt(strconv.FormatInt(r.Rank, 10)), file(v.source(r.Source))})
		}
	}
	if len(rs.Ranks) <= ranksAcross {
		v.table(t)
		return
	}
	v.fold("Table: " + plural(len(rs.Ranks), "rank"))
	v.table(t)
	v.foldEnd()
}

// capital writes the first letter of a text of ours large.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// ranksAcross is how many ranks a table of steps has as columns; with more, they
// stand in one, and the table of ranks is folded.
const ranksAcross = 12

// rankSteps are the steps that several ranks recorded.
func (v *view) rankSteps() {
	rs := &v.run.Ranks
	if len(rs.Steps) == 0 {
		v.elem("p", "No step was recorded on two ranks.", "class", "none")
		return
	}
	var ds []time.Duration
	for _, s := range rs.Steps {
		for _, l := range s.Length {
			if d, ok := l.Get(); ok {
				ds = append(ds, d)
			}
		}
	}
	scale := ScaleFor(ds...)
	v.stepPicture(scale, slices.Max(ds))
	v.fold("Table: " + plural(len(rs.Steps), "step") + " on " + plural(len(rs.Ranks), "rank"))
	if len(rs.Ranks) <= ranksAcross {
		v.stepsByRank(scale)
	} else {
		v.stepsAndRanks(scale)
	}
	v.foldEnd()
}

// stepPicture draws one lane for each rank and in it one column for each step, of
// a height by its length; of a single step, bars.
func (v *view) stepPicture(scale Scale, most time.Duration) {
	rs := &v.run.Ranks
	if len(rs.Steps) == 1 {
		v.oneStep(scale, most)
		return
	}
	steps := longest(rs.Steps, func(s report.RankStep) time.Duration { return s.Spread })
	if n := max(shapesInPicture/len(rs.Ranks), 20); len(steps) > n {
		steps = steps[:n]
	}
	v.picture("Steps by rank.", "Each lane is a rank, each column a step, the same step below one another; its height is the length of the step on the host, up to "+scale.Text(most)+". The slowest rank of a step is drawn strong.",
		"It does not show when a step ran: ranks need no common clock for it.")
	for i := range rs.Ranks {
		v.rankLane(i, steps, scale, most)
	}
	v.start("div", "class", "lane axis")
	v.elem("div", "step", "class", "lane-name")
	v.elem("div", strconv.FormatInt(steps[0].N, 10)+" to "+strconv.FormatInt(steps[len(steps)-1].N, 10), "class", "label")
	v.elem("div", "", "class", "lane-value")
	v.end("div")
	v.pictureEnd()
	if len(steps) < len(rs.Steps) {
		v.elem("p", v.plain.Count(int64(len(steps)))+" of "+v.plain.Count(int64(len(rs.Steps)))+" steps are drawn.", "class", "note")
	}
}

func (v *view) rankLane(i int, steps []report.RankStep, scale Scale, most time.Duration) {
	slowest, seen := 0, 0
	for _, s := range steps {
		if s.Slowest == i {
			slowest++
		}
		if s.Length[i].Known() {
			seen++
		}
	}
	name := v.rankName(i)
	v.start("div", "class", "lane")
	v.elem("div", name, "class", "lane-name")
	v.start("svg", "class", "barpic", "width", "100%", "height", px(v.rankHeight()), "role", "img",
		"aria-label", name+": "+plural(seen, "step")+" recorded, the slowest in "+strconv.Itoa(slowest))
	for k, s := range steps {
		v.stepColumn(k, len(steps), i, s, scale, most)
	}
	v.end("svg")
	v.elem("div", "slowest in "+strconv.Itoa(slowest), "class", "lane-value")
	v.end("div")
	v.line()
}

func (v *view) oneStep(scale Scale, most time.Duration) {
	rs := &v.run.Ranks
	s := rs.Steps[0]
	v.start("figure", "class", "pic")
	v.start("figcaption")
	v.elem("strong", "Step "+strconv.FormatInt(s.N, 10)+" by rank.")
	v.text(" ")
	v.elem("span", "Each bar is the length of the step on the host. The slowest rank is drawn strong.", "class", "shows")
	v.text(" ")
	v.elem("span", "It does not show when the step ran: ranks need no common clock for it.", "class", "shows-not")
	v.end("figcaption")
	var rows []bar
	for i, l := range s.Length {
		d, ok := l.Get()
		value := scale.Text(d)
		if !ok {
			value = unknown(l)
		}
		rows = append(rows, bar{name: v.rankName(i), label: v.rankName(i) + ": " + value, values: []string{value}, draw: func(h float64) {
			if !ok {
				v.shape("rect", "class", "unknown", "fill", "url(#hatch)", "x", "0", "y", "1", "width", "100%", "height", px(h-2))
				return
			}
			class := "rank-step"
			if i == s.Slowest {
				class = "rank-step slowest"
			}
			v.shape("rect", "class", class, "x", "0", "y", "1", "width", per(share(d, most)*100), "height", px(h-2))
		}})
	}
	v.bars(rows, []string{"length"})
	v.end("figure")
	v.line()
}

// rankHeight is the height of a rank's lane, lower where there are many.
func (v *view) rankHeight() float64 {
	if len(v.run.Ranks.Ranks) > ranksAcross {
		return 14
	}
	return 30
}

func (v *view) stepColumn(k, of, rank int, s report.RankStep, scale Scale, most time.Duration) {
	left, width := 100*float64(k)/float64(of), 100/float64(of)
	gap := min(width*0.12, 0.4)
	title := v.rankName(rank) + ", step " + strconv.FormatInt(s.N, 10) + ": "
	d, ok := s.Length[rank].Get()
	if !ok {
		v.titled("rect", title+unknown(s.Length[rank]), "class", "unknown", "fill", "url(#hatch)", "x", per(left), "y", "1", "width", per(width-gap), "height", px(v.rankHeight()-2))
		return
	}
	h := max(share(d, most)*(v.rankHeight()-2), leastHeight)
	class := "rank-step"
	if s.Slowest == rank {
		class, title = "rank-step slowest", title+"the slowest, "
	}
	v.titled("rect", title+scale.Text(d), "class", class, "x", per(left), "y", px(v.rankHeight()-1-h), "width", per(width-gap), "height", px(h))
}

func (v *view) stepsByRank(scale Scale) {
	rs := &v.run.Ranks
	t := table{caption: "Length of each step on each rank, " + scale.Unit(), headed: true, cols: []column{words("step"), words("slowest"), figure("slowest less fastest")}}
	for i := range rs.Ranks {
		t.cols = append(t.cols, figure(v.rankName(i)))
	}
	steps := longest(rs.Steps, func(s report.RankStep) time.Duration { return s.Spread })
	for _, s := range steps {
		row := []cell{txt(strconv.FormatInt(s.N, 10)), txt(v.rankName(s.Slowest)), scale.in(s.Spread)}
		for _, l := range s.Length {
			row = append(row, scale.maybe(l))
		}
		t.rows = append(t.rows, row)
	}
	v.widestOnly(len(steps))
	v.table(t)
}

// maybe writes a duration that may be unknown on the column's scale.
func (s Scale) maybe(m model.Maybe[time.Duration]) cell {
	d, ok := m.Get()
	if !ok {
		return none(unknown(m))
	}
	return s.in(d)
}

func (v *view) stepsAndRanks(scale Scale) {
	rs := &v.run.Ranks
	t := table{caption: "Length of each step, slowest and all ranks, " + scale.Unit(), headed: true,
		cols: []column{words("step"), words("slowest"), figure("slowest less fastest"), words("by rank")}}
	steps := longest(rs.Steps, func(s report.RankStep) time.Duration { return s.Spread })
	for _, s := range steps {
		all := ""
		for i, l := range s.Length {
			if d, ok := l.Get(); ok {
				all = joinWith(", ", all, strconv.FormatInt(rs.Ranks[i].Rank, 10)+": "+scale.Bare(d))
			}
		}
		t.rows = append(t.rows, []cell{txt(strconv.FormatInt(s.N, 10)), txt(v.rankName(s.Slowest)), scale.in(s.Spread), {text: all, class: "wide"}})
	}
	v.widestOnly(len(steps))
	v.table(t)
}

func (v *view) widestOnly(shown int) {
	if of := len(v.run.Ranks.Steps); shown < of {
		v.elem("p", "The "+v.plain.Count(int64(shown))+" of "+plural(of, "step")+" with the largest difference between ranks, in their order.", "class", "note")
	}
}

// collectives are the communication kernels by name, and folded what each rank's
// took.
func (v *view) collectives() {
	rs := &v.run.Ranks
	if len(rs.Collectives) == 0 {
		return
	}
	var held, shortest, waited []time.Duration
	for _, c := range rs.Collectives {
		held, shortest, waited = append(held, c.Held...), append(shortest, c.Shortest), append(waited, c.Waited...)
	}
	hs, ss, ws := ScaleFor(held...), ScaleFor(shortest...), ScaleFor(waited...)
	t := table{caption: "Communication kernels over the ranks", headed: true, cols: []column{words("kernel"), figure("calls on each rank"),
		figure("shortest on any rank, sum, " + ss.Unit()), words("waited longest"), figure("at least, " + ws.Unit()), words("shortest most often (calls)"), words("what the match rests on")}}
	all := table{caption: "Each collective on each rank", headed: true, cols: []column{words("kernel"), words("rank"), figure("calls"),
		figure("ran, " + hs.Unit()), figure("waited at least, " + ws.Unit()), figure("shortest, calls")}}
	for i := range rs.Collectives {
		c := &rs.Collectives[i]
		t.rows = append(t.rows, v.collectiveRow(c, ss, ws))
		for k := range rs.Ranks {
			row := []cell{file(v.shown(c.Name)), txt(v.rankName(k)), v.plain.countCell(c.Calls[k]), hs.in(c.Held[k])}
			if c.Matched {
				row = append(row, ws.in(c.Waited[k]), v.plain.countCell(c.Last[k]))
			} else {
				row = append(row, none("not matched"), none("not matched"))
			}
			all.rows = append(all.rows, row)
		}
	}
	v.table(t)
	v.fold("Table: each collective on each rank")
	if n := len(all.rows); n > rowsInTable {
		all.rows = all.rows[:rowsInTable]
		v.elem("p", "The first "+strconv.Itoa(rowsInTable)+" of "+plural(n, "line")+", the kernels with most time first; the summary JSON has all of them.", "class", "note")
	}
	v.table(all)
	v.foldEnd()
}

func (v *view) collectiveRow(c *report.Collective, shortest, waited Scale) []cell {
	least, most := slices.Min(c.Calls), slices.Max(c.Calls)
	calls := v.plain.countCell(least)
	if least != most {
		calls = cell{text: joinRange(v.plain.Count(least), v.plain.Count(most)), exact: strconv.FormatInt(least, 10), exactTo: strconv.FormatInt(most, 10)}
	}
	row := []cell{file(v.shown(c.Name)), calls}
	if !c.Matched {
		not := none("not matched")
		return append(row, not, not, not, not, cell{text: v.phrase(c.Why), class: "wide"})
	}
	w := highest(c.Waited)
	return append(row, shortest.in(c.Shortest), txt(v.rankName(w)), waited.in(c.Waited[w]), txt(v.shortestOf(c.Last)), cell{text: v.phrase(c.Why), class: "wide"})
}

// shortestOf names the ranks whose kernel was the shortest most often.
func (v *view) shortestOf(calls []int64) string {
	most, names, n := slices.Max(calls), "", 0
	for i := range calls {
		if calls[i] == most {
			names, n = joinWith(", ", names, v.rankName(i)), n+1
		}
	}
	switch {
	case n == 1:
		return names + " (" + v.plain.Count(most) + ")"
	case n > 4:
		names = plural(n, "rank")
	}
	return names + " (" + v.plain.Count(most) + " each)"
}

// highest is the index of the first of the highest values.
func highest(vs []time.Duration) int { return slices.Index(vs, slices.Max(vs)) }
