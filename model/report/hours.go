package report

import "tracemerge/model"

// GPUHours is the window times the number of GPUs that the samplers show, placed
// or not: a GPU is held whether or not it works.
func (r *Run) GPUHours() model.Maybe[float64] {
	if !r.Window.Known {
		return model.Missing[float64](model.ClockUnplaced)
	}
	n := 0
	for _, dev := range r.Devices {
		for _, m := range dev.Metrics {
			if m.Role == model.RoleGPUBusy {
				n++
				break
			}
		}
	}
	if n == 0 {
		return model.Missing[float64](model.NoSource)
	}
	return model.Known(r.Window.At.Len().Hours() * float64(n))
}
