package smi

import (
	"bytes"
	"strings"

	"tracemerge/model"
)

// unescape writes the characters that XML has names for.
var unescape = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&amp;", "&")

// element takes a line of a report in XML: the beginning or the end of an element, or a
// whole one with its value.
func (r *reader) element(rec record, text []byte) bool {
	p := &r.report
	inner, ok := bytes.CutPrefix(text, []byte("<"))
	if !ok {
		return false
	}
	if p.lost && string(text) != "<nvidia_smi_log>" {
		if bytes.HasPrefix(inner, []byte("gpu ")) {
			r.cap.Account.Read++
			r.reject("smi/xml", rec)
		}
		return true
	}
	if inner, ok = bytes.CutSuffix(inner, []byte(">")); !ok || len(inner) == 0 {
		return r.brokenElement(rec)
	}
	switch first := inner[0]; {
	case first == '?' || first == '!':
		return true
	case first == '/':
		return r.endElement(rec, string(inner[1:]))
	case inner[len(inner)-1] == '/':
		return true // an empty element
	}
	name, value, whole := bytes.Cut(inner, []byte(">"))
	tag, attributes, _ := strings.Cut(string(name), " ")
	if !nameShaped([]byte(tag)) || strings.ContainsAny(tag, ",.<>") {
		return r.brokenElement(rec)
	}
	if whole {
		value, ok = bytes.CutSuffix(value, []byte("</"+tag))
		if !ok || bytes.IndexByte(value, '<') >= 0 {
			return r.brokenElement(rec)
		}
		r.leaf(rec, tag, unescape.Replace(string(trim(value))))
		return true
	}
	if tag == "nvidia_smi_log" {
		r.newTurn()
	}
	if len(p.path) >= maxReportDepth {
		return r.brokenElement(rec)
	}
	if tag == "gpu" && len(p.path) == 1 {
		_, id, _ := strings.Cut(attributes, `id="`)
		id, _, _ = strings.Cut(id, `"`)
		r.openGPU(rec, id)
		p.path = append(p.path, "nvidia_smi_log")
	}
	p.path = append(p.path, tag)
	return true
}

// endElement closes an element. An end without its beginning is a line that was lost.
func (r *reader) endElement(rec record, tag string) bool {
	p := &r.report
	last := len(p.path) - 1
	if last < 0 || p.path[last] != tag {
		return r.brokenElement(rec)
	}
	if p.path = p.path[:last]; last == 1 {
		r.closeGPU()
	}
	return true
}

// leaf takes an element with a value: of the host, or of the GPU that is open.
func (r *reader) leaf(rec record, tag, value string) {
	p := &r.report
	switch {
	case len(p.path) == 1 && tag == "timestamp":
		p.at = reportTime(value)
	case len(p.path) == 1 && tag == "driver_version":
		p.driver = value
	case len(p.path) > 1 && p.gpu != nil:
		r.reportValue(rec, append(p.path[2:len(p.path):len(p.path)], tag), value)
	}
}

// brokenElement rejects a line; what follows is read from the next turn on, since
// what it belongs to is not known.
func (r *reader) brokenElement(rec record) bool {
	r.cap.Account.Read++
	r.reject("smi/xml", rec)
	r.notices.Add("smi/xml", model.DataLoss, r.pos(rec), model.Say(
		"a line of nvidia-smi -q -x is no whole element: it was not read, nor what follows of the same report"))
	r.closeGPU()
	r.report.path, r.report.lost = nil, true
	return true
}
