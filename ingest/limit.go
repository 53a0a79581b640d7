package ingest

// A Limit is a bound on what a reader takes from its input, so that memory stays
// bounded whatever a file holds. What is beyond it is counted and named in the
// account or a notice.
type Limit struct {
	Of   string // "one line of a log"
	Max  int64
	Unit string // "bytes", "pieces"; what is counted
	Then string // what becomes of what is beyond
}

// Limits are those that hold for files of every kind.
func Limits() []Limit {
	return []Limit{
		{"a .gz or .zst file, decoded", MaxExpansion, "times its size on disk", "the file is refused as a decompression bomb"},
		{"a .zst file's window", maxZstdWindow, "bytes", "the file is refused"},
		{"the beginning by which the kind of a file is decided", HeadSize, "bytes", "what follows does not count for the decision"},
	}
}
