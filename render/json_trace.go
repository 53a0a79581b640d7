package render

import (
	"math"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// trace is what a profiler trace shows by itself.
func (s *summary) trace(src *report.Source) {
	if src.Trace == nil || src.Trace.Facts == nil {
		why := model.NotApplicable.String()
		if src.Kind == model.KindTrace {
			why = whyUnread
		}
		s.null("trace", why)
		return
	}
	f := src.Trace.Facts
	s.object("trace", func() {
		s.int("events", f.Events)
		s.maybeInt("rank", f.Rank)
		s.maybeInt("world_size", f.WorldSize)
		s.object("options", func() {
			s.maybeBool("with_stack", f.WithStack)
			s.maybeBool("record_shapes", f.RecordShapes)
			s.maybeBool("profile_memory", f.ProfileMemory)
			s.int("python_frames", f.PythonFrames)
			s.int("memory_records", f.MemoryRecords)
		})
		s.bool("rank_from_file_name", f.FromName.Rank)
		s.word("schema", f.Schema, model.NotRecorded)
		s.text("reservation", s.phrase(src.Trace.Reserve), model.NotApplicable)
		s.array("steps", func() {
			for _, step := range f.Steps {
				s.item(func() { s.step(src, step) })
			}
		})
		s.array("devices", func() {
			for _, d := range src.Trace.Devices {
				s.item(func() { s.traceDevice(d) })
			}
		})
		s.stepDevices(src.Trace)
		s.maybeSeconds("before_launch_seconds", f.BeforeLaunch)
		s.int("launches_without_record", f.Unanswered)
		s.seconds("launches_without_record_seconds", f.UnansweredTime.Len())
		s.quarantine(f)
		s.communicationRules(f)
		s.otherTools(&src.Trace.Breakdown)
		s.gaps(src.Trace.Breakdown.Gaps)
	})
}

// step is one ProfilerStep; its start is placed by the source's clock.
func (s *summary) step(src *report.Source, step model.TraceStep) {
	s.text("name", s.doc.Text(step.Name), model.NotSet)
	domain := model.DomainID(0)
	if src.Capture != nil {
		domain = src.Capture.DomainAt(step.From.Offset)
	}
	at, ok := model.Time(0), false
	if int(domain) < len(src.Clocks) {
		at, _, ok = src.Clocks[domain].Mapping.Place(step.At.Start)
	}
	if ok {
		s.instant("start", at)
		s.fromStart("start_seconds", at)
	} else {
		s.null("start", model.ClockUnplaced.String())
		s.null("start_seconds", model.ClockUnplaced.String())
	}
	s.seconds("seconds", step.At.Len())
}

func (s *summary) traceDevice(d report.TraceDevice) {
	s.text("device", s.doc.Text(d.Device), model.NotRecorded)
	s.int("kernels", d.Kernels)
	s.int("memcpys", d.Memcpys)
	s.int("memsets", d.Memsets)
	s.int("others", d.Others)
	s.seconds("kernel_busy_seconds", d.KernelBusy)
	s.seconds("memcpy_busy_seconds", d.MemcpyBusy)
	s.seconds("memset_busy_seconds", d.MemsetBusy)
	s.seconds("other_busy_seconds", d.OtherBusy)
	s.seconds("gpu_busy_seconds", d.Busy)
	s.seconds("span_seconds", d.Span.Len())
	s.seconds("idle_seconds", d.Idle)
	s.seconds("communication_busy_seconds", d.CommBusy)
	s.seconds("communication_overlap_seconds", d.CommOverlap)
	s.seconds("kernel_sum_seconds", d.KernelSum)
	s.int("same_stream_overlaps", d.Overlaps)
	s.seconds("same_stream_overlap_seconds", d.OverlapTime)
	s.int("steps_seen", d.StepsSeen)
}

// stepDevices is every step on every device; a device without a record in a step
// was not observed there, which is not 0.
func (s *summary) stepDevices(t *report.Trace) {
	s.array("step_devices", func() {
		for _, d := range t.StepDevices {
			s.item(func() {
				s.text("step", s.doc.Text(t.Facts.Steps[d.Step].Name), model.NotSet)
				s.text("device", s.doc.Text(t.Devices[d.Device].Device), model.NotRecorded)
				s.int("records", d.Records)
				s.int("kernels", d.Kernels)
				work, ok := d.Work.Get()
				for _, part := range []struct {
					key  string
					time time.Duration
				}{{"gpu_busy_seconds", work.Busy}, {"idle_seconds", work.Idle}, {"kernel_busy_seconds", work.Kernel},
					{"communication_busy_seconds", work.Comm}, {"memcpy_busy_seconds", work.Memcpy}, {"memset_busy_seconds", work.Memset}} {
					if !ok {
						s.null(part.key, d.Work.Why().String())
						continue
					}
					s.seconds(part.key, part.time)
				}
			})
		}
	})
}

// communicationRules are the names by which kernels counted as communication.
func (s *summary) communicationRules(f *model.TraceFacts) {
	s.array("communication_rules", func() {
		for _, r := range f.Communication {
			s.item(func() {
				s.word("name_holds", r.Pattern, model.NotSet)
				s.word("source", r.Source, model.NotSet)
				s.int("kernels", r.N)
			})
		}
	})
}

func (s *summary) quarantine(f *model.TraceFacts) {
	s.array("quarantine", func() {
		for _, q := range f.Quarantine {
			s.item(func() {
				s.word("rule", q.Rule, model.NotSet)
				s.text("message", s.phrase(q.Why), model.NotSet)
				s.int("events", q.N)
				s.seconds("stated_seconds", q.Would)
				s.lineAndByte(q.First)
			})
		}
	})
}

// otherTools are the figures of other tools, under the tools' names, for they hold
// by those tools' definitions.
func (s *summary) otherTools(b *report.Breakdown) {
	s.object("other_tools", func() {
		s.array("tensorboard_steps", func() {
			for _, step := range b.Steps {
				s.item(func() { s.stepSplit(step) })
			}
		})
		s.array("tracelens_timeline", func() {
			for _, d := range b.Splits {
				s.item(func() {
					s.text("device", s.doc.Text(d.Device), model.NotRecorded)
					s.seconds("computation_seconds", d.Compute)
					s.seconds("exposed_communication_seconds", d.ExposedComm)
					s.seconds("exposed_memcpy_seconds", d.ExposedMemcpy)
					s.seconds("exposed_other_seconds", d.ExposedOther)
					s.seconds("idle_seconds", d.Idle)
					s.seconds("total_seconds", d.Total)
				})
			}
		})
		s.array("hta_idle", func() {
			for _, i := range b.Idle {
				s.item(func() {
					s.text("device", s.doc.Text(i.Device), model.NotRecorded)
					s.text("stream", s.doc.Text(i.Stream), model.NotRecorded)
					s.int("records", i.Records)
					s.seconds("host_wait_seconds", i.HostWait)
					s.seconds("kernel_wait_seconds", i.KernelWait)
					s.seconds("other_wait_seconds", i.OtherWait)
					s.int("gaps_without_launch", i.NoLaunch)
				})
			}
		})
	})
}

func (s *summary) stepSplit(step report.StepSplit) {
	s.text("name", s.doc.Text(step.Name), model.NotSet)
	s.seconds("seconds", step.At.Len())
	for part, key := range [report.StepParts]string{"kernel_seconds", "memcpy_seconds", "memset_seconds", "communication_seconds",
		"runtime_seconds", "data_loader_seconds", "cpu_exec_seconds", "other_seconds"} {
		s.seconds(key, step.Parts[part])
	}
	s.int("records", step.Records)
	s.bool("left_out_there", step.Tail)
}

// gaps are the stretches without device records, on the trace's own clock.
func (s *summary) gaps(all []report.DeviceGaps) {
	s.array("gaps", func() {
		for _, g := range all {
			s.item(func() {
				s.text("device", s.doc.Text(g.Device), model.NotRecorded)
				s.seconds("window_seconds", g.Window.Len())
				s.bool("window_stated", g.Stated)
				s.seconds("idle_seconds", g.Idle)
				s.array("lengths", func() {
					for _, b := range g.Buckets {
						s.item(func() { s.gapBucket(b) })
					}
				})
				s.array("longest", func() {
					for _, gap := range g.Longest {
						s.item(func() { s.gap(g.Window, gap) })
					}
				})
			})
		}
	})
}

func (s *summary) gapBucket(b report.GapBucket) {
	if b.Below == math.MaxInt64 {
		s.null("below_seconds", whyUnbounded)
	} else {
		s.seconds("below_seconds", b.Below)
	}
	s.int("gaps", b.N)
	s.seconds("seconds", b.Total)
}

func (s *summary) gap(window model.Interval[model.ClockTime], g report.Gap) {
	s.seconds("start_seconds", time.Duration(g.At.Start-window.Start))
	s.seconds("seconds", g.At.Len())
	s.bool("at_the_edge", g.Edge)
	s.array("host", func() {
		for _, k := range g.Kinds {
			s.item(func() {
				s.word("kind", spanKindCode[k.Kind], model.NotSet)
				s.seconds("seconds", k.Time)
			})
		}
	})
	s.gapNeighbour("before", g.Before)
	s.gapNeighbour("after", g.After)
}

// gapNeighbour is where the device record beside a gap stands.
func (s *summary) gapNeighbour(key string, at model.Pos) {
	if at == (model.Pos{}) {
		s.null(key+"_byte", model.NotApplicable.String())
		return
	}
	s.int(key+"_byte", at.Offset)
}

// spanKindCode names the kinds of host spans that a gap tells of.
var spanKindCode = map[model.SpanKind]string{
	model.SpanOperator:   "operator",
	model.SpanRuntime:    "runtime",
	model.SpanAnnotation: "annotation",
	model.SpanPython:     "python",
	model.SpanOverhead:   "recorder_overhead",
}

// ranks are the traces of several ranks side by side.
func (s *summary) ranks() {
	rs := &s.run.Ranks
	list := func(name string, of []report.Rank) {
		s.array(name, func() {
			for _, r := range of {
				s.item(func() {
					s.int("rank", r.Rank)
					s.text("file", s.doc.Source(s.n, r.Source), model.NoSource)
				})
			}
		})
	}
	list("ranks", rs.Ranks)
	list("stated_twice", rs.Repeated)
	s.bool("one_rank_alone", rs.Alone)
	s.array("steps", func() {
		for _, step := range rs.Steps {
			s.item(func() {
				s.int("step", step.N)
				s.int("slowest_rank", rs.Ranks[step.Slowest].Rank)
				s.seconds("spread_seconds", step.Spread)
				s.array("by_rank", func() {
					for i, d := range step.Length {
						s.item(func() {
							s.int("rank", rs.Ranks[i].Rank)
							s.maybeSeconds("seconds", d)
						})
					}
				})
			})
		}
	})
	s.array("collectives", func() {
		for i := range rs.Collectives {
			s.item(func() { s.collective(&rs.Collectives[i]) })
		}
	})
	s.waits(&rs.Together)
}

// waits are the matched calls of all collectives together.
func (s *summary) waits(w *report.Waits) {
	s.object("matched_together", func() {
		s.int("calls", w.Calls)
		s.array("by_rank", func() {
			if w.Calls == 0 {
				return
			}
			for i, rank := range s.run.Ranks.Ranks {
				s.item(func() {
					s.int("rank", rank.Rank)
					s.seconds("held_seconds", w.Held[i])
					s.seconds("beyond_shortest_seconds", w.Waited[i])
					s.int("shortest_here", w.Last[i])
				})
			}
		})
	})
}

func (s *summary) collective(c *report.Collective) {
	s.text("name", s.doc.Text(c.Name), model.NotSet)
	s.bool("matched", c.Matched)
	s.text("why", s.phrase(c.Why), model.NotSet)
	if c.Matched {
		s.seconds("shortest_seconds", c.Shortest)
	} else {
		s.null("shortest_seconds", model.NotComputable.String())
	}
	s.array("by_rank", func() {
		for i, rank := range s.run.Ranks.Ranks {
			s.item(func() {
				s.int("rank", rank.Rank)
				s.int("calls", c.Calls[i])
				s.seconds("held_seconds", c.Held[i])
				if !c.Matched {
					s.null("beyond_shortest_seconds", model.NotComputable.String())
					s.null("shortest_here", model.NotComputable.String())
					return
				}
				s.seconds("beyond_shortest_seconds", c.Waited[i])
				s.int("shortest_here", c.Last[i])
			})
		}
	})
}
