package redact

import (
	"regexp"
	"strings"
)

// Names of events are written by PyTorch, the CUDA and HIP runtimes, their
// libraries, and by users. Only what the first three are known to write is shown;
// model architecture is business content. Sources: torch/csrc/profiler, Kineto's
// activity types, the runtime API references.

// operationForms are names shown as they are.
var operationForms = []*regexp.Regexp{
	regexp.MustCompile(`^(?:aten|prims|prim|c10d|_c10d_functional|c10d_functional|quantized|torchvision|inductor|_quantized|static_runtime|profiler|fbgemm|xla|mkldnn|onednn|cudnn|torch::distributed::reducer|torch\.distributed\.ddp\.reducer|torchrec)::[A-Za-z0-9_.]{1,60}$`),
	regexp.MustCompile(`^(?:nccl|gloo|mpi|ucc|xccl|hccl|rccl):_?(?:all_?reduce|all_?gather(?:_base|_into_tensor)?|_all_gather_base|reduce_?scatter(?:_base|_tensor)?|_reduce_scatter_base|broadcast|reduce|gather|scatter|send|recv|all_?to_?all(?:_base)?|barrier|coalesced|allreduce_coalesced|all_reduce_barrier)(?: \d{1,4}<?->?\d{1,4})?$`),
	regexp.MustCompile(`^(?:cuda|cu|hip)(?:Launch|Mem|Malloc|Free|Stream|Event|Device|Func|Graph|Host|Occupancy|Peek|Get|Set|Pointer|Ctx|Module|Library|Kernel|Ipc|Import|Export|Destroy|Create|Driver|Runtime|Thread|User|Array|Tex|Surf|Profiler|Init|Link|Multicast|Ext|ModuleLaunch|Tensor)[A-Za-z0-9_]{0,50}$`),
	regexp.MustCompile(`^Memcpy (?:[HDAP]to[HDAP]|Unknown)(?: \((?:Pageable|Pinned|Device|Managed|Unknown|Array|Host) -> (?:Pageable|Pinned|Device|Managed|Unknown|Array|Host)\))?$`),
	regexp.MustCompile(`^Memset \((?:Device|Pageable|Pinned|Managed|Unknown|Array|Host)\)$`),
	regexp.MustCompile(`^Copy(?:HostToDevice|DeviceToHost|DeviceToDevice)$`),
	regexp.MustCompile(`^ProfilerStep(?:#\d{1,9}|\*)$`),
	regexp.MustCompile(`^enumerate\(DataLoader\)#_(?:SingleProcess|MultiProcessing)DataLoaderIter\.__next__$`),
	regexp.MustCompile(`^torch::autograd::(?:AccumulateGrad|CopySlices|CopyBackwards|GraphRoot)$`),
	regexp.MustCompile(`^(?:torch::autograd::)?[A-Z][A-Za-z0-9]{0,60}Backward\d{1,2}$`),
	regexp.MustCompile(`^torch/[a-z_/]{1,60}\.py\(\d{1,6}\): (?:_call_impl|_wrapped_call_impl|forward|backward|step|zero_grad|__call__|__next__|__iter__|_next_data|decorate_context|wrapper|apply|linear|conv[123]d|relu|gelu|softmax|layer_norm|batch_norm|dropout|embedding|cross_entropy|pin_memory|to)$`),
	regexp.MustCompile(`^PyTorch Profiler \(\d{1,3}\)$`),
	regexp.MustCompile(`^Torch-Compiled Region(?:: \d{1,4}/\d{1,4})?$`),
	regexp.MustCompile(`^CompiledFunction(?:Backward)?$`),
}

// operationNames are whole names.
var operationNames = func() map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Split(`record_param_comms|[memory]|[OutOfMemory]|Iteration Start: PyTorch Profiler|Record Window End|Context Sync|Context Synchronize|Event Sync|Event Synchronize|Stream Sync|Stream Synchronize|Stream Wait Event|Device Sync|Device Synchronize|Activity Buffer Request|Command Buffer Full|Buffer Flush|Instrumentation|Resource|Runtime Triggered Module Loading|Lazy Function Loading|Unknown|DistributedDataParallel.forward|FullyShardedDataParallel.forward|FullyShardedDataParallel._pre_forward|FullyShardedDataParallel._post_forward|FSDP::all_gather|FSDP::reduce_scatter|DataParallel.forward|TorchDynamo Cache Lookup|Pregraph bytecode|Call CompiledFxGraph|Trace|Spans|PyTorch Profiler|process_name|thread_name|detach|detach_|AOTDispatcher Runtime Wrapper Prologue|PythonFunction|nn.Module`, "|") {
		m[n] = true
	}
	return m
}()

