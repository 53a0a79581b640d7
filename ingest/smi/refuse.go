package smi

import (
	"bytes"

	"tracemerge/ingest"
	"tracemerge/model"
)

// collect is the command that yields a file that can be read in full.
const collect = "nvidia-smi --query-gpu=timestamp,uuid,utilization.gpu,memory.used,memory.total --format=csv --loop=1"

// shape is what a line looks like that is neither a header nor under one.
type shape uint8

const (
	shapeOther shape = iota
	shapeErrorText
	shapeFailure // an error text that says that no GPU can be reached
	shapeSMITable
	shapeScreen
	shapeQueryText
	shapeXML
	shapeList
	shapeGPUstat
	shapeFreeText
	shapePrefixed
	shapeUnnamed
	shapeClockLine
	shapeNumbers
	shapeBadField
	shapeCount
)

// shapeTable says, for each shape, under which code its rows are counted and what
// to tell the user.
var shapeTable = [shapeCount]struct {
	code string
	what model.Word
}{
	shapeOther:     {"smi/other-text", model.Lit("no line of the file can be read as output of nvidia-smi")},
	shapeErrorText: {"smi/error-text", model.Lit("the file holds only an error message of the collector: nothing was recorded; correct what it says")},
	shapeFailure:   {"smi/error-text", model.Lit("the file holds only the message that the driver or the GPUs cannot be reached: nothing was recorded")},
	shapeSMITable:  {"smi/table", model.Lit("recognised as the table that nvidia-smi prints for people, but no line of values in it can be read")},
	shapeScreen:    {"smi/screen", model.Lit("recognised as a terminal screen recorded from watch, not readable: only changed characters are in it")},
	shapeQueryText: {"smi/query-text", model.Lit("recognised as nvidia-smi -q text, but no value that changes while a job runs can be read in it")},
	shapeXML:       {"smi/xml", model.Lit("recognised as nvidia-smi -q -x output, but no value that changes while a job runs can be read in it")},
	shapeList:      {"smi/list", model.Lit("recognised as the list of nvidia-smi -L, which holds no samples")},
	shapeGPUstat:   {"smi/gpustat", model.Lit("recognised as gpustat --json output, not readable")},
	shapeFreeText:  {"smi/free-text", model.Lit("recognised as a listing of free memory in words, not readable: memory used is not total less free")},
	shapePrefixed:  {"smi/host-prefix", model.Lit("recognised as rows of several hosts with a host name before each, without a header, not readable: hosts have clocks of their own, write one file for each host, as with grep '^HOST: ', and name its columns in run.yaml")},
	shapeUnnamed:   {"smi/no-header", model.Lit("the rows have no header (noheader), so their columns cannot be named: which percentage is which is nowhere in the file")},
	shapeClockLine: {"smi/clock-lines", model.Lit("recognised as lines of a time alternating with lines of values without a header, not readable: neither the date nor the columns are in the file")},
	shapeNumbers:   {"smi/no-header", model.Lit("the rows have no header, so their columns cannot be named")},
	shapeBadField:  {"smi/error-text", model.Lit("the file holds only the message that a field of the query does not exist: nothing was recorded; nvidia-smi --help-query-gpu lists the fields")},
}

// driverFailures begin the messages after which no GPU is read.
var driverFailures = []string{"Failed to initialize NVML", "No devices were found", "No devices found",
	"NVIDIA-SMI has failed", "Unable to determine the device handle", "Driver/library version mismatch"}

// errorTexts begin other messages of nvidia-smi and of the shell around it.
var errorTexts = []string{"NVML library version", "Field \"", "Error", "ERROR", "WARNING", "Warning", "Invalid combination",
	"Option ", "Please also try", "Unable to ", "Failed to ", "GPU is lost", "Xid", "XID", "slurmstepd", "Killed", "Terminated",
	"bash: ", "sh: ", "/bin/", "nvidia-smi: ", "-bash: ", "Make sure that the latest NVIDIA driver", "infoROM"}

func hasAnyPrefix(b []byte, prefixes []string) bool {
	for _, p := range prefixes {
		if len(b) >= len(p) && string(b[:len(p)]) == p {
			return true
		}
	}
	return false
}

