package hoststat

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"tracemerge/model"
	"tracemerge/model/frame"
)

// A reader turns the lines of one file into a capture.
type reader struct {
	src     model.SourceID
	cap     *model.Capture
	notices model.Notices
	samples frame.Samples
	metrics map[metricKey]model.MetricID
	tracks  trackTable
	clock   clock

	heading *heading
	forms   [len(formWords)]int64 // rows by tool
	values  bool                  // the next line holds the values under "avg-cpu:"
	boot    bool                  // the report at hand counts from the start of the host
	reports int64                 // reports of iostat, top and atop so far in this run
	under   int64                 // rows of vmstat under the heading in force
	places  int                   // decimal places of the last cell of the last row
	only    tool                  // run.yaml declares that the file is of this tool
}

// readAll reads a stream to its end, by its content alone.
func readAll(ctx context.Context, in io.Reader, src model.SourceID) (*model.Capture, error) {
	return readForm(ctx, in, src, "")
}

// readForm reads a stream to its end as the variant that run.yaml declares, if any.
func readForm(ctx context.Context, in io.Reader, src model.SourceID, form string) (*model.Capture, error) {
	r := &reader{src: src, cap: &model.Capture{}, metrics: map[metricKey]model.MetricID{}}
	r.cap.Source = model.Source{ID: src, Kind: model.KindHost}
	r.tracks.by = map[trackKey]*track{}
	if err := r.declare(form); err != nil {
		return r.finish(err)
	}
	buffered := newLines(in)
	if head, _ := buffered.r.Peek(512); looksJSON(head) {
		return r.finish(r.json(ctx, buffered.r))
	}
	var err error
	for n := 0; ; n++ {
		if n&0xfff == 0 {
			if err = ctx.Err(); err != nil {
				break
			}
		}
		rec, ok := buffered.next()
		if !ok {
			err = buffered.err
			break
		}
		r.take(rec)
	}
	return r.finish(err)
}

// finish completes the capture.
func (r *reader) finish(err error) (*model.Capture, error) {
	c := r.cap
	if errors.Is(err, io.ErrUnexpectedEOF) {
		c.Truncated = true
	}
	if err == nil && c.Account.Used == 0 {
		err = model.Refuse("no row of host statistics could be read; collect with {}", model.Lit("pidstat -t -u -d -h -H 1"))
	}
	c.Domains = r.clock.domains
	r.cover()
	c.Tracks = r.tracks.build()
	for _, d := range c.Domains {
		if d.Kind != model.DomainNone {
			c.Window = d.Valid
			break
		}
	}
	r.describe()
	c.Samples, c.Notices, c.Err = r.samples.Table(), r.notices.List, err
	return c, err
}

// describe names the variants by how many rows each has, and says what an average
// over all cores hides.
func (r *reader) describe() {
	s := &r.cap.Source
	var of int64
	for _, n := range r.forms {
		of += n
	}
	for t, n := range r.forms {
		if n == 0 {
			continue
		}
		g := model.Guess{Form: formWords[t].String(), Fits: n, Of: of}
		s.Guess = append(s.Guess, g)
		if n > s.Guess[0].Fits {
			k := len(s.Guess) - 1
			s.Guess[0], s.Guess[k] = s.Guess[k], s.Guess[0]
		}
	}
	if len(s.Guess) > 0 {
		s.Form = s.Guess[0].Form
	}
	if n := r.clock.either; n > 0 { // rows that either order of day and month explains
		s.Guess = append(s.Guess, model.Guess{Form: monthFirst.String(), Fits: n, Of: of}, model.Guess{Form: dayFirst.String(), Fits: n, Of: of})
	}
	if len(r.tracks.list) > 0 && !r.tracks.any(model.TrackProcess) && !r.tracks.any(model.TrackCore) {
		r.notices.Add("hoststat/average-only", model.Note, model.Pos{Source: r.src}, model.Say(
			"only averages over all cores and whole devices were collected: one saturated thread does not show in them; collect with {}", model.Lit("pidstat -t -u -d -h -H 1")))
	}
}

func (r *reader) pos(rec record) model.Pos {
	return model.Pos{Source: r.src, Line: rec.line, Offset: rec.off, Len: int32(min(len(rec.text), 1<<30))}
}

func (r *reader) aside(code string, rec record) {
	r.cap.Account.Read++
	model.Count(&r.cap.Account.SetAside, code, r.pos(rec))
}

