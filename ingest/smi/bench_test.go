package smi

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"
)

// loop makes a log of eight GPUs of that many rounds.
func loop(rounds int) []byte {
	var b bytes.Buffer
	b.WriteString("timestamp, index, name, uuid, pci.bus_id, utilization.gpu [%], utilization.memory [%], memory.used [MiB], memory.total [MiB], power.draw [W]\n")
	at := time.Date(2026, 3, 2, 14, 5, 0, 113e6, time.UTC)
	for i := range rounds {
		for g := range 8 {
			fmt.Fprintf(&b, "%s, %d, NVIDIA A100-SXM4-80GB, GPU-a000000%d-0001-4000-8000-000000001000, 00000000:%d7:00.0, %d %%, %d %%, %d MiB, 81920 MiB, %d.%02d W\n",
				at.Format("2006/01/02 15:04:05.000"), g, g, g, (i*7+g)%101, (i*3+g)%90, 40000+i%997, 60+i%300, i%100)
		}
		at = at.Add(1001 * time.Millisecond)
	}
	return b.Bytes()
}

func BenchmarkRead(b *testing.B) {
	text := loop(20000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		c, err := readAll(context.Background(), bytes.NewReader(text), 1)
		if err != nil || c.Account.Used != 160000 {
			b.Fatalf("got %d rows, error %v", c.Account.Used, err)
		}
	}
}

// BenchmarkGocsv reads the same rows one at a time through gocsv, without turning a
// cell into a number: the reason why the bulk of the rows does not go through it.
func BenchmarkGocsv(b *testing.B) {
	text := loop(2000)
	rows := bytes.Split(bytes.TrimSpace(text), []byte{'\n'})
	h, _ := headingOf(rows[0])
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		s, err := newSheet(string(rows[0]), h.sep, h.cols, h.form)
		if err != nil {
			b.Fatal(err)
		}
		for _, row := range rows[1:] {
			if cells, err := s.readQuoted(row); err != nil || len(cells) != 10 {
				b.Fatalf("got %d cells, error %v", len(cells), err)
			}
		}
	}
}
