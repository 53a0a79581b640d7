package torch

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"testing"

	"tracemerge/model"
)

// decoded returns the text of a compressed shared file.
func decoded(t testing.TB, name string) []byte {
	t.Helper()
	f, err := os.Open(sharedFile(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// BenchmarkRead reads decoded text of real traces in memory.
func BenchmarkRead(b *testing.B) {
	for _, name := range []string{"traces/D01_kineto2020_array", "traces/D05_hta_v100_absolute_float",
		"traces/D13_tl_mi300_rank0of8", "published/h100_facebook_timesformer-base-finetuned-k400__1016002"} {
		b.Run(name, func(b *testing.B) {
			text := decoded(b, name+".json.gz")
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				c, err := readFrom(context.Background(), bytes.NewReader(text), 1, model.Text{})
				if err != nil || c.Account.Used == 0 {
					b.Fatal(err)
				}
			}
		})
	}
}
