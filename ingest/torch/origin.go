package torch

import (
	"strconv"
	"strings"

	"tracemerge/model"
)

// origin states rank, world size and host: from the file, else from its name.
func (r *reader) origin() {
	f := r.facts
	f.Rank, f.WorldSize = orNotDeclared(r.top.rank), orNotDeclared(r.top.world)
	f.Host = model.NewText(r.top.host, model.ClassHost)
	f.WrittenAs, f.WrittenFrom = model.NewText(r.top.path, model.ClassPath), r.top.pathPos
	path := r.label.Raw.Reveal()
	start := model.Pos{Source: r.src}
	if n, ok := rankIn(path); ok && !f.Rank.Known() {
		f.Rank, f.FromName.Rank = model.Known(n), true
		r.say("torch/rank-from-name", model.Note, start, model.Say("the file states no rank: rank {} is taken from the file's name", n))
	}
	host, pid, ok := workerIn(baseName(path))
	if !ok || r.top.host != "" {
		return
	}
	// A name such as net_4.1623143089861.pt.trace.json has the same shape: the
	// process must be the one whose events are in the file.
	if own, known := f.Process.Get(); known && own == pid || !known && f.Process.Why() == model.NotDeclared {
		f.Host, f.FromName.Host = model.NewText(host, model.ClassHost), true
		f.Process = model.Known(pid)
		r.say("torch/host-from-name", model.Note, start,
			model.Say("the file states no host: host {} and process {} are taken from the file's name", f.Host, pid))
	}
}

func baseName(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

// rankIn finds the rank in a path: rank-3, rank_3, rank3, in the last part that
// has one; else worker3 at the start of the file's name, as the examples of
// tensorboard_trace_handler have it. A worker elsewhere is a loader's.
func rankIn(path string) (int64, bool) {
	path = strings.ToLower(path)
	for end := len(path); ; {
		k := strings.LastIndex(path[:end], "rank")
		if k < 0 {
			break
		}
		end = k
		if k > 0 && 'a' <= path[k-1] && path[k-1] <= 'z' {
			continue
		}
		if v, ok := leadingNumber(strings.TrimLeft(path[k+len("rank"):], "-_=.")); ok {
			return v, true
		}
	}
	if rest, ok := strings.CutPrefix(baseName(path), "worker"); ok {
		return leadingNumber(strings.TrimLeft(rest, "-_"))
	}
	return 0, false
}

// leadingNumber reads the digits at the start of the text.
func leadingNumber(s string) (int64, bool) {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	v, err := strconv.ParseInt(s[:n], 10, 32)
	return v, err == nil
}

// workerIn reads the default name of tensorboard_trace_handler, HOST_PID.STAMP
// .pt.trace.json, where STAMP counts ms (until 2023-03) or ns and HOST may hold
// dots and underscores.
func workerIn(name string) (host string, pid int64, ok bool) {
	for _, suffix := range []string{".gz", ".zst", ".tmp", ".gz"} {
		name = strings.TrimSuffix(name, suffix)
	}
	name, ok = strings.CutSuffix(name, ".pt.trace.json")
	dot := strings.LastIndexByte(name, '.')
	if !ok || dot < 0 {
		return "", 0, false
	}
	stamp := name[dot+1:]
	if n := len(stamp); n != 13 && n != 19 || strings.Trim(stamp, "0123456789") != "" {
		return "", 0, false
	}
	worker := name[:dot]
	k := strings.LastIndexByte(worker, '_')
	if k <= 0 {
		return "", 0, false
	}
	pid, err := strconv.ParseInt(worker[k+1:], 10, 64)
	return worker[:k], pid, err == nil && pid > 0
}
