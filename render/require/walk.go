package require

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// PathError is a path that the summary does not have: a mistake of who wrote it.
type PathError struct{ text string }

func (e *PathError) Error() string { return e.text }

// absent is an element that the runs do not show: not decidable.
type absent struct{ text string }

func (e *absent) Error() string { return e.text }

// place is where a path leads, with what was passed on the way.
type place struct {
	value   any
	key     string         // last key
	parent  map[string]any // the object of key
	run     map[string]any // nil outside of runs
	compare map[string]any // the entry of a comparison, nil outside
	inside  string         // the key of the run or of the comparison under which it lies
}

// find follows the path of a requirement.
func find(summary map[string]any, path []string) (place, error) {
	at := place{value: any(summary)}
	if _, top := summary[path[0]]; !top {
		runs, _ := summary["runs"].([]any)
		if len(runs) == 0 {
			return at, &PathError{"the summary has no runs"}
		}
		at.value = runs[len(runs)-1]
		at.run, _ = at.value.(map[string]any)
	}
	for i := 0; i < len(path); i++ {
		used, err := at.step(path, i)
		if err != nil {
			return at, err
		}
		i += used - 1
	}
	for { // a list of one element needs no name
		list, ok := at.value.([]any)
		if !ok || len(list) != 1 {
			return at, nil
		}
		at.value = list[0]
	}
}

// step takes the part i of the path and returns how many parts it used: 0 where a
// list of one element was entered without a name, 2 where the next one chose among
// several elements.
func (at *place) step(path []string, i int) (used int, err error) {
	switch x := at.value.(type) {
	case map[string]any:
		return 1, at.field(x, path[:i+1])
	case []any:
		return at.element(x, path, i)
	case json.Number:
		if path[i] == "lo" || path[i] == "hi" {
			at.value = bound{x, path[i]}
			return 1, nil
		}
	case nil:
		return 1, nil // whatever would lie below an unknown is unknown
	}
	return 0, &PathError{fmt.Sprintf("nothing lies below %s", strings.Join(path[:i], "."))}
}

// bound is one end of a number's bounds, chosen by .lo or .hi.
type bound struct {
	json.Number
	end string
}

func (at *place) field(x map[string]any, path []string) error {
	key := path[len(path)-1]
	v, ok := x[key]
	if !ok {
		var keys []string
		for _, k := range slices.Sorted(maps.Keys(x)) {
			if !strings.HasSuffix(k, "_unknown") {
				keys = append(keys, k)
			}
		}
		return &PathError{fmt.Sprintf("no key %q at %s; there are %s", key, strings.Join(path, "."), strings.Join(keys, ", "))}
	}
	if (at.run != nil || at.compare != nil) && at.inside == "" {
		at.inside = key
	}
	at.value, at.key, at.parent = v, key, x
	return nil
}

// naming are the keys by which an element of a list is named.
var naming = []string{"id", "stage", "name", "scenario", "basis", "kind", "file", "device"}

func (at *place) element(list []any, path []string, i int) (used int, err error) {
	found := named(list, path[i])
	if n, err := strconv.Atoi(path[i]); err == nil && len(found) == 0 && n >= 1 && n <= len(list) {
		found = list[n-1 : n]
	}
	used = 1
	switch {
	case len(found) == 0 && len(list) == 1:
		found, used = list, 0
	case len(found) == 0:
		return 0, &absent{fmt.Sprintf("%s shows no %q", strings.Join(path[:i], "."), path[i])}
	case len(found) > 1 && i+1 < len(path):
		if chosen := named(found, path[i+1]); len(chosen) == 1 {
			found, used = chosen, 2
		}
	}
	at.value = found[0]
	if x, ok := at.value.(map[string]any); ok {
		switch at.key {
		case "runs":
			at.run = x
		case "comparison", "comparison_with_previous":
			at.compare = x
		}
	}
	return used, nil
}

func named(list []any, name string) []any {
	var out []any
	for _, v := range list {
		x, _ := v.(map[string]any)
		for _, k := range naming {
			if s, ok := x[k].(string); ok && plain(s) == plain(name) {
				out = append(out, v)
				break
			}
		}
	}
	return out
}

// plain is a name in lower case with everything but letters and digits as _.
func plain(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !('a' <= r && r <= 'z' || '0' <= r && r <= '9' || r > 127)
	}), "_")
}
