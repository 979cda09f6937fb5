package interp

import (
	"strings"
	"sync"
)

// hloDoc tells of an opcode: what it takes and what it gives.
type hloDoc struct{ operands, doc string }

// hloDocs are the opcodes of HLO by name.
var hloDocs = sync.OnceValue(func() map[string]hloDoc {
	table := map[string]hloDoc{}
	for line := range strings.Lines(strings.TrimSpace(hloDocText)) {
		f := strings.SplitN(strings.TrimSpace(line), "|", 3)
		table[f[0]] = hloDoc{f[1], f[2]}
	}
	return table
})

// hloDocText has a line for each opcode: its name, its operands, and what it does.
const hloDocText = `
abs|x|absolute value of each element; of complex numbers their length, a real number
acos|x|arc cosine of each element
acosh|x|inverse hyperbolic cosine of each element
add|x, y|sum of each pair of elements; of pred the or
add-dependency|x, token|x itself, which is not there before the token
after-all|tokens...|one token that is there when all of them are
all-gather|x...|pieces of all devices of a group, put together along dimensions
all-gather-done|start|waits for an all-gather-start
all-gather-start|x...|begins an all-gather, which goes on beside
all-reduce|x...|joins the values of all devices of a group by to_apply; each gets the result
all-reduce-done|start|waits for an all-reduce-start
all-reduce-start|x...|begins an all-reduce, which goes on beside
all-to-all|x...|each device gives each other device of the group a piece, and gets one
and|x, y|bitwise and of each pair of elements; of pred the logical one
asin|x|arc sine of each element
asinh|x|inverse hyperbolic sine of each element
async-done|start|waits for what an async-start began
async-start|x...|begins the computation calls, which goes on beside
async-update|start|a step of what an async-start began
atan2|y, x|angle of the point (x, y), for each pair of elements
atanh|x|inverse hyperbolic tangent of each element
batch-norm-grad|x, scale, mean, variance, grad|gradients of a batch normalisation
batch-norm-inference|x, scale, offset, mean, variance|normalises with a mean and a variance that are given
batch-norm-training|x, scale, offset|normalises over all dimensions but feature_index; gives mean and variance too
bitcast|x|the same bytes under another shape of the same size
bitcast-convert|x|the bits of each element as another element type
broadcast|x|repeats x along new dimensions; dimensions={…} says which of the result's are those of x
call|x...|calls the computation to_apply
cbrt|x|cube root of each element
ceil|x|nearest integer not below each element
cholesky|a|Cholesky decomposition of matrices; lower=true gives the lower triangle
clamp|min, x, max|x, but not below min and not above max
collective-broadcast|x|the value of the first device of each group, on all of them
collective-permute|x|sends x from device to device as source_target_pairs says
collective-permute-done|start|waits for a collective-permute-start
collective-permute-start|x|begins a collective-permute, which goes on beside
collective-reduce|x...|joins the values of all devices of a group by to_apply; the first one gets the result
compare|x, y|pred of each pair of elements: direction=EQ, NE, GE, GT, LE or LT
complex|real, imag|complex numbers of their parts
concatenate|x...|joins Arrays along the dimension of dimensions={…}
conditional|which, args...|calls one of several computations: by a pred true_computation or false_computation, by an index one of branch_computations
constant|literal|a value that stands in the text: constant(1), constant({1, 2})
convert|x|each element as another element type
convolution|x, kernel|convolution; window={…} moves the kernel, dim_labels names the dimensions
copy|x|a copy of x, perhaps with another layout
copy-done|start|waits for a copy-start
copy-start|x|begins a copy, which goes on beside
cosine|x|cosine of each element
cosh|x|hyperbolic cosine of each element
count-leading-zeros|x|number of zero bits before the first one, of each element
custom-call|x...|calls code outside of HLO, which custom_call_target names
divide|x, y|quotient of each pair of elements; of integers without the rest
domain|x|x, at the border of regions with different sharding
dot|x, y|product of matrices and its kind: sums over lhs_contracting_dims and rhs_contracting_dims, pairs the batch dimensions
dynamic-reshape|x, sizes...|x with sizes that are known when it runs
dynamic-slice|x, starts...|a piece of dynamic_slice_sizes, from indices that are known when it runs
dynamic-update-slice|x, update, starts...|x with a piece replaced, at indices that are known when it runs
erf|x|error function of each element
exp2|x|2 to the power of each element
exponential|x|e to the power of each element
exponential-minus-one|x|e to the power of each element, less one; exact near zero
fft|x|Fourier transform over the last dimensions: fft_type, fft_length
floor|x|nearest integer not above each element
fusion|x...|the computation calls as one kernel; kind says of which sort. The compiler makes these
gather|x, indices|pieces of slice_sizes of x, from the places that indices tell
get-dimension-size|x|how long x is in the dimension of dimensions={…}, an s32
get-tuple-element|tuple|the part number index of a tuple
imag|x|imaginary part of each element
infeed|token|a value from the host's queue, with a token
iota||counts from 0 along iota_dimension; takes no operands
is-finite|x|pred: each element is neither infinite nor a NaN
log|x|natural logarithm of each element
log-plus-one|x|natural logarithm of 1 + x, exact near zero
log2|x|logarithm to the base 2 of each element
logistic|x|1 / (1 + exp(-x)) of each element
map|x...|calls to_apply for each tuple of elements
maximum|x, y|the larger of each pair of elements
minimum|x, y|the smaller of each pair of elements
mulhi|x, y|upper half of the product of each pair of integers
multiply|x, y|product of each pair of elements; of pred the and
negate|x|each element with the other sign
not|x|each bit turned; of pred the logical not
opt-barrier|x|x; nothing is moved across it by the compiler
or|x, y|bitwise or of each pair of elements; of pred the logical one
outfeed|x, token|puts x into the host's queue; gives a token
pad|x, value|x with a border of value: padding=LOW_HIGH_INTERIOR for each dimension, with x between them
parameter|number|argument number 0, 1, … of the computation
partition-id||number of the partition that runs this, a u32
popcnt|x|number of bits that are one, of each element
power|x, y|x to the power of y, for each pair of elements
ragged-all-to-all|x, output, offsets...|an all-to-all whose pieces have different sizes
ragged-dot|x, y, sizes|a dot of groups of rows of different sizes
real|x|real part of each element
recv|token|begins to receive a value from another device or the host: channel_id
recv-done|recv|waits for a recv; gives the value and a token
reduce|x..., init...|joins the elements along dimensions={…} by the computation to_apply, beginning with init; these dimensions go
reduce-precision|x|rounds each element as if it had exponent_bits and mantissa_bits
reduce-scatter|x...|an all-reduce of which each device gets its piece
reduce-window|x..., init...|joins the elements in each place of a moving window by to_apply, beginning with init: pooling
remainder|x, y|rest of the division of each pair of elements, with the sign of x
replica-id||number of the replica that runs this, a u32
reshape|x|the same elements, in the same order, under another shape
reverse|x|elements of the dimensions of dimensions={…} in the other order
rng|a, b|random numbers: distribution=rng_uniform from a to b, rng_normal of mean a and deviation b
rng-bit-generator|state|random bits and the next state: algorithm=rng_default, rng_three_fry or rng_philox
rng-get-and-update-state||the process's random state, which moves on by delta
round-nearest-afz|x|nearest integer; halves go away from zero
round-nearest-even|x|nearest integer; halves go to the even one
rsqrt|x|1 / square root of each element
scaled-dot|x, y, scales...|a dot whose operands have scales
scan|x..., init...|to_apply from one end of a dimension to the other, with what it carries
scatter|x..., indices, updates...|x with updates at the places that indices tell; to_apply joins old and new
select|pred, x, y|of each pair of elements that of x where pred is true, else that of y
select-and-scatter|x, source, init|puts each element of source where select chooses in its window; scatter joins them
send|x, token|begins to send a value to another device or the host: channel_id
send-done|send|waits for a send; gives a token
set-dimension-size|x, size|x with a size of a dimension that is known when it runs
shift-left|x, n|bits moved to the left
shift-right-arithmetic|x, n|bits moved to the right; the sign stays
shift-right-logical|x, n|bits moved to the right; zeros come in
sign|x|-1, 0 or 1 for each element
sine|x|sine of each element
sinh|x|hyperbolic sine of each element
slice|x|a piece of x: slice={[START:LIMIT:STRIDE], …} for each dimension
sort|x...|sorts along the dimension of dimensions={…} by to_apply, which compares two elements
sqrt|x|square root of each element
stochastic-convert|x, random|each element as a narrower type, rounded by random bits
subtract|x, y|difference of each pair of elements
tan|x|tangent of each element
tanh|x|hyperbolic tangent of each element
topk|x|the k largest elements of the last dimension and where they are; largest=false the smallest
transpose|x|dimensions in another order: dimensions={1,0}
triangular-solve|a, b|x of a·x = b for triangular a; left_side=false: of x·a = b
tuple|x...|a tuple of values
while|state|calls body with the state as long as condition says so
xor|x, y|bitwise exclusive or of each pair of elements
`

