package jsonscan

import (
	"io"
	"sync"
)

const (
	chunkSize = 256 << 10
	chunks    = 4
)

type chunk struct {
	data []byte
	err  error
}

// A Prefetcher reads ahead in its own goroutine, so that decompression runs
// beside the scan.
type Prefetcher struct {
	full chan chunk
	free chan []byte
	stop chan struct{}
	done sync.WaitGroup
	cur  chunk
	at   int
}

// NewPrefetcher begins reading from r. Close must be called, and r left alone
// until it has returned.
func NewPrefetcher(r io.Reader) *Prefetcher {
	p := &Prefetcher{full: make(chan chunk, chunks), free: make(chan []byte, chunks), stop: make(chan struct{})}
	for range chunks {
		p.free <- nil // made at first use: a small file needs only one
	}
	p.done.Go(func() { p.run(r) })
	return p
}

func (p *Prefetcher) run(r io.Reader) {
	for {
		var b []byte
		select {
		case <-p.stop:
			return
		case b = <-p.free:
		}
		if b == nil {
			b = make([]byte, chunkSize)
		}
		n, err := fillChunk(r, b)
		p.full <- chunk{b[:n], err}
		if err != nil {
			return
		}
	}
}

// fillChunk reads until b is full or the reader ends. It hands on the reader's
// own error: io.ReadFull would make a plain end look like a cut stream.
func fillChunk(r io.Reader, b []byte) (n int, err error) {
	for idle := 0; n < len(b) && err == nil; {
		var m int
		m, err = r.Read(b[n:])
		n += m
		if m > 0 {
			idle = 0
		} else if idle++; idle > 100 && err == nil {
			err = io.ErrNoProgress
		}
	}
	return n, err
}

// Read gives what was read ahead.
func (p *Prefetcher) Read(b []byte) (int, error) {
	for p.at == len(p.cur.data) {
		if p.cur.err != nil {
			return 0, p.cur.err
		}
		if p.cur.data != nil {
			p.free <- p.cur.data[:cap(p.cur.data)]
		}
		p.cur, p.at = <-p.full, 0
	}
	n := copy(b, p.cur.data[p.at:])
	p.at += n
	return n, nil
}

// Close stops reading ahead and waits until the reader is no longer used.
func (p *Prefetcher) Close() {
	close(p.stop)
	p.done.Wait()
}
