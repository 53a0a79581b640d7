package applog

import "tracemerge/model"

// orders is a set of orders of day, month and year.
type orders uint8

const (
	orderMDY orders = 1 << iota
	orderDMY
	orderYMD
	orderNone // beside no other: three numbers that are a date in no order
	orderAny  = orderMDY | orderDMY | orderYMD
)

// dateOrder is how dates of three numbers without a leading year are read.
type dateOrder struct {
	set      orders // that all dates seen so far allow; a date that allows several is read only while one is left
	fixed    bool   // set is that of the whole file: dates do not change it
	declared bool   // set is the one that run.yaml declares: a date that it does not allow is none
}

// calendar reads the three fields in the order that is left, or in the only one
// in which they are a date; allowed are all in which they are.
func (o *dateOrder) calendar(f [3]int, yearDigits int, allowed orders) (calendar, verdict) {
	if !o.fixed && !o.declared && allowed != 0 {
		o.set &= allowed
	}
	order := o.set
	if !o.declared && allowed&(allowed-1) == 0 { // only one order makes this a date
		order = allowed
	}
	switch {
	case allowed == 0, o.declared && allowed&order == 0:
		return calendar{month: 1, day: 1, year: 2000, hasDate: true}, impossible
	case order == orderMDY:
		return calendar{month: f[0], day: f[1], year: century(f[2], yearDigits), hasDate: true}, fine
	case order == orderDMY:
		return calendar{day: f[0], month: f[1], year: century(f[2], yearDigits), hasDate: true}, fine
	case order == orderYMD:
		return calendar{year: century(f[0], 2), month: f[1], day: f[2], hasDate: true}, fine
	}
	return calendar{month: 1, day: 1, year: 2000, hasDate: true}, ambiguous
}

// doubt words why a date is ambiguous, and what to do.
func (o *dateOrder) doubt() model.Phrase {
	if o.set == 0 {
		return model.Say("the date is one with the day first and with the month first, and other dates of the file follow different orders: the record is not placed; run.yaml can declare the order (formats: day-first, month-first or year-first)")
	}
	return model.Say("the date is one {}, and no date of the file decides: the record is not placed; run.yaml can declare the order (formats: day-first, month-first or year-first)", o.set.words())
}

// words lists several orders.
func (o orders) words() model.Word {
	switch o {
	case orderMDY | orderDMY:
		return model.Lit("with the day first and with the month first")
	case orderMDY | orderYMD:
		return model.Lit("with the month first and with the year first")
	case orderDMY | orderYMD:
		return model.Lit("with the day first and with the year first")
	}
	return model.Lit("with the day, the month or the year first")
}

// allowedOrders returns the orders under which the three fields are a date.
func allowedOrders(f [3]int, longYear bool) (o orders) {
	can := func(month, day int) bool { return month >= 1 && month <= 12 && day >= 1 && day <= 31 }
	if can(f[0], f[1]) {
		o |= orderMDY
	}
	if can(f[1], f[0]) {
		o |= orderDMY
	}
	if !longYear && can(f[1], f[2]) {
		o |= orderYMD
	}
	return o
}
