package applog

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tracemerge/ingest"
	"tracemerge/model"
)

func BenchmarkRead(b *testing.B) {
	forms := map[string]string{
		"contract json": `{"time":"2026-05-04T09:00:%02d.000+09:00","task":"t1","stage":"cpu_preparation","edge":"start","input":"batch-7","progress":"7/100","accepted":6,"rejected":1}`,
		"slog json":     `{"time":"2026-11-30T21:16:%02d.080934794-05:00","level":"INFO","msg":"created new stream","id":"run0000a","path":"/mnt/x/y/z"}`,
		"text":          `2025-11-02 01:59:%02d,653 - trainer - INFO - loading shard from the local cache, loss is fine`,
		"text step":     `2025-11-02 01:59:%02d,653 - trainer - INFO - step 1/12 loss=2.0000 step_time=160.2 ms`,
	}
	for name, line := range forms {
		var s strings.Builder
		for i := range 200_000 {
			fmt.Fprintf(&s, line+"\n", i*60/200_000)
		}
		path := filepath.Join(b.TempDir(), "x.log")
		if err := os.WriteFile(path, []byte(s.String()), 0o600); err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(s.Len()))
			b.ReportAllocs()
			for b.Loop() {
				f, err := ingest.Open(path, 1, model.Text{})
				if err != nil {
					b.Fatal(err)
				}
				c, err := read(context.Background(), f, ingest.Options{Declared: &model.Declaration{}})
				if err != nil || c.Account.Used != 200_000 {
					b.Fatalf("read: got %d records, error %v", c.Account.Used, err)
				}
				if err := f.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
