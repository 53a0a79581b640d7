package sample

import "tracemerge/model"

// Definition says what a metric of the role shows, and what it does not, in one
// sentence each.
func Definition(role model.Role) model.Phrase {
	switch role {
	case model.RoleGPUBusy:
		return model.Say("Share of the past sample period (1/6 s to 1 s, by product) in which at least one kernel was executing; each reading is drawn over the {} before its stamp in which that period lies. It is not a performance score: 100 % does not show that the work was useful or fast, and a low value can be a normal preparation stage.", activityReach)
	case model.RoleMemoryBusy:
		return model.Say("Share of the past sample period in which device memory was being read or written; each reading is drawn over the {} before its stamp. It does not show how much memory is occupied, nor how much of the bandwidth was used.", activityReach)
	case model.RoleMemoryUsed:
		return model.Say("Device memory allocated when the row was written; it is let stand back to the previous row, at most {}. It does not show that the memory was being used: high occupancy can be data held while waiting.", gaugeReach)
	case model.RoleMemoryTotal:
		return model.Say("Device memory installed, as the source reports it. It does not show how much of it a job could have.")
	case model.RolePower:
		return model.Say("Power drawn, as the driver reports it: an instant or an average of up to 1 s, by product; it is let stand back to the previous row, at most {}. It does not show which work drew it.", gaugeReach)
	case model.RoleTemperature:
		return model.Say("Temperature when the row was written; it is let stand back to the previous row, at most {}. It follows the load with a delay and does not show that clocks were lowered.", gaugeReach)
	case model.RoleClockSM:
		return model.Say("Clock of the multiprocessors when the row was written; it is let stand back to the previous row, at most {}. It does not show that they had work.", gaugeReach)
	case model.RoleThrottle:
		return model.Say("Reasons for lowered clocks that were active when the row was written; they are let stand back to the previous row, at most {}. They do not show for how long between two rows a reason was active.", gaugeReach)
	case model.RoleCPUBusy:
		return model.Say("Share of one core that the thread, process or host used since the previous row. An average over all cores can hide one saturated thread, and the share does not show what the work was.")
	case model.RoleIOWait:
		return model.Say("Share of the time since the previous row in which a core was idle while input or output was outstanding. It does not show which process waited.")
	case model.RoleReadRate:
		return model.Say("Bytes read per second since the previous row, on average. It does not show short bursts, nor whether the reads held anything up.")
	case model.RoleWriteRate:
		return model.Say("Bytes written per second since the previous row, on average. It does not show short bursts, nor whether the writes held anything up.")
	case model.RoleCPUIdle:
		return model.Say("Share of the time since the previous row in which a core, or all cores on average, had nothing to run and no disk input or output was outstanding. An average over all cores can hide one saturated thread.")
	case model.RoleDiskBusy:
		return model.Say("Share of the time since the previous row in which the block device had a request outstanding. A device that serves requests in parallel can take more at 100 %, and network file systems are not among block devices.")
	}
	return model.Say("Shown as exported and not interpreted; it is let stand back to the previous row, at most {}. What it measures and over which time is the exporting tool's to say.", gaugeReach)
}
