package redact

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"time"

	"tracemerge/model"
)

// plainValues writes measurements as Go does.
type plainValues struct{}

func (plainValues) Duration(d time.Duration) string { return d.String() }
func (plainValues) Instant(t model.Time) string     { return t.UTC().Format(time.RFC3339Nano) }
func (plainValues) Number(v float64) string         { return fmt.Sprint(v) }
func (plainValues) Percent(v float64) string        { return fmt.Sprint(v*100, " %") }

func newTestRedactor(words ...string) *Redactor {
	p := Policy{}
	for _, w := range words {
		p.Words = append(p.Words, model.NewRaw(w))
	}
	return New(p, plainValues{})
}

// A minter makes private values. Two minters with different seeds make values of
// the same class and shape: the same length and the same kinds of characters in
// the same places.
type minter struct {
	value *rand.Rand    // what differs between twins
	made  []string      // every canary
	draw  func() string // if set, makes the words instead
}

func newMinter(seed uint64) *minter { return &minter{value: rand.New(rand.NewPCG(seed, 7))} }

// mint fills a pattern: a letter a is a small consonant, A a capital one, 0 a
// digit other than 0 and 1, f a hexadecimal digit; what stands between is kept.
// Consonants only, so that no word of a list can arise.
func (m *minter) mint(pattern string) string {
	const small, digits, hex = "bcdfghjklmnpqrstvwxz", "23456789", "abcdef23456789"
	var b strings.Builder
	for _, c := range pattern {
		switch c {
		case 'a':
			b.WriteByte(small[m.value.IntN(len(small))])
		case 'A':
			b.WriteByte(small[m.value.IntN(len(small))] - 32)
		case '0':
			b.WriteByte(digits[m.value.IntN(len(digits))])
		case 'f':
			b.WriteByte(hex[m.value.IntN(6)])
		default:
			b.WriteRune(c)
		}
	}
	s := b.String()
	m.made = append(m.made, s)
	return s
}

func (m *minter) word() string {
	if m.draw != nil {
		return m.draw()
	}
	return m.mint("aaaaaaaa")
}

// a private value inside a record, by what it is. {} is the value.
var canaryLines = []struct{ pattern, line string }{
	{"aaaaaaaa", "2026-03-04 12:00:01,234 INFO saving checkpoint to /home/{}/runs/step_3.pt"},
	{"aaaaaaaa", "[rank3] rank 3 on {}-gpu-003.corp.example started"},
	{"aaaaaaax", "node {}x joined, world size 8"},
	{"aaaaaaaa", "loading shard s3://{}/train/00012.tar"},
	{"aaaaaaaa", "load_dataset('acme/{}-claims') loaded 1000 samples"},
	{"aaaaaaaa", `C:\Users\{}\data\x.bin loaded`},
	{"aaaaaaaa", `\\{}\share\x.bin loaded`},
	{"aaaaaaaa", "~{}/x loaded"},
	{"10.000.00.000", "MASTER_ADDR={} MASTER_PORT=29500"},
	{"10.000.00.000", "connect to {}:29500 failed"},
	{"fd12:f0ff:9abc:0fff::f0", "NCCL INFO NET/Socket : Using [0]eth0:{}<0>"},
	{"hf_aAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaA", "HF_TOKEN={}"},
	{"hf_aAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaA", "cloning https://user:{}@huggingface.co/acme/m"},
	{"f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0", "wandb login {}"},
	{"f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0", "WANDB_API_KEY={}"},
	{"sk-aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0", "Authorization: Bearer {}"},
	{"sk-proj-aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0", "OPENAI_API_KEY={}"},
	{"AKIAAAAAAAAA0AAAAAAA", "using {}"},
	{"AIzaaA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA", "key {} in use"},
	{"aA0aA0aA0aA0aA/A0aA0aA0aA0aA0aA0aA0aA+0a", "argv: ['train.py', '{}']"},
	{"aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0a%3D", "GET https://acct.blob.core.windows.net/d/x?sv=2022&sig={}"},
	{"f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0", "GET /x?X-Amz-Signature={} done"},
	{"ghp_aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0", "git clone https://{}@github.com/acme/r"},
	{"glpat-aA0aA0aA0aA0aA0aA0", "push with {}"},
	{"eyJaA0aA0aA0aA0.eyJaA0aA0aA0aA0aA0aA0.aA0aA0aA0aA0aA0aA0", "token: {}"},
	{"aA0aA0aA0aA0!0", "python serve.py --password {}"},
	{"aA0aA0aA0aA0", "--db-password={}"},
	{"aA0aA0aA0aA0aa", "DSN postgres://svc:{}@db7.corp.example:5432/x"},
	{"aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0a", "AWS_SECRET_ACCESS_KEY={}"},
	{"nvapi-aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0aA0a", "NGC_API_KEY={}"},
	{"aA0aA0aA0aA0aA0aA0aA0aA0==", "headers {'Authorization': 'Basic {}'}"},
	{"aaaa0000aaaa0000", "password is {} ok"},
	{"aA0aA0aA0aA0aA0aA0aA", "SLACK=https://hooks.slack.com/services/T00/B00/{}"},
	{"aA0aA0aA0aA0aA0aA0aA", `{"db_password": "{}", "step": 3}`},
	{"0000000000000", "serial, {}"},
	{"GPU-0f0f0f0f-0f0f-0f0f-0f0f-0f0f0f0f0f0f", "{}, 97 %"},
	{"0000000000", "patient id {} loaded"},
	{"00000000", "contact +49 151 {}"},
	{"aaaaaaaa@aaaaaaa.example", "submitted by {}"},
	{"aaaaaaaa", "prompt='{} and more' generated 12 tokens"},
	{"aaaaaaaa", `{"time":"2026-05-04T09:00:00.000+09:00","task":"{}","stage":"write","edge":"start"}`},
	{"aaaaaaaa", `{"time":"2026-05-04T09:00:00.000+09:00","stage":"{}","edge":"start"}`},
	{"aaaaaaaa", `time=2026-05-04T09:00:00Z input={} stage=write`},
	{"aaaaaaaa", `host={} user=x`},
	{"aaaaaaaa", `{"{}": 3}`},
	{"0f0f0f0f-0f0f-0f0f-0f0f-0f0f0f0f0f0f", "run {} started"},
	{"aaaaaaaa", "Class{}Trainer epoch 3"},
	{"aaaaaaaa", "rank_{}_0 ready"},
	{"aaaaaaaa", "aten::{} slow"},
	{"aaaaaaaa", "⟨{}:1⟩ ⟨host:{}⟩"},
}

