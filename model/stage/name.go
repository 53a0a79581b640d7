package stage

import (
	"maps"
	"slices"
	"strings"

	"tracemerge/model"
	"tracemerge/model/report"
)

// synonyms are the words under which programs log the built-in stages, in the
// normal form of normal. A word that fits two stages is left out: it stays the
// user's own stage.
var synonyms = map[string]model.StageID{
	"fileopen": model.StageFileOpen, "open": model.StageFileOpen, "read": model.StageFileOpen,
	"openfile": model.StageFileOpen, "readfile": model.StageFileOpen, "fileread": model.StageFileOpen,
	"opening": model.StageFileOpen, "reading": model.StageFileOpen,

	"cpupreparation": model.StageCPUPreparation, "preparation": model.StageCPUPreparation,
	"prepare": model.StageCPUPreparation, "prep": model.StageCPUPreparation, "cpuprep": model.StageCPUPreparation,
	"cpuprepare": model.StageCPUPreparation, "load": model.StageCPUPreparation, "loading": model.StageCPUPreparation,
	"dataload": model.StageCPUPreparation, "dataloading": model.StageCPUPreparation,
	"dataloader": model.StageCPUPreparation, "loaddata": model.StageCPUPreparation, "loadbatch": model.StageCPUPreparation,
	"datapreparation": model.StageCPUPreparation, "dataprep": model.StageCPUPreparation,
	"decode": model.StageCPUPreparation, "decoding": model.StageCPUPreparation,
	"preprocess": model.StageCPUPreparation, "preprocessing": model.StageCPUPreparation,
	"tokenize": model.StageCPUPreparation, "tokenise": model.StageCPUPreparation, "tokenization": model.StageCPUPreparation,
	"augment": model.StageCPUPreparation, "augmentation": model.StageCPUPreparation, "collate": model.StageCPUPreparation,

	"transfer": model.StageTransfer, "h2d": model.StageTransfer, "d2h": model.StageTransfer, "copy": model.StageTransfer,
	"upload": model.StageTransfer, "hosttodevice": model.StageTransfer, "devicetohost": model.StageTransfer,
	"memcpy": model.StageTransfer, "copytodevice": model.StageTransfer, "copytogpu": model.StageTransfer,

	"gpucompute": model.StageGPUCompute, "gpu": model.StageGPUCompute, "compute": model.StageGPUCompute,
	"forward": model.StageGPUCompute, "backward": model.StageGPUCompute, "forwardpass": model.StageGPUCompute,
	"backwardpass": model.StageGPUCompute, "train": model.StageGPUCompute, "trainstep": model.StageGPUCompute,
	"trainingstep": model.StageGPUCompute, "inference": model.StageGPUCompute, "infer": model.StageGPUCompute,
	"generate": model.StageGPUCompute, "optimizerstep": model.StageGPUCompute, "kernel": model.StageGPUCompute,

	"communication": model.StageCommunication, "comm": model.StageCommunication, "allreduce": model.StageCommunication,
	"allgather": model.StageCommunication, "reducescatter": model.StageCommunication, "sync": model.StageCommunication,
	"gradientsync": model.StageCommunication, "gradsync": model.StageCommunication, "broadcast": model.StageCommunication,
	"barrier": model.StageCommunication,

	"write": model.StageWrite, "writing": model.StageWrite, "export": model.StageWrite, "exporting": model.StageWrite,
	"save": model.StageWrite, "saving": model.StageWrite, "checkpoint": model.StageWrite,
	"checkpointing": model.StageWrite, "savecheckpoint": model.StageWrite,

	"verification": model.StageVerification, "verify": model.StageVerification, "validate": model.StageVerification,
	"validation": model.StageVerification, "eval": model.StageVerification, "evaluate": model.StageVerification,
	"evaluation": model.StageVerification,

	"other": model.StageOther,
}

// Words returns the words under which each built-in stage is recognised, in the
// order of a job and sorted, for the method section of a report.
func Words() []report.StageWords {
	var out []report.StageWords
	for _, id := range model.BuiltinStages() {
		w := report.StageWords{Stage: id}
		for _, word := range slices.Sorted(maps.Keys(synonyms)) {
			if synonyms[word] == id {
				w.Words = append(w.Words, word)
			}
		}
		out = append(out, w)
	}
	return out
}

// normal is the form in which stage names are compared: lower case, without
// spaces, hyphens, underscores and dots.
func normal(name string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case ' ', '\t', '-', '_', '.':
			return -1
		}
		return r
	}, strings.ToLower(strings.TrimSpace(name)))
}

// builtin returns the built-in stage that a name means.
func builtin(name string) (model.StageID, bool) {
	s, ok := synonyms[normal(name)]
	return s, ok
}

// Named returns the stage that a name means: a built-in one by its identifier or
// a synonym, else the user's own stage under its own name. It is never `other`
// unless the name says so.
func Named(name string) model.StageID {
	if s, ok := builtin(name); ok {
		return s
	}
	return model.StageNamed(strings.TrimSpace(name))
}

// Meant returns the stage that a user's own stage name means, as Named does.
func Meant(s model.StageID) model.StageID {
	if s.Builtin() != "" {
		return s
	}
	return Named(s.Own().Raw.Reveal())
}

// dataLoader reports whether a span is PyTorch's own range around the wait for
// the next batch: torch/utils/data names it enumerate(DataLoader)#CLASS.__next__,
// datapipes enumerate(DataPipe)#CLASS.
func dataLoader(name string) bool {
	if strings.HasPrefix(name, "enumerate(DataLoader)") && strings.HasSuffix(name, ".__next__") {
		return true
	}
	return strings.HasPrefix(name, "enumerate(DataPipe)")
}

// ofDevice reports whether a stage is work of a device, which a host annotation
// only issues.
func ofDevice(s model.StageID) bool {
	return s == model.StageGPUCompute || s == model.StageTransfer || s == model.StageCommunication
}

// order sorts stages: the built-in ones as a job runs, then the user's own by
// their text.
func order(a, b model.StageID) int {
	if x, y := rank(a), rank(b); x != y {
		return x - y
	}
	return strings.Compare(a.Key(), b.Key())
}

func rank(s model.StageID) int {
	for i, b := range model.BuiltinStages() {
		if b == s {
			return i
		}
	}
	return len(model.BuiltinStages())
}
