package smi

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"tracemerge/ingest"
	"tracemerge/model"
)

// queryText is a report of nvidia-smi -q of two GPUs, in the layout of drivers since
// 535, shortened.
const queryText = `
==============NVSMI LOG==============

Timestamp                                 : Mon Mar  2 14:05:00 2026
Driver Version                            : 550.00.01
CUDA Version                              : 12.4

Attached GPUs                             : 2
GPU 00000000:4A:00.0
    Product Name                          : NVIDIA Test 40
    GPU UUID                              : GPU-01234567-89ab-cdef-0123-456789abcdef
    PCI
        Bus                               : 0x4A
        GPU Link Info
            PCIe Generation
                Max                       : 4
    Fan Speed                             : N/A
    Performance State                     : P0
    Clocks Event Reasons
        Idle                              : Not Active
        HW Slowdown                       : Active
            HW Thermal Slowdown           : Active
    FB Memory Usage
        Total                             : 46068 MiB
        Used                              : 11948 MiB
    BAR1 Memory Usage
        Used                              : 5 MiB
    Utilization
        Gpu                               : 97 %
        Memory                            : 41 %
    Temperature
        GPU Current Temp                  : 53 C
    GPU Power Readings
        Power Draw                        : 305.25 W
    Clocks
        SM                                : 2490 MHz
    Max Clocks
        SM                                : 2520 MHz
    Processes
        GPU instance ID                   : N/A
        Compute instance ID               : N/A
        Process ID                        : 604
            Type                          : C
            Name                          : python train.py, step
            Used GPU Memory               : 11944 MiB
        GPU instance ID                   : N/A
        Compute instance ID               : N/A
        Process ID                        : 605
            Type                          : C+G
            Name                          : viewer
            Used GPU Memory               : N/A

GPU 00000000:4B:00.0
    Product Name                          : NVIDIA Test 40
    GPU UUID                              : GPU-11234567-89ab-cdef-0123-456789abcdef
    Utilization
        Gpu                               : Unknown Error
        Memory                            : 0 %
    Processes                             : None

`

// queryXML states the same about the first GPU.
const queryXML = `<?xml version="1.0" ?>
<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">
<nvidia_smi_log>
	<timestamp>Mon Mar  2 14:05:00 2026</timestamp>
	<driver_version>550.00.01</driver_version>
	<attached_gpus>1</attached_gpus>
	<gpu id="00000000:4A:00.0">
		<product_name>NVIDIA Test 40</product_name>
		<uuid>GPU-01234567-89ab-cdef-0123-456789abcdef</uuid>
		<performance_state>P0</performance_state>
		<clocks_event_reasons>
			<clocks_event_reason_gpu_idle>Not Active</clocks_event_reason_gpu_idle>
		</clocks_event_reasons>
		<fb_memory_usage>
			<total>46068 MiB</total>
			<used>11948 MiB</used>
		</fb_memory_usage>
		<utilization>
			<gpu_util>97 %</gpu_util>
			<memory_util>41 %</memory_util>
		</utilization>
		<temperature>
			<gpu_temp>53 C</gpu_temp>
		</temperature>
		<gpu_power_readings>
			<power_draw>305.25 W</power_draw>
		</gpu_power_readings>
		<clocks>
			<sm_clock>2490 MHz</sm_clock>
		</clocks>
		<processes>
			<process_info>
				<pid>604</pid>
				<type>C</type>
				<process_name>python a&amp;b</process_name>
				<used_memory>11944 MiB</used_memory>
			</process_info>
		</processes>
		<accounted_processes>
		</accounted_processes>
	</gpu>

</nvidia_smi_log>
`

// rolesOf are the known values of the metrics that have a role, by role.
func rolesOf(c *model.Capture) map[model.Role][]float64 {
	out := map[model.Role][]float64{}
	for _, s := range samplesOf(c) {
		if v, ok := s.Value.Get(); ok && c.Metrics[s.Metric].Role != model.RoleNone {
			out[c.Metrics[s.Metric].Role] = append(out[c.Metrics[s.Metric].Role], v)
		}
	}
	return out
}