// fragments are the parts of a private value that must not be seen either.
func fragments(canary string) []string {
	out := []string{canary}
	for _, f := range strings.FieldsFunc(canary, func(c rune) bool { return strings.ContainsRune("-.:@/+=!% ", c) }) {
		if len(f) >= 5 && f != "example" {
			out = append(out, f)
		}
	}
	return out
}

// hiddenIn returns the canaries that stand in the text in any encoding.
func leaked(text string, canaries []string) []string {
	folded := strings.ToLower(text)
	var out []string
	for _, c := range canaries {
		for _, f := range fragments(c) {
			forms := append([]string{f, reversed(f), url.QueryEscape(f)}, strings.ToLower(f), strings.ToUpper(f))
			for _, e := range forms {
				if strings.Contains(folded, strings.ToLower(e)) {
					out = append(out, f)
				}
			}
			if e := base64.RawStdEncoding.EncodeToString([]byte(f)); len(e) > 6 && strings.Contains(text, e[:len(e)-1]) {
				out = append(out, f)
			}
		}
	}
	return out
}

// disguises are ways to hide a word from a detector.
var disguises = []struct {
	name string
	of   func(string) string
}{
	{"split by a colour", func(w string) string { return "\x1b[31m" + w[:4] + "\x1b[0m" + w[4:] + " failed with exit code 1" }},
	{"split by a zero-width space", func(w string) string { return "user " + w[:3] + "\u200b" + w[3:] + " started" }},
	{"full width", func(w string) string {
		return "host " + strings.Map(func(c rune) rune { return c + 0xFEE0 }, w)
	}},
	{"percent-encoded", func(w string) string { return "path %2Fhome%2F" + w + "%2Fx" }},
	{"base64", func(w string) string { return "cfg " + base64.StdEncoding.EncodeToString([]byte("user="+w)) }},
	{"upper case", func(w string) string { return "user " + strings.ToUpper(w) }},
	{"right to left", func(w string) string { return "\u202e" + w + "\u202c loaded" }},
	{"behind a carriage return", func(w string) string { return "step 1\rstep " + w + "\r\n" }},
	{"on two lines", func(w string) string { return "step 1\n" + w + "\nstep 2" }},
	{"with a NUL", func(w string) string { return "a\x00" + w + "\x00b" }},
	{"in markup", func(w string) string { return "</script><script>" + w + "</script><!--" }},
}
