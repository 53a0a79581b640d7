package redact

import "strings"

// The lists below are closed: a word that is not in one of them is not shown.
// They hold words of this field and of operating systems. General nouns of a
// language are left out on purpose: every word of "patient reports pain" stands
// in a dictionary.

// set makes a set of the words of a text.
func set(text string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(text) {
		m[w] = true
	}
	return m
}

// vocabulary is what may stand in a log line, a stage, a task or an annotation.
var vocabulary = set(`
a an the of to in on at by for from with without and or not no is are was be been has have as if then else per via into out up down off over
under after before between during until while this that it its than each every all any some none only still again already now new old next previous last first second
debug info warning warn error errors critical fatal trace notice exception traceback most recent call line file files module severity levelname level logger msg message
start started starting begin begins began end ended ending done finish finished finishing stop stopped stopping resume resumed resuming running run runs init initialize initialized initializing initialization setup set get using use used
load loaded loading loader save saved saving write writing written writer writes read reading reader reads checkpoint checkpoints ckpt restore restored restoring model models weights weight optimizer optim scheduler dataset datasets dataloader data batch batches minibatch microbatch sample samples sampler shard shards tokenizer tokens token tok collate collator augment augmentation transform transforms preprocess preprocessing prepare preparing preparation prepared postprocess postprocessing decode decoding encode encoding prefetch prefetching fetch fetching shuffle
train training trained trainer eval evaluate evaluating evaluation valid validation validate val verify verified verification verifying test testing infer inference predict prediction generate generated generation generating prefill rollout finetune pretrain pretraining
epoch epochs step steps iter iters iteration iterations global local rank ranks world size worker workers process processes processing processed group node nodes device devices gpu gpus cpu cpus cuda nccl rocm host hosts server client replica replicas main master driver service
loss losses lr learning rate grad grads gradient gradients norm accuracy acc top perplexity ppl reward score metric metrics throughput latency time times timestamp ts date datetime created asctime elapsed eta remaining total avg average mean min max median std sum count number num overall cumulative
memory mem used free allocated reserved cached peak oom bytes byte kb mb gb tb kib mib gib tib ms us ns sec secs seconds minute minutes hour hours it samples
forward backward reduce allreduce allgather reducescatter reduce_scatter gather scatter broadcast barrier sync synchronize synchronized async wait waiting waited wait_time timeout timed retry retrying retries retried failed failure failures fail success successful successfully succeeded ok pass passed skip skipped skipping drop dropped aborted abort cancelled canceled interrupted
compile compiled compiling compilation cache hit hits miss misses warmup warm cold graph capture captured profiler profiling profile kernel kernels launch launched launching stream streams thread threads queue queued pending request requests preempted swapped prompt prompts cycle active
float float16 bfloat16 float32 float64 fp16 bf16 fp32 fp64 fp8 tf32 int int4 int8 int32 int64 uint8 half double amp autocast ddp fsdp deepspeed zero stage stages phase phases tensor tensors pipeline parallel torch pytorch numpy python version jax tensorflow megatron vllm accelerate transformers lightning horovod mpi gloo ucx
true false null nan inf yes progress percent utilization util usage temperature temp power clock clocks fan ecc speed throttle throttled pcie nvlink xid
exit exited code signal killed sigterm sigkill sigint sigsegv sigabrt segmentation fault core dumped assertion assert unable cannot could can invalid unexpected missing found expected got shape dim dims length index key keys value values type types name id ids
parameter parameters params trainable layer layers hidden head heads embedding embeddings attention attn mlp conv linear dropout activation bias
accepted rejected reject accept output outputs input inputs result results item items record records row rows column columns event events edge task tasks job jobs state status open opened opening close closed closing transfer transferring transferred copy copying copied upload uploaded uploading download downloaded downloading export exporting exported import imported importing send sending sent recv receive received receiving push pull put pin pinned pageable htod dtoh dtod h2d d2h
compute computing computation communication comm collective collector quality metric_name average_loss best current default enabled disabled enable disable available unavailable supported unsupported empty full idle busy ready slow fast long short large small high low normal
network socket net ib rdma infiniband ethernet connection connect connected connecting disconnected reconnect refused reset closed peer port address address_in_use host_name permission denied such directory exists exist too many resource temporarily broken pipe space left disk storage ssd nvme nfs lustre quota read-only filesystem system os swap page pages fd limit limits exceeded
runtime value_error index_error not_implemented assertion_error import_error keyboard interrupt interrupted overflow underflow division nan_loss scaler scale scaling scaled unscale clip clipping clipped accumulate accumulation gradient_accumulation schedule decay momentum beta eps seed random deterministic benchmark
adam adamw sgd lamb lion adafactor rmsprop cosine constant polynomial
log logs logging logger logged report reporting summary snapshot monitor monitoring heartbeat watchdog health check checking restart restarted restarting attempt attempts recover recovered recovering recovery shutdown terminate terminated terminating cleanup flush flushed flushing
allocate allocating allocation allocations release released pool fragmentation garbage collect collecting segment segments block blocks chunk chunks buffer buffers bucket_size tile tiles
context eof unexpected_eof end_of_file byte_offset want wanted malformed truncated cut unknown unrecognised recognised ignored kept parse parsing parsed syntax format json csv jsonl yaml yml txt log py pt pth gz zst tar bin npz npy onnx safetensors arrow parquet html ipc pb pickle pkl h5 tsv out err cc cpp cu cuh so hpp
smi nvidia amd a100 h100 h200 b200 v100 l40s baseline candidate comparison compare symptom pause late window
stat lstat mkdir unlink rename seek path paths link links symbolic operation interrupted argument arguments bad descriptor readonly illegal
stale handle folder folders outside target header checksum recording listing removing renaming making flag flags usage
password passwd secret api login auth authorization bearer credential credentials tesla geforce rtx gtx quadro sxm hbm nvl radeon instinct
alltoall all2all fwd bwd fw bw dist sparse dense took lengths splits pooled
tried capacity exceed try trying total_capacity wrapping using_gpu detected initialized visible arguments config configuration experiment
tracemerge option options zone kind source sources profile_step
` + courseWords + settingNames)

