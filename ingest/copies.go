package ingest

import "tracemerge/model"

// setAsideCopies keeps the first of several files with the same content, packed or
// not, and sets the records of the others aside: they are the same observations,
// and used twice they would count twice.
func setAsideCopies(caps []*model.Capture) {
	type key struct {
		kind    model.SourceKind
		content model.Content
	}
	first := map[key]model.Source{}
	for _, c := range caps {
		if c.Err != nil || c.Account.Read == 0 || c.Source.Kind == model.KindRunFile {
			continue
		}
		k := key{c.Source.Kind, c.Source.Content}
		of, copied := first[k]
		if !copied {
			first[k] = c.Source
			continue
		}
		at := model.Pos{Source: c.Source.ID}
		var n model.Notices
		n.Add("ingest/copy", model.DataLoss, at, model.Say(
			"the same content as {}: its records are set aside, so that nothing counts twice; remove one of the two", of.File))
		*c = model.Capture{Source: c.Source, Notices: n.List,
			Account: model.Account{Read: c.Account.Read, SetAside: []model.Tally{{Code: "ingest/copy", N: c.Account.Read, First: at}}}}
	}
}
