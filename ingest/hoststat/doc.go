// Package hoststat reads what host tools print about processor, memory, disks and
// processes: pidstat, iostat, vmstat, sar, sadf -d, sysstat's JSON, top -b, atop -P
// and dstat --output.
//
// A file is lines. Some say how to read those that follow (a heading, a banner, a
// line with the time), the others are rows:
//
//	Linux 6.1.0 (node1)  12/01/26  _x86_64_  (2 CPU)               banner: host, date
//	02:09:40   UID  TGID  TID   %usr  %system … %CPU  Command      heading of a table
//	02:09:41     0    12    -   0.00     0.81 … 0.81  kworker      row: ends its interval
//
// Names of metrics are those of the headings. A row describes the time since the
// row before it, so its metrics are rates over that time (model.WindowPrevious).
// Rows that are no such interval are set aside with their reason: the first report
// of iostat, vmstat, top and atop, and all of pidstat without an interval, which
// count from the start of the host or process, and the "Average:" rows at the end of
// pidstat and sar. So are rows of sar's tables of things that are not known here, and
// a last row without a line end that may have lost digits.
//
// Units are those of the manual pages where the heading does not state one; sizes
// with a unit letter (sysstat --human) are brought to the heading's kB.
//
// Values: "-" and empty cells are no value; -1.00 in pidstat's input and output
// columns means "no permission" (pidstat(1)) and is no value either. A decimal
// comma is read as a point.
//
// Clocks: stamps are calendar time without a zone, except where the tool prints an
// epoch (pidstat -H, sadf -U), a zone (iostat with S_TIME_FORMAT=ISO) or UTC (sadf
// without -T). Rows with a time of day take the day from the banner and count on
// over midnight. A date whose order of day and month cannot be told is not used: the
// stamps are then times of day without a date, and the file says which days are
// possible. Without any time there is no clock.
//
// Sources of format facts: the manual pages of sysstat 12 (pidstat, iostat, sar,
// sadf), procps 4 (vmstat, top), atop 2 and dstat 0.8, and files made by them.
package hoststat