// courseWords say how work goes: the words in which people describe a symptom, a
// hypothesis, a change and when a run is done. They are verbs, adjectives and
// quantities; of nouns, only those of machines and measurements.
const courseWords = `
stay stays stayed remain remains remained take takes taking taken last lasts lasted work works worked working drops fall falls fell falling
rise rises rose rising grow grows grew growing shrink shrinks shrank increase increases increased increasing decrease decreases decreased
decreasing lower lowers lowered lowering raise raises raised higher improve improves improved improving improvement worse worsens worsened
degrade degrades degraded degradation regress regresses regressed regression vary varies varied varying fluctuate fluctuates change changes
changed changing unchanged stable unstable steady disappear disappears disappeared vanish vanishes appear appears appeared occur occurs occurred
happen happens happened repeat repeats repeated repeating stall stalls stalled stalling starve starves starved starving starvation hang hangs
hung hanging freeze freezes froze frozen block blocked blocking unblocked pauses paused pausing waits arrive arrives arrived finishes complete
completes completed completing reach reaches reached exceeds meet meets met miss missed need needs needed require requires required allow allows allowed
spend spends spent saturate saturates saturated saturating saturation throttles thrash thrashing contend contention lock locks locked unlock
serialize serialized serializes serial sequential concurrent concurrency concurrently simultaneous simultaneously synchronous synchronously asynchronous asynchronously
overlap overlaps overlapped overlapping overhead bound boundary boundaries bandwidth iops straggler stragglers imbalance imbalanced balanced
delay delays delayed lag lags lagged behind gap gaps stutter stutters hiccup hiccups spike spikes spiky burst bursts bursty jitter plateau plateaus peaks dip dips
early earlier later longer shorter faster slower slowest fastest slowly quickly bigger larger smaller smallest largest huge tiny heavy light expensive cheap
more less fewer few much most least enough both other others another same different identical similar equal
one two three four five six seven eight nine ten several single double triple once twice half quarter third rare rarely seldom sometimes often usually always never ever
intermittent intermittently occasional occasionally constant constantly periodic periodically regular regularly random randomly continuous continuously sporadic
nearly almost about around roughly approximately exactly above below beyond within inside against instead also even too very mostly mainly partly fully
does do did doing don doesn didn isn aren wasn weren won would should shall must keep keeps keeping help helps helped replace replaces replaced replacing
add adds added adding remove removes removed move moves moved moving switch switched switching split splitting merge merged merging double doubled halve halved
warms warmed cooler hotter heat thermal cooling minutes daily hourly day days week night morning
measure measures measured measuring measurement observe observed observation record profiled reproduce reproduces reproduced reproducible
utilisation utilised utilized optimise optimised optimize optimized optimisation optimization tune tuned tuning update updated upgrade upgraded
fix fixed fixes workaround effect effects side gain gains budget deadline limited target targets goal met
dataloaders loaders preloaded preload preloading lookahead decompress decompression decompressed compress compressed compression jpeg png tokenise tokenize tokenized tokenisation tokenization
image images video audio frame frames preprocessed preprocessor postprocessor evaluator trainer inferencer collation copies recompile recompiles recompilation
graphs loop loops subset machine machines drive drives folder object store stores cloud mount mounted share shared nas san local remote scratch
gil preemption preempt neighbour neighbor noisy affinity numa cores socket sockets hyperthreading swapping paging cudamalloc cudafree timeouts retries
tokenizers samplers microbatches collectives bubble bubbles pipelined straggling offload offloaded offloading recomputation checkpointing
`

