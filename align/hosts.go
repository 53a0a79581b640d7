package align

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"tracemerge/model"
)

// DefaultHostSkew is how far the clocks of two hosts are taken to lie apart at most,
// where nothing is declared: hosts that keep their clocks by NTP over a network are
// milliseconds apart. It is an assumption, and printed as one.
const DefaultHostSkew = 50 * time.Millisecond

// hosts takes back the places of traces of other hosts than that of most traces: their
// stamps count Unix time by another clock, which is not the same to the nanosecond.
// What was recorded at hosts that no file names is taken for that host's.
//
// They are placed again by evidence: how far clocks of hosts lie apart, collectives,
// markers; or by what is declared.
func (a *aligner) hosts() {
	if !a.tl.UTC {
		return
	}
	count := map[string]int{}
	for i := range a.tl.Captures {
		count[a.hostOf(i)]++
	}
	most := "" // of equals the first by name, so that the order of files changes nothing
	for _, host := range slices.Sorted(maps.Keys(count)) {
		if host != "" && (most == "" || count[host] > count[most]) {
			most = host
		}
	}
	for i := range a.tl.Captures {
		host := a.hostOf(i)
		if host == "" || host == most {
			continue
		}
		p := &a.tl.Captures[i]
		for j := range p.Mappings {
			m := &p.Mappings[j]
			if m.Method != model.MethodAbsolute {
				continue
			}
			m.Placed, m.Method, m.Why, m.Segments, m.Evidence = false, model.MethodNone, model.ClockUnplaced, nil, nil
			if why := p.Domains[j].Why; !why.Empty() {
				m.Evidence = append(m.Evidence, why)
			}
			if a.others == nil {
				a.others = map[node]string{}
			}
			a.others[node{i, model.DomainID(j)}] = host
		}
	}
	if len(a.others) == 0 {
		return
	}
	a.note("align/several-hosts", model.Note, model.Pos{Source: a.tl.Captures[0].Source.ID}, model.Say(
		"traces of {} hosts: the clock of the host with most traces is the reference (files that name no host are taken to be its own), and the clocks of the others are taken to be within {} of it (an assumption; --host-skew states another bound)", len(count)-min(1, count[""]), a.skew()))
}

// skew is how far the clocks of two hosts lie apart at most.
func (a *aligner) skew() time.Duration {
	if a.opt.HasHostSkew {
		return a.opt.HostSkew
	}
	return DefaultHostSkew
}

// hostOf is the host whose clock a trace counts by: the first part of its name, in
// small letters, as some files state it with its domain and some without. Empty where
// the file states none, or its clock is no Unix time or declared.
func (a *aligner) hostOf(i int) string {
	p := &a.tl.Captures[i]
	if p.Trace == nil || len(p.Mappings) != 1 || p.Mappings[0].Method != model.MethodAbsolute {
		return ""
	}
	host := strings.ToLower(p.Trace.Host.Raw.Reveal())
	if strings.Trim(host, "0123456789.") == "" {
		return host // an IPv4 address has no domain
	}
	host, _, _ = strings.Cut(host, ".")
	return host
}

// hostClocks bounds the clocks of other hosts against the reference, and ties the
// files of one host.
func (e *evidence) hostClocks(context.Context) error {
	first := map[string]model.ClockRef{}
	for i := range e.a.tl.Captures {
		p := &e.a.tl.Captures[i]
		for j := range p.Domains {
			host, other := e.a.others[node{i, model.DomainID(j)}]
			if !other {
				continue
			}
			r := e.a.ref(i, j)
			from := []model.Pos{p.Domains[j].From}
			if tied, has := first[host]; has {
				e.add(model.Constraint{Rule: "same_host", Strength: model.StrengthFormat, A: r, B: tied, Allowed: between(0, 0), From: from,
					What: model.Say("{} and another trace state one host: they count by one clock", p.Source.File)})
				continue
			}
			first[host] = r
			e.add(model.Constraint{Rule: "host_skew", Strength: model.StrengthStatistical, A: r, Allowed: between(-e.a.skew(), e.a.skew()), Assumed: true, From: from,
				What: model.Say("{} states another host than most traces: its clock is taken to be within {} of theirs", p.Source.File, e.a.skew())})
		}
	}
	return nil
}