// hloAttrDocs tell what the attributes of instructions are.
var hloAttrDocs = map[string]string{
	"dimensions": "dimensions of the operand, or of the result: {0,1}", "is_stable": "equal elements stay in their order",
	"iota_dimension": "the dimension along which it counts", "index": "number of the part, from 0",
	"parameter_replication": "which parts are the same on all replicas", "slice": "{[START:LIMIT:STRIDE], …}, one for each dimension",
	"dynamic_slice_sizes": "sizes of the piece: {2,3}", "padding": "LOW_HIGH_INTERIOR for each dimension, with x between them: 1_1_0x0_0_0",
	"direction": "which comparison", "order": "how NaNs and zeros compare", "type": "as what the elements are compared",
	"lhs_batch_dims": "dimensions of the first operand that are paired and stay", "rhs_batch_dims": "dimensions of the second operand that are paired and stay",
	"lhs_contracting_dims": "dimensions of the first operand that are summed over", "rhs_contracting_dims": "dimensions of the second operand that are summed over",
	"lhs_ragged_dims": "the dimension of the first operand that is in groups", "rhs_group_dims": "the dimension of the second operand that numbers the groups",
	"operand_precision": "{default,highest}, one for each operand", "algorithm": "how it is computed",
	"window":     "{size=3x3 stride=2x2 pad=1_1x1_1 lhs_dilate=… rhs_dilate=… rhs_reversal=…}",
	"dim_labels": "dimensions of input_kernel->output: b01f_01io->b01f", "feature_group_count": "into how many groups the features fall",
	"batch_group_count": "into how many groups the batch falls", "offset_dims": "dimensions of the result that are those of the pieces",
	"collapsed_slice_dims": "dimensions of the pieces that are 1 long and go", "start_index_map": "dimensions of the operand that the indices tell",
	"operand_batching_dims": "dimensions of the operand that are paired with those of the indices", "start_indices_batching_dims": "dimensions of the indices that are paired with those of the operand",
	"index_vector_dim": "the dimension of the indices that holds an index's parts", "slice_sizes": "sizes of a piece: {1,3}",
	"indices_are_sorted": "the indices are in order", "unique_indices": "no index is there twice",
	"update_window_dims": "dimensions of the updates that are those of the pieces", "inserted_window_dims": "dimensions of the operand that the pieces do not have",
	"scatter_dims_to_operand_dims": "dimensions of the operand that the indices tell", "input_batching_dims": "dimensions of the operand that are paired with those of the indices",
	"scatter_indices_batching_dims": "dimensions of the indices that are paired with those of the operand",
	"fft_type":                      "which transform", "fft_length": "lengths of the last dimensions: {8}", "exponent_bits": "bits of the exponent", "mantissa_bits": "bits of the mantissa",
	"lower": "the lower triangle", "left_side": "a stands to the left of x", "unit_diagonal": "the diagonal of a is taken for ones", "transpose_a": "how a is turned",
	"distribution": "of which kind the numbers are", "delta": "by how much the state moves", "k": "how many", "largest": "the largest, not the smallest",
	"epsilon": "added to the variance", "feature_index": "the dimension that is not normalised over", "kind": "of which sort the kernel is",
	"output_to_operand_aliasing": "results that lie in the memory of operands", "is_composite": "the call stands for an operation of its own",
	"custom_call_target": "name of the code that is called: \"…\"", "custom_call_has_side_effect": "it is not removed where its result is not used",
	"operand_layout_constraints": "the operands' shapes with their layouts", "literal": "a value that the call gets", "schedule": "when it is scheduled", "api_version": "how it is called",
	"padding_type": "how the window's border is chosen", "channel_id": "number that joins those who communicate", "replica_groups": "devices that belong together: {{0,1},{2,3}}",
	"constrain_layout": "the layouts stay as they are", "use_global_device_ids": "replica_groups has numbers of devices",
	"has_dynamic_root": "the first device is known when it runs", "source_target_pairs": "who sends to whom: {{0,1},{1,0}}", "is_host_transfer": "the other end is the host",
	"infeed_config": "a text for the queue", "outfeed_config": "a text for the queue", "outfeed_shape": "the shape that the host sees", "domain": "{kind=\"sharding\", entry=…, exit=…}",
	"cross_program_prefetch_index": "number of the prefetch", "num_carries": "how many values are carried", "is_reverse": "from the end to the start", "is_associative": "it may be done in any order",
	"to_apply": "the computation that it applies", "calls": "the computation that it calls", "condition": "the computation that tells whether to go on", "body": "the computation of one round",
	"select": "the computation that chooses", "scatter": "the computation that joins", "true_computation": "what is called for true", "false_computation": "what is called for false",
	"branch_computations": "what is called for 0, 1, …: {a, b}", "called_computations": "computations that the code may call: {a, b}",
	"sharding": "how the result lies on the devices", "frontend_attributes": "attributes of a person's own: {tag=\"a\"}", "metadata": "where it comes from: {op_name=\"jit(f)/sin\" source_file=\"…\" source_line=1}",
	"result_accuracy": "how exact it must be", "origin": "which value of the first program it is", "backend_config": "a text or JSON for the compiler's back end",
	"control-predecessors": "instructions that come before it: {a, b}", "async_execution_thread": "the thread that runs it",
	"is_scheduled": "the instructions stand in the order in which they run", "input_output_alias": "results that lie in the memory of parameters: {0}: (0, {}, may-alias)",
	"buffer_donor": "parameters whose memory may be used again", "entry_computation_layout": "shapes and layouts of parameters and result: {(f32[2]{0})->f32[2]{0}}",
	"alias_passthrough_params": "parameters that are results lie in the same memory", "replica_count": "how many replicas there are", "num_partitions": "how many partitions there are",
	"allow_spmd_sharding_propagation_to_parameters": "sharding of parameters may be chosen", "allow_spmd_sharding_propagation_to_output": "sharding of results may be chosen",
}
