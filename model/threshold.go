package model

// A Threshold names one threshold of the hypotheses that run.yaml may change.
type Threshold string

// The thresholds: shares of 0 to 1.
const (
	AloneMuch    Threshold = "alone_much"    // of the window: a stage alone for as long speaks for it
	AloneLittle  Threshold = "alone_little"  // and below it against
	BusyHigh     Threshold = "busy_high"     // of the window: a GPU busy for as long was not waiting much
	BusyLow      Threshold = "busy_low"      // at most: it was waiting for something
	RejectedMuch Threshold = "rejected_much" // of the outputs
	RejectedFew  Threshold = "rejected_few"
	MemoryFull   Threshold = "memory_full" // of the device's memory
	MemoryRoom   Threshold = "memory_room"
	IdleMuch     Threshold = "idle_much" // of a device's span without recorded work
	IdleLittle   Threshold = "idle_little"
)

// A DeclaredThreshold changes one of them.
type DeclaredThreshold struct {
	Name  Threshold
	Value float64 // 0 to 1
	From  Pos
}

// DefaultThresholds are the values that hold where run.yaml states none; choices of
// ours but for IdleMuch, which is TraceLens' threshold.
func DefaultThresholds() map[Threshold]float64 {
	return map[Threshold]float64{AloneMuch: 0.10, AloneLittle: 0.02, BusyHigh: 0.90, BusyLow: 0.70, RejectedMuch: 0.05, RejectedFew: 0.01,
		MemoryFull: 0.95, MemoryRoom: 0.90, IdleMuch: 0.15, IdleLittle: 0.05}
}
