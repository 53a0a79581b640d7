// Tracemerge reads the files that were exported from a slow GPU job, puts them on
// one clock, and writes one HTML report of what was observed and what was not.
//
//	tracemerge COMMAND [flags] ARGUMENTS
//
// It works offline on files. It never touches a GPU, changes no setting, and sends
// nothing anywhere.
//
// # Concepts
//
// A run folder holds the files of one run, in any names and depth, plain, .gz or
// .zst. What a file is, is decided by its content: nvidia-smi tables, PyTorch
// profiler traces, application logs, run.yaml. Every other file is listed as not
// recognised.
//
// Each file has a clock of its own. A clock whose stamps say how they relate to
// UTC is placed by them; local time without a zone, as nvidia-smi writes it, by a
// declared zone, or where one zone offset is left with which its records meet those
// of another file, since a folder is one run; the report says which. What cannot be
// placed stands on its own axis and is not compared with the rest.
//
// What was not observed is unknown: before and after a file's records, in a
// collector's gap, at [N/A]. Unknown is never 0 and is never filled in. In the
// summary it is null beside a reason.
//
// A stage is a kind of work (file_open, cpu_preparation, transfer, gpu_compute,
// communication, write, verification, other) with a beginning and an end, from the
// log or the trace. Stages may overlap. The union of the stages, the time outside
// them, and the unknown time fill the window to the nanosecond.
//
// A what-if row says how long the same run takes at least and at most if a stage
// takes a multiple of its time. Where nothing overlaps, both are the same.
//
// A hypothesis is consistent with what was observed, or it is not; several can be.
// Each names the observation that would settle it.
//
// Text of the files reaches a report through a redactor that shows what it knows
// to be harmless and replaces the rest by placeholders such as ⟨path:3⟩. The key
// redact of run.yaml names what else to hide, and what to show.
//
// # build
//
//	tracemerge build [flags] RUN...
//
// reads one or more run folders and writes one report. The first run is the
// baseline that the others are compared with.
//
//	$ tracemerge build fixtures/mockreview --output report.html
//	report: report.html
//
// The summary holds the same figures for scripts. In the worked example, 60 s of
// preparation, 20 s of computing and 20 s of writing follow each other; computing
// twice as fast saves 10 s of 100 s:
//
//	$ tracemerge build fixtures/mockreview -q -o report.html --json - --what-if gpu_compute=0.5
//	{
//	…
//	              "factor": 0.5
//	…
//	          "total_seconds": {
//	            "lo": 90,
//	            "hi": 90
//	          },
//	…
//
// Flags:
//
//   - --output, -o: the report to write; tracemerge-report.html if not given.
//   - --json: a file for the summary as JSON; - is standard output.
//   - --record: a file for the record of the diagnosis as Markdown, to paste into a
//     ticket: symptom, hypothesis, change, conditions, result, excluded paths and the
//     next observation, from run.yaml and from what was found; redacted like the page.
//   - --zone, -z: the zone of sources whose stamps have none and for which
//     run.yaml declares none: an IANA name, local, or an offset such as +09:00.
//   - --what-if, -w: a scenario. gpu_compute=0.5 halves the stage, write=0 takes
//     it out; several joined by commas are one scenario. Repeatable.
//   - --basis: the kind of source whose stages fill the window and are scaled:
//     app-log or pytorch-trace; auto takes logs before traces.
//   - --from, --to: the ends of the window, with their zone:
//     2026-05-04T09:00:00+09:00. Otherwise the window is that of run.yaml, or
//     reaches from the first record to the last.
//   - --lang: the language of the report; en only in this version.
//   - --jobs, -j: how many files are read at a time; 0 is one per processor. The
//     report does not depend on it.
//   - --cache: off only in this version.
//   - --host-skew: how far the clocks of traces of different hosts may lie apart;
//     50 ms unless stated, an assumption that the report prints.
//   - --strict-clock: place clocks only by their own stamps, by declarations and by what is
//     certain (a shared marker), never by assumptions or signals.
//     Otherwise a calendar clock without a zone is placed where one zone offset
//     is left with which its records meet another source of the run.
//   - --strict: exit with 3 if a file could not be read or was cut off.
//   - --progress: auto shows how far the reading is where standard error is a
//     terminal, plain always and in whole lines, off never.
//   - --relative-time: no absolute dates in the report.
//   - --quiet, -q: no messages but errors.
//   - --force, -f: replace an existing file that tracemerge did not write. Its own
//     reports and summaries are always replaced.
//
// An output appears whole or not at all. A run folder may hold earlier outputs:
// they are skipped.
//
// # check
//
//	tracemerge check [flags] RUN... --require EXPR
//
// reads the runs as build does, writes no report, and says of each requirement
// whether it holds, for scripts. The first run is the baseline of the comparison; a
// path without runs or comparison at its beginning is about the last run:
//
//	$ tracemerge check fixtures/mockreview --require stages.gpu_compute.share.hi<0.3
//	holds: stages.gpu_compute.share.hi<0.3: it is 0.2
//
//	$ tracemerge check fixtures/loader-before fixtures/loader-after -r comparison.metrics.batch_interval_median.verdict==improved -r comparison.metrics.window.verdict==improved
//	holds: comparison.metrics.batch_interval_median.verdict==improved: it is "improved"
//	not decidable: comparison.metrics.window.verdict==improved: no verdict: each run has one value, which shows no spread
//	exit status 3
//
// tracemerge help check explains paths, bounds and exit statuses. --require, -r is
// repeatable; --quiet, -q prints only what does not hold or is not decidable. The
// flags that change what is read, --zone, --strict-clock, --host-skew, --what-if, --basis,
// --from, --to and --jobs, are those of build.
//
// # inspect
//
//	tracemerge inspect [flags] PATH...
//
// says of each file what it is, its clock, what it covers, and what is wrong with
// it. A PATH is a run folder or one file. A file without a declared zone stands on
// its own clock:
//
//	$ tracemerge inspect fixtures/loader-before/gpu.csv
//	file     kind        records  rejected  clock                           covers
//	gpu.csv  nvidia-smi       73         0  civil, is the reference itself  …
//	…
//
// and with one beside the others:
//
//	$ tracemerge inspect fixtures/loader-before/gpu.csv --zone Asia/Seoul
//	file     kind        records  rejected  clock                            covers
//	gpu.csv  nvidia-smi       73         0  civil, declared zone Asia/Seoul  2026-05-04 10:00:00.150–…
//	    line 42: … lie between two rows of one GPU … nothing is known in between [smi/gap]
//	…
//
// With --json the same is printed as {"sources": […], "clocks": […]}, redacted like
// the summary. --zone, --strict-clock, --host-skew and --jobs are those of build.
//
// With --clock the whole argument about the clocks is printed instead: each offset
// with its bounds and what it rests on, the evidence between clocks with file and
// line, whether it agrees, contradicts or cannot be tested, other offsets that
// would explain it, and what would tighten it most:
//
//	$ tracemerge inspect fixtures/loader-before --clock
//	…
//	gpu.csv (tight: [1])
//	  stamps: calendar time without a zone, resolution 1 ms (gpu.csv:2)
//	…
//	  offset: −32400…
//	…
//	    run.yaml declares the zone Asia/Seoul for this file
//	…
//
// # init
//
//	tracemerge init RUN
//
// writes a commented run.yaml into the run folder: the questions that its files leave
// open, and the files whose clocks need a declaration. It never overwrites one.
//
// # help, version, completion
//
//	tracemerge help [COMMAND|limits]
//	tracemerge version
//	tracemerge completion bash|zsh|fish
//
// print an overview, the flags of one command or the limits of what is read, the
// version, and the completion of a shell: source <(tracemerge completion bash).
//
// # Exit status
//
//	0  the report is written
//	1  nothing could be written; check: a requirement does not hold
//	2  a mistake in the command line; check: or a run could not be read
//	3  the report is written, but some input could not be read or was cut off, with --strict;
//	   check: a requirement is not decidable, and none fails
//
// Data goes to standard output, messages to standard error. Without --strict a
// file with trouble costs a warning that names it, and its trouble stands in the
// report. An error names the file, the place in it, and what was expected:
//
//	$ tracemerge build fixtures/mockreview --what-if gpu_compute=twice
//	tracemerge: invalid argument "gpu_compute=twice" for "-w, --what-if" flag: "gpu_compute=twice": want a factor between 0 and 10000, such as 0.5 for half the time
//	see: tracemerge help build
//	exit status 2
//
//	$ tracemerge build no-such-run
//	tracemerge: no-such-run: no such folder
//	exit status 1
package main