func TestReportsOfALoop(t *testing.T) {
	for _, k := range []struct {
		name, text, form string
		rows, tracks     int
	}{
		{"text", queryText, "query text", 4, 4},
		{"XML", queryXML, "query xml", 2, 2},
	} {
		if got := match([]byte(k.text)); got != ingest.Certain {
			t.Errorf("%s: match %d", k.name, got)
		}
		c := readText(t, k.text+strings.Replace(k.text, "14:05:00", "14:05:05", 1))
		if c.Account.Read != int64(2*k.rows) || c.Account.Used != c.Account.Read || len(c.Tracks) != k.tracks || c.Source.Form != k.form {
			t.Errorf("%s: %+v, %d tracks, form %q", k.name, c.Account, len(c.Tracks), c.Source.Form)
		}
		if len(c.Domains) != 1 || c.Domains[0].Kind != model.DomainCivil || c.Window.Len() != 5_000_000_001 {
			t.Errorf("%s: clocks %+v", k.name, c.Domains)
		}
		roles := rolesOf(c)
		for role, want := range map[model.Role]float64{model.RoleGPUBusy: 97, model.RoleMemoryBusy: 41, model.RoleMemoryUsed: 11948,
			model.RoleMemoryTotal: 46068, model.RoleTemperature: 53, model.RolePower: 305.25, model.RoleClockSM: 2490} {
			got := roles[role]
			if role == model.RoleMemoryBusy { // the second GPU's 0 % is a measurement
				got = slices.DeleteFunc(got, func(v float64) bool { return v == 0 })
			}
			if !slices.Equal(got, []float64{want, want}) {
				t.Errorf("%s: role %v: got %v, want twice %v", k.name, role, got, want)
			}
		}
		if name := c.Tracks[0].Name.Raw.Reveal(); name != "NVIDIA Test 40" {
			t.Errorf("%s: name %q", k.name, name)
		}
		for _, m := range c.Metrics {
			if name := m.Name.Raw.Reveal(); strings.Contains(name, "Max") || strings.Contains(name, "BAR1") || strings.Contains(name, "PCI") {
				t.Errorf("%s: %q is read", k.name, name)
			}
		}
		for _, s := range samplesOf(c) {
			if why := s.Value.Why(); !s.Value.Known() && why != model.NotAvailable && why != model.ReadError {
				t.Errorf("%s: unknown with reason %v", k.name, why)
			}
		}
	}
	if got := rolesOf(readText(t, queryText))[model.RoleThrottle]; !slices.Equal(got, []float64{0, 1, 1}) {
		t.Errorf("reasons %v", got)
	}
}

// A value belongs to the GPU that it stands under, and nothing is used that stands
// outside of a report.
func TestReportsAmongOtherText(t *testing.T) {
	c := readText(t, "starting the job\nINFO step : 5\n"+queryText+"Failed to initialize NVML: Unknown Error\nepoch done\n"+strings.Replace(queryText, "14:05:00", "14:05:05", 1))
	if c.Account.Used != 8 || tallies(c.Account.SetAside) != "smi/error-text=1 smi/other-text=3" && tallies(c.Account.SetAside) != "smi/other-text=3 smi/error-text=1" {
		t.Errorf("%+v", c.Account)
	}
	if holes := c.Tracks[0].Unknown; len(holes) != 1 || holes[0].Why != model.ReadError {
		t.Errorf("holes %+v", holes)
	}
	for _, s := range samplesOf(c) {
		if v, ok := s.Value.Get(); ok && v == 97 && c.Tracks[s.Track].Device.Reveal() != "GPU-01234567-89ab-cdef-0123-456789abcdef" {
			t.Errorf("97 %% is given to %q", c.Tracks[s.Track].Device.Reveal())
		}
	}
}

// However a report is cut or a line of it lost, no value of another line is made up.
func TestDamagedReports(t *testing.T) {
	for _, whole := range []string{queryText, queryXML} {
		all := cellsOf(readText(t, whole))
		for i := 1; i < len(whole); i += 7 {
			c, _ := readAll(t.Context(), strings.NewReader(whole[:i]), 1) // without a GPU it is refused
			checkCapture(t, c, int64(i))
			for _, got := range cellsOf(c) {
				_, value, _ := strings.Cut(got, " ")
				if !slices.ContainsFunc(all, func(s string) bool { return strings.HasSuffix(s, " "+value) }) {
					t.Fatalf("cut at %d: %q is not in the whole", i, got)
				}
			}
		}
	}
	broken := strings.Replace(queryXML, "</fb_memory_usage>", "</fb_memory", 1)
	c := readText(t, broken+strings.Replace(queryXML, "14:05:00", "14:05:05", 1))
	if tallies(c.Account.Rejected) != "smi/xml=1" || c.Account.Used != 3 || !slices.Equal(rolesOf(c)[model.RoleGPUBusy], []float64{97}) {
		t.Errorf("a broken element: %+v, %v", c.Account, rolesOf(c))
	}
	two := regexp.MustCompile(`(?s)<gpu .*</gpu>\n`).ReplaceAllStringFunc(broken, func(s string) string { return s + s })
	if c = readText(t, two); tallies(c.Account.Rejected) != "smi/xml=2" || c.Account.Used != 1 {
		t.Errorf("a GPU behind a broken element: %+v", c.Account)
	}
	nameless := strings.Replace(queryText, "Process ID                        : 604", "Process ID                        :", 1)
	if c = readText(t, nameless); tallies(c.Account.SetAside) != "smi/no-process=1" || c.Account.Used != 3 || len(c.Tracks) != 3 {
		t.Errorf("a process without id: %+v", c.Account)
	}
	// A report of the configuration alone holds no samples.
	c, err := readAll(t.Context(), strings.NewReader("==============NVSMI LOG==============\n\nAttached GPUs : 1\nGPU 00000000:4A:00.0\n    Max Clocks\n        SM : 2520 MHz\n"), 1)
	if err == nil || !strings.Contains(err.Error(), "nvidia-smi -q text") || tallies(c.Account.SetAside) != "smi/query-no-values=1" {
		t.Errorf("only the configuration: %v, %+v", err, c.Account)
	}
}