func (r *reader) reject(code string, rec record, why model.Phrase) {
	r.cap.Account.Read++
	model.Count(&r.cap.Account.Rejected, code, r.pos(rec))
	r.notices.Add(code, model.DataLoss, r.pos(rec), why)
}

// take accounts for one line.
func (r *reader) take(rec record) {
	text := plainStamps(bytes.TrimSpace(bytes.Trim(rec.text, "\x00")))
	switch {
	case rec.long:
		r.reject("hoststat/long-line", rec, model.Say("a line is longer than {} bytes and was not read", maxLine))
		return
	case len(text) == 0:
		return
	case isBanner(text):
		r.banner(text)
		return
	case bytes.HasPrefix(text, []byte("top - ")):
		r.top(text)
		return
	case bytes.HasPrefix(text, []byte("RESET")) && len(text) == 5:
		r.reports, r.heading = 0, &heading{tool: toolAtop, when: timeCell}
		r.boot = true
		return
	case bytes.HasPrefix(text, []byte("SEP")) && len(text) == 3:
		r.boot = false
		return
	}
	if r.values {
		r.values = false
		if f := fieldsOf(text); len(f) == len(r.heading.cols) && r.heading.tool == toolIostat {
			r.measured(rec, f)
			return
		}
	}
	h := headingOf(text)
	if h == nil && r.heading != nil && r.heading.tool == toolSar {
		h = otherTable(text)
	}
	if h != nil {
		r.head(h)
		return
	}
	if st, d, ok := lineStamp(string(text)); ok {
		r.above(st, d)
		return
	}
	if bytes.HasPrefix(text, []byte("procs ")) {
		return // the line above vmstat's heading: groups of columns
	}
	if r.heading == nil {
		r.aside("hoststat/before-heading", rec)
		return
	}
	r.row(text, rec)
}

// head takes a heading. Without a line with the time above it, a report of iostat
// begins with its first table.
func (r *reader) head(h *heading) {
	if h.tool == toolIostat {
		r.values = h.about == aboutHost
		if !r.clock.above.set && (r.values || r.heading == nil || r.heading.tool != toolIostat || r.heading.cols[0] == h.cols[0]) {
			r.report()
		}
	}
	r.clock.again = h.tool == toolSadf
	if h.tool == toolVmstat && (r.heading == nil || r.heading.tool != toolVmstat || r.under < vmstatPage) {
		r.boot = true // the first row of a run, which counts from the start of the host
	}
	r.heading, r.under = h, 0
}

// vmstatPage is how many rows vmstat writes into a file between two headings, less
// one (procps takes 24 lines where there is no terminal). A heading that comes
// earlier begins another run in the same file. A run that ends with a full page
// cannot be told from one that goes on.
const vmstatPage = 20

// report begins a report of iostat or top; the first of a run counts from the start
// of the host.
func (r *reader) report() {
	r.reports++
	r.boot = r.reports == 1
}

// isBanner reports whether the line is sysstat's first one: "Linux 6.1.0 (node1)
// 12/01/26 _x86_64_ (2 CPU)".
func isBanner(text []byte) bool {
	return bytes.HasPrefix(text, []byte("Linux ")) && bytes.Contains(text, []byte(" CPU)"))
}

// banner takes the host and the date; it begins a run of the tool.
func (r *reader) banner(text []byte) {
	r.reports, r.heading, r.values, r.boot = 0, nil, false, false
	r.clock.above = above{}
	for _, w := range strings.Fields(string(text)) {
		if strings.HasPrefix(w, "(") && strings.HasSuffix(w, ")") {
			r.tracks.host = strings.Trim(w, "()")
			continue
		}
		if d, ok := dateOf(w, false); ok {
			r.clock.banner(d)
		}
	}
}

// above takes a line with the time of the report below it.
func (r *reader) above(st stamp, d date) {
	if st.kind == model.DomainDay {
		st = r.clock.dated(st.at, d)
	}
	r.clock.above = above{set: true, stamp: st}
	r.report()
}

// top takes the first line of a block of top.
func (r *reader) top(text []byte) {
	f := fieldsOf(text)
	if r.heading == nil || r.heading.tool != toolTop {
		r.reports = 0
	}
	r.heading = &heading{tool: toolTop, when: timeAbove, about: aboutHost}
	r.clock.above = above{}
	if tod, ok := clockTime(f[2], ""); ok {
		r.clock.above = above{set: true, stamp: r.clock.timeOfDay(tod)}
	}
	r.report()
}
