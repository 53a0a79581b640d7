package torch

import (
	"slices"
	"strings"

	"tracemerge/model"
)

// category is what a cat means.
type category struct {
	kind   model.SpanKind
	device bool // its events lie on a device: args.device else pid, args.stream else tid
	args   bool // args are needed for the device or the correlation id

	unknown bool // no rule knows it
}

// uncategorised is the provisional kind of spans without cat, until the end of
// the document: only then is it known which processes are "Ascend Hardware".
const uncategorised = model.SpanKind(255)

// categories maps lower-cased categories to their meaning. Kineto wrote Kernel,
// Memcpy, Memset, Runtime, Operator until 2022-04 and lower case since; some
// on-demand files of late 2022 still have the old names.
//
// gpu_user_annotation spans the gaps between kernels and cuda_sync holds times of
// the host: neither is work of the device.
func categories() map[string]category {
	onDevice := func(k model.SpanKind) category { return category{kind: k, device: true, args: true} }
	kernel, memcpy, memset := onDevice(model.SpanKernel), onDevice(model.SpanMemcpy), onDevice(model.SpanMemset)
	runtime := category{kind: model.SpanRuntime, args: true}
	host := func(k model.SpanKind) category { return category{kind: k} }
	return map[string]category{
		"kernel": kernel, "gpu_kernel": kernel, "concurrent_kernel": kernel,
		"gpu_memcpy": memcpy, "memcpy": memcpy, "gcu_memcpy": memcpy,
		"gpu_memset": memset, "memset": memset, "gcu_memset": memset,
		// MTIA records the activity of processing elements; which of it computes
		// and which copies, no field says.
		"mtia_ccp_events":     onDevice(model.SpanDeviceOther),
		"gpu_user_annotation": onDevice(model.SpanDeviceNote), "cuda_profiler_range": onDevice(model.SpanDeviceNote), "cuda_event": onDevice(model.SpanDeviceNote),
		"cuda_sync":    onDevice(model.SpanSync),
		"cuda_runtime": runtime, "cuda_driver": runtime, "runtime": runtime, "driver": runtime,
		"hip_runtime": runtime, "hip_driver": runtime, "xpu_runtime": runtime, "xpu_driver": runtime,
		"mtia_runtime": runtime, "glow_runtime": runtime, "hpu_op": runtime, "privateuse1_runtime": runtime, "privateuse1_driver": runtime,
		"cpu_op": host(model.SpanOperator), "operator": host(model.SpanOperator),
		"user_annotation": host(model.SpanAnnotation),
		"python_function": host(model.SpanPython),
		"overhead":        host(model.SpanOverhead),
		"trace":           host(model.SpanRecordWindow),
	}
}

// ascendHardware is the process in torch_npu traces whose events, which have no
// cat, are work of the device.
const ascendHardware = "Ascend Hardware"

// CommRule names communication kernels: a kernel whose name holds Pattern,
// compared without regard to case, is communication. Only kernels are compared;
// a host operator of the same name is not.
type CommRule struct {
	Pattern string // lower case
	Source  string // where the naming comes from
}

// CommRules returns the rules, most common first. They are a convention of names
// with holes: a communication kernel under another name counts as computation.
func CommRules() []CommRule {
	return []CommRule{
		{"nccl", "NCCL kernels (ncclDevKernel_…, ncclKernel_…, ncclSymk…); RCCL kernels carry the same prefix"},
		{"rccl", "RCCL, where a build keeps its own name"},
		{"multimem_all_reduce", "PyTorch symmetric memory, NVLink SHARP"},
		{"multimem_one_shot_all_reduce", "PyTorch symmetric memory, NVLink SHARP"},
		{"multimem_all_gather", "PyTorch symmetric memory, NVLink SHARP"},
		{"one_shot_all_reduce", "PyTorch symmetric memory"},
		{"two_shot_all_reduce", "PyTorch symmetric memory"},
		{"cross_device_reduce", "custom all-reduce of vLLM, SGLang and AITER"},
		{"cross_device_store", "reduce-scatter of AITER"},
		{"allreduce_prototype", "QuickReduce (vLLM, SGLang on ROCm)"},
		{"allreduce_fusion_kernel", "fused all-reduce of FlashInfer and TensorRT-LLM"},
		{"oneshotallreducekernel", "custom all-reduce of TensorRT-LLM"},
		{"twoshotallreducekernel", "custom all-reduce of TensorRT-LLM"},
		{"userbuffers_", "Transformer Engine userbuffers"},
		{"deep_ep", "DeepEP expert-parallel dispatch and combine"},
		{"dpsk::ep", "DeepEP, earlier namespace"},
		{"epdispatch", "MORI expert-parallel dispatch"},
		{"epcombine", "MORI expert-parallel combine"},
		{"mscclpp", "MSCCL++"},
		{"nvshmem", "NVSHMEM"},
		{"oneccl", "oneCCL (XPU)"},
		{"hccl", "HCCL (Ascend)"},
		{"hcom_", "HCCL operators (Ascend)"},
	}
}

// commRule returns the index of the first rule that names the kernel, or -1.
func commRule(rules []CommRule, name string) int {
	name = strings.ToLower(name)
	return slices.IndexFunc(rules, func(r CommRule) bool { return strings.Contains(name, r.Pattern) })
}
