package model

// StageID names a stage. The built-in ones are those of the contract; a user's
// own stage keeps its text as the id's Name.
type StageID struct {
	builtin string
	own     Raw
}

// The built-in stages.
var (
	StageFileOpen       = StageID{builtin: "file_open"}
	StageCPUPreparation = StageID{builtin: "cpu_preparation"}
	StageTransfer       = StageID{builtin: "transfer"}
	StageGPUCompute     = StageID{builtin: "gpu_compute"}
	StageCommunication  = StageID{builtin: "communication"}
	StageWrite          = StageID{builtin: "write"}
	StageVerification   = StageID{builtin: "verification"}
	StageOther          = StageID{builtin: "other"}
)

// BuiltinStages returns the built-in stages in the order of a job.
func BuiltinStages() []StageID {
	return []StageID{StageFileOpen, StageCPUPreparation, StageTransfer, StageGPUCompute,
		StageCommunication, StageWrite, StageVerification, StageOther}
}

// StageNamed returns the built-in stage of that name, or a stage of the user's.
func StageNamed(name string) StageID {
	for _, s := range BuiltinStages() {
		if s.builtin == name {
			return s
		}
	}
	return StageID{own: NewRaw(name)}
}

// Builtin returns the identifier of a built-in stage, "" for a user's own.
func (s StageID) Builtin() string { return s.builtin }

// Own returns the text of a user's own stage, empty for a built-in one.
func (s StageID) Own() Text { return Text{s.own, ClassStage} }

// Key is a private key of the stage for maps and sorting; it must not be shown.
func (s StageID) Key() string {
	if s.builtin != "" {
		return s.builtin
	}
	return "\x00" + s.own.Reveal()
}
