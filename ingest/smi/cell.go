package smi

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"tracemerge/model"
)

// cell is one cell of a table as the file spells it. It is the only type of a
// field that gocsv fills in: gocsv's own numbers turn "" into 0 and "12.9" into
// 12.
type cell string

// UnmarshalCSV keeps the text.
func (c *cell) UnmarshalCSV(text string) error {
	*c = cell(strings.TrimSpace(text))
	return nil
}

// known returns the text of a cell that states something, "" for one that is
// empty or of the N/A family.
func (c cell) known() string {
	if _, ok := missing([]byte(c)); ok {
		return ""
	}
	return string(c)
}

// The words for "no value" seen in real output and in NVML's documentation.
// nvidia-smi brackets them in CSV; dmon and pmon print "-".
var (
	unavailableWords = []string{"N/A", "Not Supported", "Not Available", "Insufficient Permissions", "Not Found",
		"Requested functionality has been deprecated", "-", "nan", "null"}
	failureWords = []string{"Unknown Error", "GPU is lost", "GPU requires reset", "ERR!", "Error"}
)

// missing returns the reason if the cell says that there is no value. Any other
// word in brackets is a failure of the collector that we do not know by name.
func missing(b []byte) (model.Reason, bool) {
	if len(b) == 0 {
		return model.NotAvailable, true
	}
	switch b[0] {
	case '[', 'N', 'n', 'E', 'e', '-', 'R', 'I', 'U', 'G':
	default:
		return 0, false
	}
	bracketed := len(b) > 2 && b[0] == '[' && b[len(b)-1] == ']'
	word := b
	if bracketed {
		word = b[1 : len(b)-1]
	}
	for _, w := range unavailableWords {
		if len(w) == len(word) && strings.EqualFold(w, string(word)) {
			return model.NotAvailable, true
		}
	}
	for _, w := range failureWords {
		if len(w) == len(word) && strings.EqualFold(w, string(word)) {
			return model.ReadError, true
		}
	}
	if bracketed && listOfNone(word) {
		return model.NotAvailable, true
	}
	return model.ReadError, bracketed
}

// listOfNone reports whether text is the inside of a printed list of which no item
// is available, as amd-smi writes for engines that a product lacks.
func listOfNone(b []byte) bool {
	for item := range bytes.SplitSeq(b, []byte{','}) {
		if string(bytes.Trim(item, ` '"`)) != "N/A" {
			return false
		}
	}
	return true
}

// content says what a cell of a value column turned out to hold.
type content uint8

const (
	holdsNumber content = iota
	holdsMissing
	holdsText
)

// A reading is one cell of a value column.
type reading struct {
	what  content
	value float64
	unit  []byte // the unit written in the cell, if any
	why   model.Reason
}

// read reads a cell of a value column. comma says that the file writes decimal
// commas. Flags read as 1 and 0, a performance state "P8" as 8.
func read(b []byte, comma bool) reading {
	if len(b) > 0 && (isDigit(b[0]) || b[0] == '-' || b[0] == '+' || b[0] == '.') {
		if v, unit, ok := number(b, comma); ok {
			return reading{what: holdsNumber, value: v, unit: unit}
		}
	}
	if why, ok := missing(b); ok {
		return reading{what: holdsMissing, why: why}
	}
	switch string(b) {
	case "Active":
		return reading{what: holdsNumber, value: 1}
	case "Not Active":
		return reading{what: holdsNumber, value: 0}
	}
	if len(b) >= 2 && len(b) <= 3 && b[0] == 'P' && allDigits(b[1:]) {
		v, _ := strconv.Atoi(string(b[1:])) // one or two digits
		return reading{what: holdsNumber, value: float64(v)}
	}
	return reading{what: holdsText}
}

// exactPowers are the powers of ten by which a float64 mantissa below 2^53 can be
// divided with one correct rounding.
var exactPowers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// number reads decimal or hexadecimal digits and the unit behind them.
func number(b []byte, comma bool) (v float64, unit []byte, ok bool) {
	if len(b) > 2 && b[0] == '0' && (b[1] == 'x' || b[1] == 'X') {
		mask, err := strconv.ParseUint(string(b[2:]), 16, 64)
		// A float64 holds a bit mask exactly only below 2^53.
		return float64(mask), nil, err == nil && mask < 1<<53
	}
	i, neg := 0, false
	if b[0] == '-' || b[0] == '+' {
		neg, i = b[0] == '-', 1
	}
	var mantissa uint64
	digits, fraction, point := 0, 0, false
scan:
	for ; i < len(b); i++ {
		switch c := b[i]; {
		case isDigit(c):
			mantissa = mantissa*10 + uint64(c-'0')
			digits++
			if point {
				fraction++
			}
		case !point && (c == '.' || comma && c == ','):
			point = true
		default:
			break scan
		}
	}
	if digits == 0 {
		return 0, nil, false
	}
	rest := b[i:]
	if digits > 15 || len(rest) > 0 && (rest[0] == 'e' || rest[0] == 'E') {
		return longNumber(b, comma)
	}
	if len(rest) > 0 {
		if rest = bytes.TrimLeft(rest, " "); !isUnit(rest) {
			return 0, nil, false
		}
	}
	v = float64(mantissa) / exactPowers[fraction]
	if neg {
		v = -v
	}
	return v, rest, true
}

// longNumber reads numbers with an exponent or more digits than number takes.
func longNumber(b []byte, comma bool) (float64, []byte, bool) {
	text := string(b)
	if comma {
		text = strings.Replace(text, ",", ".", 1)
	}
	digits, unit, _ := strings.Cut(text, " ")
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, nil, false
	}
	unit = strings.TrimSpace(unit)
	return v, []byte(unit), unit == "" || isUnit([]byte(unit))
}

// isUnit reports whether text can stand behind a number: "%", "MiB", "MB/s", "°C".
func isUnit(b []byte) bool {
	if len(b) == 0 || len(b) > 8 {
		return false
	}
	for _, c := range b {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '%' || c == '/' || c >= 0x80) {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func allDigits(b []byte) bool {
	for _, c := range b {
		if !isDigit(c) {
			return false
		}
	}
	return len(b) > 0
}