// settingNames are words of the keys of settings, and of tools, that people write
// into a sentence.
const settingNames = `
factor precision persistent non blocking accum accumulate nproc seq seqs parallelism ways concurrency pinning prefetched interleave readahead filled fill
throttling throttled spy nsys ncu perf collection drain drained backlog backpressure tflop tflops gflop gflops flop flops mfu stdout stderr exc info mllog interval point namespace metadata lineno
`

// metricKeys are the names after which a number of any length is a measurement.
var metricKeys = set(`
loss lr rate scale step steps epoch iter iters iteration iterations rank world_size size batch_size bs acc accuracy ppl perplexity
grad_norm gnorm norm time elapsed eta tokens samples throughput latency mem memory used free total util utilization
temp temperature power seed len length accepted rejected errors retries retry progress done count num total_tokens
num_samples seconds secs ms us ns bytes allocated reserved cached peak duration duration_ms duration_s duration_seconds
elapsed_ms elapsed_s wait_ms queue_depth global_step local_rank`)

// timeKeys are the names whose value is an instant.
var timeKeys = set("time ts timestamp @timestamp asctime created datetime date time_ms t unix_time")

// counterWords may be followed by a long number in a name: "step 120000".
var counterWords = set("step steps iter iteration batch epoch shard sample rank tid thread stream pid task chunk item row")

// fileWords are what a component of a file name may consist of.
var fileWords = set(`
gpu gpus cpu rank ranks trace traces log logs app application smi nvidia nvml dmon pmon query train training trainer eval
evaluation infer inference worker workers host hosts pt json jsonl csv txt run runs step steps node nodes device devices
baseline candidate before after metrics metric profile profiler profiling torch pytorch kineto cuda rocm dataloader loader
data stats stat samples sample sampler collector pidstat iostat vmstat sar sadf top mpstat system sys main master driver
server client stdout stderr out output err error errors test tests warm cold warmup fast slow old new first second third
fixed fix base result results report summary record recording tracemerge yaml run config compute apps stage stages batch
epoch iter all full part short long raw merged memory mem util utilization power temperature temp clock ddp fsdp nccl
local global world events event timeline export import write read load attempt restart retry try job task process proc
thread threads stream window start end left right unknown empty bad good broken cut na utc kst file files dir input inputs
a100 h100 h200 b200 v100 t4 l4 l40s x v ms sec hz min sys usage use capture session day night week with without no and of the
per by to from vs in on not only`)

// extensions are shown even behind a name that is not.
var extensions = set(`pt json jsonl csv tsv txt log out err yaml yml gz zst zip arrow ipc parquet html htm py pb bin npz npy tar
trace safetensors ckpt pth onnx cc cpp cu cuh h hpp so pkl pickle h5 xml md bz2 xz sh toml ini cfg ndjson perfetto`)

// codeExtensions make a dotted name a file rather than a host.
var codeExtensions = extensions

// metricWords are what the name of a sampled quantity may consist of: the fields
// of nvidia-smi --help-query-gpu and of the table that it prints, the columns of
// amd-smi, rocm-smi and xpu-smi, of sysstat, vmstat and top.
var metricWords = set(`
utilization util gpu memory mem used free total reserved available power draw average avg instant instantaneous limit enforced default
min max management clocks clock current sm graphics gr video applications app temperature temp tlimit pcie pci link gen
gpumax gpucurrent hostmax width fan speed ecc errors err corrected uncorrected volatile aggregate dram register file l1 l2
cache device texture cbu sram shared parity threshold pstate persistence mode compute cap name uuid serial bus id busid domain
subsystem sub index timestamp driver version count throttle reasons reason active supported hw slowdown sw thermal idle
brake sync boost display attached inforom img oem pwr gom vbios accounting buffer size retired retirement pages page
pending single bit double sbe dbe remapped remapping rows failure encoder decoder enc dec jpeg jpg ofa stats session
sessions fps latency latencymax mig board id counter rx tx throughput mclk pclk mtemp gtemp fb bar1 ccpm rxpci txpci
pviol tviol type command pid process cpu usr user system sys guest nice iowait wait steal irq soft gnice kb rd wr ccwr
iodelay minflt majflt vsz rss flt read reads write writes written per sec second kb kib mb mib gb gib r w d f s rkb wkb dkb
rrqm wrqm drqm rareq wareq dareq sz aqu await svctm tps uid tid tgid cswch nvcswch threads fd nr core cores load
swpd swap buff buffers si so bi bo in cs us sy wa st gu hi ni virt res shr pr kbmemfree kbavail kbmemused memused kbbuffers
kbcached commit active inact dirty kbcommit kbactive kbinact kbdirty interval host sample samples bread bwrtn discard time
fan0 power_smoothing module state fabric status health c2c nvlink gsp protected aer net rxkb txkb rxpck txpck pgpgin pgpgout
fault frmpg free pgscank pgscand pgsteal vmeff base class vgpu capability capabilities baseclass subclass fractional heterogenous multi multivgpu elapsed util pct mb c w celsius watts percent power_w busy queue depth rate rates count accepted rejected errors progress loss lr
usage use b perf cap column gfx gfxclk clk vram hotspot edge junction socket soc socclk fclk umc mm vcn xgmi activity gtt vis visible compute deviceid
step epoch tokens seconds ms ns gpus total_memory energy consumption attr dev desc kind sort labels label stream priority thread total_time_enabled`)

