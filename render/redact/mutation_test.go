package redact

import (
	"strings"
	"testing"

	"tracemerge/model"
)

// without makes a redactor that lacks one protection.
func without(name string, class model.Class) *Redactor {
	r := newTestRedactor("hbxqz")
	r.off = protection{name, class}
	return r
}

// everything writes all canaries, a word of the policy, and random lines.
func everything(r *Redactor, seed uint64) (string, *minter) {
	m := newMinter(seed)
	var b strings.Builder
	b.WriteString(records(r, m))
	for _, l := range randomLines(9, m, 150) {
		b.WriteString(r.Text(model.NewText(l, model.ClassLogLine)).String() + "\n")
	}
	for _, forged := range []string{"⟨time⟩ step", "key:\n-----BEGIN RSA PRIVATE KEY-----\n" + m.mint("AaA0AaA0aaaa") + "\n-----END RSA PRIVATE KEY-----"} {
		b.WriteString(r.Text(model.NewText(forged, model.ClassLogLine)).String() + "\n")
	}
	b.WriteString(r.Text(model.NewText("aten::hbxqz", model.ClassOperation)).String())
	m.made = append(m.made, "hbxqz")
	return b.String(), m
}

// unsafe reports whether the canary test or the twin test would fail.
func unsafe(name string, class model.Class) bool {
	a, m := everything(without(name, class), 1)
	if len(leaked(a, m.made)) > 0 {
		return true
	}
	b, _ := everything(without(name, class), 2)
	return a != b
}

// Each protection is needed: without it the canary test or the twin test fails.
func TestEachProtectionIsNeeded(t *testing.T) {
	if unsafe("none of them", 0) {
		t.Fatal("with all protections the tests fail already")
	}
	for _, c := range allClasses {
		if !unsafe("class", c) {
			t.Errorf("class %d: nobody notices that its rule is off", c)
		}
	}
	for _, name := range []string{"vocabulary", "numbers", "joined words", "words", "detectors"} {
		if !unsafe(name, 0) {
			t.Errorf("%s: nobody notices that they are off", name)
		}
	}
}

// Detectors choose labels: without one of those that only do, what it finds is
// still hidden, as something else. The others protect by themselves. Brackets of a
// file's own are taken out so that it cannot forge a placeholder.
func TestEachDetectorIsNeeded(t *testing.T) {
	all, _ := everything(without("none of them", 0), 1)
	alone := map[string]bool{"secret": true, "id": true, "ip": true}
	for _, name := range []string{"key", "secret", "bucket", "url", "gpu", "id", "env", "email", "ip", "path", "host", "brackets"} {
		if got, _ := everything(without(name, 0), 1); got == all {
			t.Errorf("%s: nobody notices that it is off", name)
		}
		if got := unsafe(name, 0); got != alone[name] {
			t.Errorf("%s: the canary or twin test fails without it: %v, want %v", name, got, alone[name])
		}
	}
	for _, d := range append(append([]detector{}, secretDetectors...), lateDetectors...) {
		if !strings.Contains("key secret bucket url gpu id env email ip path host", d.kind) {
			t.Errorf("%s: a detector that this test does not know", d.kind)
		}
	}
}

func TestTheGateIsNeeded(t *testing.T) {
	for _, off := range []string{"none of them", "gate"} {
		r := without(off, 0)
		r.Text(model.NewText("qzxhbvwk", model.ClassUser))
		if found := r.Check([]byte("<p>qzxhbvwk</p>")) != nil; found != (off != "gate") {
			t.Errorf("%s off: the leak was found: %v", off, found)
		}
	}
}
