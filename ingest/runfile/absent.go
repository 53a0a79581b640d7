package runfile

import "tracemerge/model"

// part is one key below another and whether it is declared.
type part struct {
	key   string
	there bool
}

// absent lists the keys that are not declared, in the order of the contract.
// Input and application are listed key by key; of the other mappings the key
// itself stands for all that is below it if nothing there is declared.
func absent(d *model.Declaration) []string {
	var out []string
	one := func(key string, there bool) {
		if !there {
			out = append(out, key)
		}
	}
	group := func(key string, parts ...part) {
		any := false
		for _, p := range parts {
			any = any || p.there
		}
		if !any {
			out = append(out, key)
			return
		}
		for _, p := range parts {
			one(key+"."+p.key, p.there)
		}
	}
	one("name", !d.Name.Empty())
	group("symptom", part{"kind", d.SymptomKind != ""}, part{"text", !d.SymptomText.Empty()})
	group("window", part{"start", d.HasStart}, part{"end", d.HasEnd})
	one("temperature", d.Temperature != "")
	one("input.dataset", !d.Dataset.Empty())
	one("input.location", !d.Location.Empty())
	one("application.name", !d.AppName.Empty())
	one("application.version", !d.AppVersion.Empty())
	one("settings", len(d.Settings) > 0)
	one("done_when", !d.DoneWhen.Empty())
	q := d.Quality
	group("quality", part{"metric", !q.Metric.Empty()}, part{"value", q.Value.Known()},
		part{"at_most", q.AtMost.Known() || q.AtLeast.Known()})
	group("targets", part{"deadline_seconds", d.Targets.DeadlineSeconds.Known()},
		part{"accepted_per_minute", d.Targets.AcceptedPerMinute.Known()}, part{"gpu_hours", d.Targets.GPUHours.Known()})
	group("hypothesis", part{"text", !d.Hypothesis.Text.Empty()}, part{"change", !d.Hypothesis.Change.Empty()},
		part{"rejects_if", !d.Hypothesis.RejectsIf.Empty()})
	group("result", part{"text", !d.Result.Text.Empty()}, part{"excluded", len(d.Result.Excluded) > 0},
		part{"next_observation", !d.Result.NextObservation.Empty()})
	one("clocks", len(d.Clocks) > 0)
	one("anchors", len(d.Anchors) > 0)
	one("stages", len(d.Stages) > 0)
	one("log_patterns", len(d.Patterns) > 0)
	one("redact", len(d.RedactWords)+len(d.RedactShow) > 0)
	return out
}