// optimizers are the optimisers of torch.optim and common libraries.
var optimizers = set(`SGD Adam AdamW Adamax NAdam RAdam SparseAdam Adagrad Adadelta ASGD LBFGS RMSprop Rprop Adafactor Muon Lion
LAMB FusedAdam FusedLAMB FusedSGD DeepSpeedCPUAdam AdamW8bit Adam8bit PagedAdamW`)

// gradients are functions whose backward torch named without a number until 2021.
var gradients = set(`Addmm T View MaxPool2DWithIndices LogSoftmax NllLoss Mul Add Sub Div Mm Bmm Relu Threshold Mean Sum Softmax Cat
Slice Select Transpose Permute Expand Clone NativeBatchNorm CudnnBatchNorm CudnnConvolution MkldnnConvolution ThnnConv2D Embedding
Gelu NativeLayerNorm FusedDropout Unsqueeze Squeeze Index Pow Sqrt Exp Log Neg Tanh Sigmoid UnsafeView Reshape Alias AvgPool2D
AdaptiveAvgPool2D MeanBackward1 Stack Split Baddbmm MaskedFill Where Copy`)

const graphName = "## Call CompiledFxGraph ##"

var graphForm = regexp.MustCompile(`^## Call CompiledFxGraph(?: [a-z0-9]{1,64})? ##$`)

// moduleNames are layers of torch.nn.
var moduleNames = set(`Linear Conv1d Conv2d Conv3d ReLU GELU SiLU Sigmoid Tanh Softmax LayerNorm RMSNorm BatchNorm1d BatchNorm2d
GroupNorm Dropout Embedding Sequential ModuleList MultiheadAttention TransformerEncoder TransformerEncoderLayer MaxPool2d AvgPool2d
AdaptiveAvgPool2d Flatten Identity CrossEntropyLoss MSELoss LSTM GRU DistributedDataParallel FullyShardedDataParallel`)

var (
	autogradForm  = regexp.MustCompile(`^(autograd::engine::evaluate_function: )(.*)$`)
	optimizerForm = regexp.MustCompile(`^(Optimizer\.(?:step|zero_grad)#)(.*)(\.(?:step|zero_grad))$`)
	moduleForm    = regexp.MustCompile(`^(nn\.Module: )(.*?)((?:_\d{1,4})?)$`)
	commForm      = regexp.MustCompile(`^nccl(?:Dev)?Kernel_?[A-Za-z0-9_]{0,60}$`)
	kernelForms   = []*regexp.Regexp{
		regexp.MustCompile(`^(?:at::native|at::cuda|at_cuda_detail|cub|thrust|cutlass|cudnn|cublas|cublasLt|cutlass_cudnn_train|cutlass_cudnn_infer|cask_cudnn|cask_cudnn_infer|cask_cudnn_train|fbgemm_gpu|flash|pytorch_flash|cask|internal::gemvx|cusparse|cufft)(?:::[A-Za-z0-9_]{1,90}){1,8}$`),
		regexp.MustCompile(`^(?:nvjet|fmha_cutlass[FB]|cask_[a-z]{1,8}|cudnn|gemv2[TN]|gemvNSP|cublasLt)(?:_[A-Za-z0-9_]{1,90})?$`),
		regexp.MustCompile(`^(?:void )?(?:ampere|volta|turing|hopper|maxwell|pascal|sm\d{2,3}|cutlass_\d{2})_[a-z0-9_]{1,300}$`),
		regexp.MustCompile(`^(?:ampere|volta|turing|maxwell)_[A-Za-z0-9_]{1,90}$`),
		regexp.MustCompile(`^triton_(?:poi|red|per|tem|mm|for)_fused_[a-z0-9_]{1,120}$`),
		regexp.MustCompile(`^(?:Cijk_[A-Za-z0-9_]{1,900}|__amd_rocclr_[A-Za-z]{1,30})$`),
		regexp.MustCompile(`^(?:vectorized_elementwise|elementwise|unrolled_elementwise|reduce|softmax_warp_forward|softmax_warp_backward|CatArrayBatchedCopy|indexSelectLargeIndex|splitKreduce|gemmSN_[TN]{2}|gemmk1)_?(?:kernel)?$`),
		regexp.MustCompile(`^(?:elementwise_kernel_with_index|indexing_backward_kernel(?:_stride_1|_small_stride)?|dot_kernel|reduce_1Block_kernel|implicit_convolve_sgemm|nchwToNhwcKernel|nhwcToNchwKernel|attn_fwd|attn_bwd|cunn_(?:ClassNLLCriterion|SoftMax|SpatialClassNLLCriterion)[A-Za-z_]{0,40}|(?:split|dense)_embedding_[a-z0-9_]{1,100}|bounds_check_indices_kernel|linearize_index_kernel|bn_(?:fw|bw)_[a-z0-9_A-Z]{1,60}|winograd[A-Za-z0-9_]{0,60}|fft2d_[a-z0-9_]{1,40}|im2col_kernel|col2im_kernel|max_pool_(?:forward|backward)_n(?:chw|hwc))$`),
	}
	annotationRule = nameRule{[]map[string]bool{vocabulary}, 4, " -_./:#+()[],=", false}
)