// shapeOf judges one line, trimmed.
func shapeOf(b []byte) shape {
	has := func(s string) bool { return bytes.Contains(b, []byte(s)) }
	switch {
	case len(b) == 0:
		return shapeOther
	case bytes.IndexByte(b, 0x1b) >= 0:
		return shapeScreen
	case hasAnyPrefix(b, driverFailures):
		return shapeFailure
	case b[0] == '|' || b[0] == '+' && (has("+--") || has("+==")):
		return shapeSMITable
	case bytes.HasPrefix(b, []byte("Field \"")) && has("valid field to query"):
		return shapeBadField
	case hasAnyPrefix(b, errorTexts):
		return shapeErrorText
	case has("NVSMI LOG") || bytes.HasPrefix(b, []byte("Attached GPUs")):
		return shapeQueryText
	case has("<nvidia_smi_log>") || has("nvsmi_device"):
		return shapeXML
	case bytes.HasPrefix(b, []byte("GPU ")) && has("(UUID: "):
		return shapeList
	case bytes.HasPrefix(b, []byte(`"query_time"`)), bytes.HasPrefix(b, []byte(`"utilization.gpu"`)):
		return shapeGPUstat
	case has(" free out of ") && has("MiB"):
		return shapeFreeText
	}
	return rowShape(b)
}

// rowShape judges a line of values.
func rowShape(b []byte) shape {
	if host, rest, ok := bytes.Cut(b, []byte(": ")); ok && bytes.IndexByte(host, ' ') < 0 && stamped(rest) {
		return shapePrefixed
	}
	if len(b) == 8 && b[2] == ':' && b[5] == ':' {
		if _, _, _, ok := timeOfDay(b); ok {
			return shapeClockLine
		}
	}
	if stamped(b) {
		return shapeUnnamed
	}
	values, units := 0, 0
	for c := range bytes.SplitSeq(b, []byte{','}) {
		v := read(trim(c), false)
		if v.what == holdsText {
			return shapeOther
		}
		values++
		if u := string(v.unit); u == "%" || u == "MiB" || u == "W" || u == "MHz" {
			units++
		}
	}
	switch {
	case units > 0:
		return shapeUnnamed
	case values > 1:
		return shapeNumbers
	}
	return shapeOther
}

// stamped reports whether a row begins with a stamp of nvidia-smi and a separator;
// Go's log package writes microseconds in the same form, and text after them.
func stamped(b []byte) bool {
	return len(b) > 23 && smiForm(b[:23]) && (b[23] == ',' || b[23] == ';')
}

func sumShapes(shapes [shapeCount]int64) int64 {
	var n int64
	for _, v := range shapes {
		n += v
	}
	return n
}

// decisive lists the shapes from the one that says most about a file to the one
// that says least.
var decisive = []shape{shapeScreen, shapeXML, shapeQueryText, shapeGPUstat, shapePrefixed, shapeClockLine, shapeSMITable,
	shapeFreeText, shapeUnnamed, shapeList, shapeFailure, shapeBadField, shapeErrorText, shapeNumbers}

// refuse makes the error for a file of which nothing could be read.
func refuse(shapes [shapeCount]int64) error {
	for _, s := range decisive {
		if shapes[s] > 0 {
			return model.Refuse("{}; collect with {}", shapeTable[s].what, model.Lit(collect))
		}
	}
	return model.Refuse("{}; collect with {}", shapeTable[shapeOther].what, model.Lit(collect))
}

// judgeShapes is how sure the shapes of a file's first lines make us that it comes
// from nvidia-smi or a tool around it. Tables and messages also stand in other
// programs' logs, so they must make up nearly all of the lines.
func judgeShapes(shapes [shapeCount]int64, lines int64) ingest.Confidence {
	mostly := func(n int64) bool { return n*10 >= lines*9 }
	switch {
	case shapes[shapeXML] > 0, shapes[shapeQueryText] > 0 && shapes[shapeOther] < lines,
		shapes[shapeSMITable] > 0 && shapes[shapeSMITable]*10 >= lines*8:
		return ingest.Certain
	case shapes[shapePrefixed] > 0 && mostly(shapes[shapePrefixed]+shapes[shapeErrorText]+shapes[shapeFailure]),
		shapes[shapeGPUstat] > 1,
		shapes[shapeFreeText] > 0 && shapes[shapeFreeText]*10 >= lines*8,
		mostly(shapes[shapeUnnamed] + shapes[shapeFailure]),
		mostly(shapes[shapeFailure] + shapes[shapeBadField] + shapes[shapeList]):
		return ingest.Likely
	case mostly(shapes[shapeErrorText] + shapes[shapeFailure]),
		shapes[shapeClockLine] > 0 && mostly(shapes[shapeClockLine]+shapes[shapeNumbers]+shapes[shapeUnnamed]):
		return ingest.Maybe
	}
	return ingest.No
}
