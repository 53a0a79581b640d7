package jsonscan

import (
	"errors"
	"io"
)

const (
	// Pad is the number of sentinel bytes behind the text.
	Pad      = 64
	sentinel = '"'

	// firstSize lets the window stay in the processor's second-level cache.
	firstSize = 192 << 10

	// Limit is the most text that one record may take, and so that the window may
	// hold. The longest seen in a real trace is some 10 kB; tests go to 300 kB. There
	// is no limit to nesting, which costs no memory: nothing here calls itself.
	Limit = 64 << 20
)

// A Window is the part of the text that is at hand.
type Window struct {
	Buf []byte // Buf[:End] is text, then follow Pad sentinels
	End int
	Off int64 // offset of Buf[0] in the text
	EOF bool  // nothing follows behind End
	Err error // why reading ended, nil at a regular end

	r io.Reader
}

// NewWindow returns an empty window over r.
func NewWindow(r io.Reader) *Window {
	w := &Window{Buf: make([]byte, firstSize+Pad), r: r}
	w.seal()
	return w
}

func (w *Window) seal() {
	for i := w.End; i < w.End+Pad; i++ {
		w.Buf[i] = sentinel
	}
}

// Fill drops the text before keep, which becomes position 0, and reads more. It
// returns false if there is no more, or if the text kept has reached Limit.
func (w *Window) Fill(keep int) bool {
	if w.EOF {
		return false
	}
	keep = min(keep, w.End)
	size := len(w.Buf) - Pad
	kept := w.End - keep
	if kept >= Limit {
		return false
	}
	if kept > size/2 && size < Limit {
		size = min(2*size, Limit)
		b := make([]byte, size+Pad)
		copy(b, w.Buf[keep:w.End])
		w.Buf = b
	} else {
		copy(w.Buf, w.Buf[keep:w.End])
	}
	w.Off += int64(keep)
	w.End = kept
	// The window is always filled whole, so that what is read never depends on the
	// pieces in which the reader gives it.
	for idle := 0; w.End < size; {
		n, err := w.r.Read(w.Buf[w.End:size])
		w.End += n
		if err == nil && n == 0 {
			if idle++; idle > 100 {
				err = io.ErrNoProgress
			}
		}
		if err != nil {
			w.EOF = true
			if !errors.Is(err, io.EOF) {
				w.Err = err
			}
			break
		}
	}
	w.seal()
	return w.End > kept
}