// operation shows known names of events; a kernel loses its template arguments
// and its parameters.
func (r *Redactor) operation(s string) string {
	if t, ok := r.knownOperation(s); ok {
		return t
	}
	if t, ok := knownKernel(s); ok {
		r.publish(t)
		return t
	}
	if _, ok := placeKind(s); !ok && annotationRule.allows(s) && !r.calendar(s) {
		r.publish(s)
		return s
	}
	return r.placeholder("op", s)
}

func (r *Redactor) knownOperation(s string) (string, bool) {
	if len(s) > 160 {
		return "", false
	}
	if m := autogradForm.FindStringSubmatch(s); m != nil {
		return m[1] + r.operation(m[2]), true
	}
	if m := optimizerForm.FindStringSubmatch(s); m != nil {
		return m[1] + r.ofList(optimizers, m[2]) + m[3], true
	}
	if m := moduleForm.FindStringSubmatch(s); m != nil {
		return m[1] + r.ofList(moduleNames, m[2]) + m[3], true
	}
	if graphForm.MatchString(s) {
		return graphName, true // without the hash of the graph
	}
	if baseName, ok := strings.CutSuffix(strings.TrimPrefix(s, "torch::autograd::"), "Backward"); ok && gradients[baseName] {
		r.publish(s)
		return s, true
	}
	if operationNames[s] {
		r.publish(s)
		return s, true
	}
	for _, f := range operationForms {
		if f.MatchString(s) {
			r.publish(s)
			return s, true
		}
	}
	return "", false
}

// ofList shows a name of the list, else a placeholder.
func (r *Redactor) ofList(list map[string]bool, s string) string {
	if list[s] || r.isPlaceholder(s) {
		return s
	}
	return r.placeholder("op", s)
}

// knownKernel reduces a kernel to its name if a known library wrote it.
func knownKernel(s string) (string, bool) {
	name := strings.TrimPrefix(strings.TrimPrefix(s, "void "), "(anonymous namespace)::")
	if i := strings.IndexAny(name, "<("); i >= 0 {
		if strings.HasPrefix(name[i:], "(anonymous namespace)") { // at::native::(anonymous namespace)::kernel
			name = name[:i] + strings.TrimPrefix(name[i+len("(anonymous namespace)"):], "::")
			if i = strings.IndexAny(name, "<("); i < 0 {
				i = len(name)
			}
		}
		name = name[:i]
	}
	name = strings.TrimRight(name, ": ")
	if commForm.MatchString(name) {
		return name, true
	}
	for _, f := range kernelForms {
		if f.MatchString(name) {
			return name[:min(len(name), kernelLength)], true
		}
	}
	return "", false
}

const kernelLength = 120 // the tiling that a longer name spells out is cut
