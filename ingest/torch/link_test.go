package torch

import (
	"testing"

	"tracemerge/model"
)

// What stands in the column is an id or none, so that whoever joins by it needs no
// rule of his own.
func TestLinks(t *testing.T) {
	for id, linked := range map[string]bool{"7": true, "0": false, "-1": true, "18446744073709551615": true, `"x"`: false} {
		c := mustRead(t, doc(x("kernel", "k", 1, 1, `,"args":{"correlation":`+id+`}`)))
		for b := range c.Spans.Batches() {
			if got := b.Link[0] != model.NoLink; got != linked {
				t.Errorf("correlation %s: link %d", id, b.Link[0])
			}
		}
	}
}