// units are shown as they stand.
var units = set(`% MiB GiB KiB TiB B kB KB MB GB TB W mW kW C °C MHz GHz Hz ms s us µs ns min h MB/s KB/s kB/s GB/s MiB/s
GiB/s KiB/s it/s s/it tok/s tokens/s samples/s /s bytes byte seconds second sec secs minutes minute hours tokens samples
steps J V A x RPM F K tokens images img/s step/s steps/s s/step ms/step rows items batches epochs`)

// settingWords are what a setting may be.
var settingWords = set(`
true false yes no on off none null auto default cpu cuda gpu mps rocm bf16 fp16 fp32 fp64 fp8 tf32 bfloat16 float16 float32 float64
float half int8 int4 uint8 nf4 mixed amp o0 o1 o2 adam adamw sgd lamb lion adafactor rmsprop cosine linear constant polynomial
step plateau nccl gloo mpi ucc ddp dp fsdp fsdp1 fsdp2 deepspeed zero zero1 zero2 zero3 stage tp pp sp ep megatron pipeline tensor
data parallel eager compile compiled inductor cudagraphs max reduce overhead autotune flash sdpa xformers math mem efficient
warm cold train training eval inference batch size precision processes process workers worker loader num number threads thread pin
memory prefetch factor persistent shuffle drop last seed lr learning rate epochs epoch steps step accumulation gradient grad clip
norm checkpoint checkpointing activation sequence length seq len max min micro global local world nodes node gpus per device
devices backend optimizer scheduler warmup weight decay dtype kv cache block compile mode nfs local ssd nvme hdd ramdisk tmpfs
s3 gcs lustre gpfs hdfs ceph disk remote shared`)

// storageWords are what a location may be without saying where it is.
var storageWords = set("object store file folder server drive cloud external internal usb mounted mount share nas san efs fsx minio zfs raid scratch blob persistent volume block flash sata pcie sas nfs local ssd nvme hdd disk ram ramdisk tmpfs s3 gcs lustre gpfs beegfs weka hdfs ceph remote shared network storage cache memory page none")

// processWords are names of processes and threads that say nothing about their owner.
var processWords = set(`
python python3 pt main thread pt_main_thread pt_data_worker pt_data_pin pt_autograd pt_nccl_watchdg nvidia smi xorg xwayland
gnome shell cuda evthandlr torchrun mpirun orted ray raylet vllm server worker workers process gpu gpus stream streams cpu trace
traces profiler pytorch spans dataloader data pin memory autograd nccl watchdog proxy service progress backward forward
engine total mps control dcgm exporter host device compute context kernel memcpy memset default name java node systemd kworker
scorer evaluator preprocessor inferencer encoder decoder tokenizer batcher scheduler exporter loader writer reader verifier object store py bash sh perl ruby docker containerd ssh sshd top sar pidstat iostat vmstat`)

// zoneWords are zones beside those of the tz database.
var zoneWords = set(`utc gmt z local kst jst cet cest eet eest wet west est edt cst cdt mst mdt pst pdt bst ist msk sgt hkt aest aedt
acst acdt awst nzst nzdt sast brt pkt ict wib trt`)

// zoneWord reports whether the word is a zone's abbreviation.
func zoneWord(s string) bool { return zoneWords[fold(s)] }

// inVocabulary reports whether a whole text is one word of a closed list; such an
// original is no secret.
func inVocabulary(s string) bool {
	s = fold(s)
	for _, m := range []map[string]bool{vocabulary, metricKeys, fileWords, metricWords, settingWords, processWords} {
		if m[s] {
			return true
		}
	}
	return false
}
