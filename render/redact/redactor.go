package redact

import (
	"slices"
	"strings"
	"time"

	"tracemerge/model"
)

// Redactor turns raw text into shown text. It remembers which original has which
// placeholder, in memory only. It is not safe for concurrent use: the numbers
// would depend on the order of the goroutines.
type Redactor struct {
	policy Policy
	values Values

	words   []string // Policy.Words, folded, longest first
	show    map[string]bool
	numbers map[origin]int // placeholder number by kind and original
	last    map[string]int // highest number by kind
	cache   map[model.Text]Shown

	hidden map[string]string   // folded original -> kind, for the gate
	spelt  map[string][]string // folded original -> how files spell it
	owned  [][]byte            // assets of the page

	public   map[string]bool // known names of the closed lists that were shown
	literals map[string]bool // text of ours that was shown
	asked    map[string]bool // folded text that is shown because Policy.Show says so

	healed map[rune][]healedWord // what the gate found, by first letter, the longest first; see Write
	bare   bool                  // no text of a file is shown, see Write
	off    protection            // what a test switches off to show that it is needed
}

// A protection is one thing that keeps text from being shown.
type protection struct {
	name  string
	class model.Class // of the protection "class"
}

type origin struct{ kind, text string }

// New makes a redactor for one build.
func New(p Policy, v Values) *Redactor {
	r := &Redactor{
		policy: p, values: v,
		show:     map[string]bool{},
		numbers:  map[origin]int{},
		last:     map[string]int{},
		cache:    map[model.Text]Shown{},
		hidden:   map[string]string{},
		spelt:    map[string][]string{},
		public:   map[string]bool{},
		literals: map[string]bool{},
		asked:    map[string]bool{},
	}
	for _, s := range p.Show {
		r.show[strings.ToLower(strings.TrimSpace(s))] = true
	}
	for _, w := range p.Words {
		if f := fold(strings.TrimSpace(w.Reveal())); f != "" {
			r.words = append(r.words, f)
		}
	}
	slices.SortFunc(r.words, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	r.words = slices.Compact(r.words)
	return r
}

// Text writes text of a file as far as its class allows.
func (r *Redactor) Text(t model.Text) Shown { return r.barely(r.text(t)) }

// barely is what is shown of a shown text: nothing where the redactor makes the
// page that the gate compares with.
func (r *Redactor) barely(s Shown) Shown {
	if r.bare && !s.Empty() {
		return Shown{hiddenText}
	}
	return s
}

func (r *Redactor) text(t model.Text) Shown {
	if t.Empty() {
		return Shown{}
	}
	if s, ok := r.cache[t]; ok {
		return s
	}
	s := Shown{r.replaceWords(r.byClass(r.unbracketed(t.Raw.Reveal()), t.Class))}
	r.cache[t] = s
	r.cache[model.NewText(s.s, t.Class)] = s // shown text stays as it is
	return s
}

// Field writes text of a named field: as it stands if the policy's Show names the
// field (secrets, controls and Words are still replaced), else like Text.
func (r *Redactor) Field(name constant, t model.Text) Shown { return r.field(string(name), t) }

func (r *Redactor) field(name string, t model.Text) Shown {
	if t.Empty() || !r.show[strings.ToLower(name)] {
		return r.Text(t)
	}
	return r.barely(Shown{r.replaceWords(r.inFull(r.unbracketed(t.Raw.Reveal())))})
}

// Setting writes a declared setting. The value stands as it is where Show names
// its key.
func (r *Redactor) Setting(s model.Setting) (key, value Shown) {
	return r.Text(s.Key), r.field(s.Key.Raw.Reveal(), s.Value)
}

// Literal writes a constant of the program.
func (r *Redactor) Literal(c constant) Shown { return Shown{r.own(string(c))} }

// Number writes a number through Values.
func (r *Redactor) Number(v float64) Shown { return Shown{r.values.Number(v)} }

// Duration writes a duration through Values.
func (r *Redactor) Duration(d time.Duration) Shown { return Shown{r.values.Duration(d)} }

// Instant writes an instant through Values.
func (r *Redactor) Instant(t model.Time) Shown { return Shown{r.values.Instant(t)} }

// Counts returns how many different originals were replaced, by kind in
// alphabetical order.
func (r *Redactor) Counts() []Count {
	var out []Count
	for k, n := range r.last {
		out = append(out, Count{k, n})
	}
	slices.SortFunc(out, func(a, b Count) int { return strings.Compare(a.Kind, b.Kind) })
	return out
}

// own translates text of ours and notes it.
func (r *Redactor) own(s string) string {
	if r.policy.Translate != nil {
		s = r.policy.Translate(s)
	}
	r.literals[s] = true
	return s
}

// publish notes text of closed origin, so that the gate does not take it for a
// leak of an original that happens to be the same word.
func (r *Redactor) publish(s string) { r.public[s] = true }

// placeholder returns the stand-in of an original.
func (r *Redactor) placeholder(kind, original string) string {
	r.hide(kind, original)
	return r.numbered(kind, original)
}

func (r *Redactor) numbered(kind, original string) string {
	o := origin{kind, original}
	n, ok := r.numbers[o]
	if !ok {
		r.last[kind]++
		n = r.last[kind]
		r.numbers[o] = n
	}
	return placeholderText(kind, n)
}

// hide notes an original for the gate.
func (r *Redactor) hide(kind, original string) {
	if f := fold(original); len(f) >= gateLength {
		if _, ok := r.hidden[f]; !ok {
			r.hidden[f] = kind
		}
		if as := r.spelt[f]; f != original && len(as) < 4 && !slices.Contains(as, original) {
			r.spelt[f] = append(as, original)
		}
	}
}
