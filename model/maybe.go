package model

// A Maybe is a measurement or the reason why there is none. Its zero value is
// unknown with reason NotSet, so a field nobody filled in cannot pass for 0.
// There is deliberately no method that replaces an unknown by a default.
type Maybe[T any] struct {
	value T
	known bool
	why   Reason
}

// Known wraps a measured value; the zero of T is a measurement like any other.
func Known[T any](v T) Maybe[T] { return Maybe[T]{value: v, known: true} }

// Missing is an unknown value with its reason.
func Missing[T any](why Reason) Maybe[T] { return Maybe[T]{why: why} }

// Get returns the value and whether it is known.
func (m Maybe[T]) Get() (T, bool) { return m.value, m.known }

// Known reports whether there is a value.
func (m Maybe[T]) Known() bool { return m.known }

// Why returns the reason of an unknown value; it has no meaning for a known one.
func (m Maybe[T]) Why() Reason { return m.why }

// A Range is a closed interval of possible values: the true value lies in it,
// ends included. An exact value has Lo == Hi.
type Range[T any] struct{ Lo, Hi T }

// Exactly is the range of one value.
func Exactly[T any](v T) Range[T] { return Range[T]{v, v} }
