package ingest

import (
	"path/filepath"
	"strings"
	"testing"

	"tracemerge/model"
)

// What lies packed in the folder is named, with what to do.
func TestArchivesSayWhatToDo(t *testing.T) {
	tar := strings.Repeat("\x00", 257) + "ustar\x0000"
	for name, content := range map[string]string{
		"a.zip": "PK\x03\x04", "a.tar": tar, "a.tgz": string(gz(t, tar)), "a.7z": "7z\xbc\xaf\x27\x1c",
		"a.bz2": "BZh91AY", "a.xz": "\xfd7zXZ\x00\x00",
	} {
		dir := folder(t, map[string]string{name: content + "\x00rest"})
		c, err := Read(t.Context(), filepath.Join(dir, name), nil, CollectOptions{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		said, _ := c.Source.Why.Format()
		if c.Source.Kind != model.KindUnknown || !strings.Contains(said, "unpack it") {
			t.Errorf("%s: kind %v, said %q", name, c.Source.Kind, said)
		}
	}
}
