"""What the fuzzer does not draw, and where answers may differ from TensorFlow's: the reasons.

Long because: every cause has its entry.
"""

import re

import numpy as np

# Pattern of ops -> why they are not drawn.
EXCLUDED = {
    "Abort": "ends the process, as it should",
    "Placeholder.*|Const|ImmutableConst|FakeParam": "no inputs to vary",
    "ReadFile|WriteFile|MatchingFiles|Save.*|Restore.*|MergeV2Checkpoints": "files",
    "Print.*|Timestamp|NonDeterministicInts": "prints, or never the same",
}
# Pattern of ops -> why their values (not their shapes) are free.
FREE = (
    ("(Batch)?Svd|Qr|(Batch)?SelfAdjointEig.*", "signs of vectors are free"),
    ("Empty", "memory as it is"),
)

ONLY_OURS = r"^only ours fails: InvalidArgument"
ONLY_THEIRS = r"^only TensorFlow fails: (InvalidArgument|Internal|Aborted)"
VALUES = r"^values: "
UNCHECKED = "TensorFlow does not check that these shapes and sizes agree, and reads what is there"
EMPTY = "an answer without elements: TensorFlow's checks come in another order"
TWO_FAULTS = "two things are wrong with it: TensorFlow names the other"
NAN_ORDER = (
    "NaN, infinities and numbers near the largest go through sums and products in another order"
)
COMPLEX_EDGES = (
    "complex infinities: the library's products, divisions and logarithms keep them finite or not"
)

# (ops, difference, TensorFlow's version or None for both, why)
LISTED = (
    (
        ".*",
        "^class: ours Unimplemented: no kernel.*(Signature mismatch|No OpKernel|root error)",
        None,
        "a dtype without a kernel is UNIMPLEMENTED here",
    ),
    (
        "ComplexAbs|Real|Imag|Angle|Complex",
        "ours.* Unimplemented: no kernel for",
        None,
        "a combination of dtypes without a kernel is UNIMPLEMENTED here",
    ),
    (
        ".*Pool.*Grad.*|.*Pool.*|.*Conv.*|DepthToSpace|SpaceToDepth",
        "^class: ours Unimplemented.*(NHWC|NDHWC|supports|NCHW_VECT_C)",
        None,
        "a layout without a kernel is UNIMPLEMENTED here",
    ),
    (
        ".*",
        "^only TensorFlow fails.*(currently (only )?support|Unsupported data type|No OpKernel was|"
        "Only tensors with ranks|Only indices.shape|Output must be at least 1-D|same rank|"
        "Inner dimension should|only supports equal length strides|"
        "Unhandled input dimensions|Input dims must be|handle up to|ranks up to|"
        "only support up to|not yet support dilation|has constraint on attr|Fused mirror padding|"
        "must not be empty|requires at least one element)",
        None,
        "ours goes further: more dtypes, ranks or dilations",
    ),
    (
        "Sparse.*|EditDistance|CombinedNonMaxSuppression|.*Broadcast.*",
        "^only ours fails.*(out.of.bounds|negative)",
        None,
        "indices outside the shape and negative sizes are refused",
    ),
    (
        "Dilation2D.*|Depthwise.*|DrawBoundingBoxes.*|MatrixDiagV.",
        "^only ours fails.*(zero elements|4 coordinates|must be a scalar|"
        "only one element|rates should be larger)",
        None,
        UNCHECKED,
    ),
    ("Gather(V2)?", "^only TensorFlow fails.*is not in", 1, "2.x reads no index of empty rows"),
    ("UnsortedSegment.*", "^only ours fails.*is out of range", None, EMPTY),
    ("ReluGrad", "^values.*nan", None, "TensorFlow multiplies by 0 what flows into a negative"),
    ("ParallelDynamicStitch", "^only ours fails.*is out of range", None, UNCHECKED),
    ("DynamicStitch", "^only ours fails.*out of range", 1, "of no rows 1.15 looks at no index"),
    ("Sparse.*", "^only ours fails.*match", 1, UNCHECKED),
    (
        "Conv[23]D",
        "^only ours fails.*zero elements",
        1,
        "a filter without taps is refused since 2.x",
    ),
    (
        "Conv3D.*",
        "^only ours fails.*input and filter must have the same depth",
        1,
        "1.15 reads beyond the filter",
    ),
    (
        "(Dense|Sparse)ToSparseSet.*|SetSize",
        "^class: ours InvalidArgument.*Internal: indices",
        None,
        "named by the index, not as INTERNAL",
    ),
    (
        "FusedBatchNorm.*",
        "(only supports NHWC|estimated_variance must be empty)",
        None,
        "ours has kernels for more layouts, and reads no variance in training",
    ),
    (
        ".*",
        "^class: ours ResourceExhausted",
        None,
        "the size is asked for before other checks are made",
    ),
    ("Reshape", "^only ours fails.*must be 1-D", 2, "2.x takes a scalar for a shape of one size"),
    ("Fill", "^only TensorFlow fails.*must be a", 1, "2.x takes vectors for scalars and back"),
    ("GatherNd", "^only TensorFlow fails.*params is empty", 2, "1.15 hands out what is empty"),
    ("GatherNd", "^only ours fails.*params is empty", 1, "refused for some dtypes alone in 1.15"),
    ("SparseReduce.*", "^class: ours InvalidArgument.*Internal: Obtained", 2, "named by the index"),
    (
        ".*",
        "^only TensorFlow fails: Aborted: (Operation|Compute) received an exception",
        2,
        "what this machine's oneDNN within TensorFlow cannot do",
    ),
    (
        "Softmax|LogSoftmax|.*Pool.*",
        "^class: ours InvalidArgument.*TensorFlow: Aborted",
        2,
        "INVALID_ARGUMENT where oneDNN refuses within TensorFlow",
    ),
    ("SparseSparseM.*", "^only TensorFlow fails.*out of bounds", 2, "a check that came with 2.x"),
    ("Reverse", "^only TensorFlow fails.*first dimension. Found 0", 2, "refused since 2.x"),
    (
        "Sparse.*",
        r"^only ours fails.*Dimension -\d+ must be >= 0",
        None,
        "a shape is checked; 1.15 dies of it",
    ),
    (
        "ArgMin|ArgMax",
        r"^only ours fails.*Expected dimension in the range .* but got -?\d{9,}",
        None,
        "TensorFlow takes the low 32 bits of a dimension",
    ),
    (
        "Conv[23]D",
        "^output 0 is",
        2,
        "an image smaller than the filter: oneDNN gives the input's size",
    ),
    (
        "FusedBatchNormV.|FusedBatchNorm",
        "estimated_mean must be empty",
        1,
        "2.x allows a mean here",
    ),
    ("Prod|Cumprod|.*SegmentProd", r"^values.*(nan|inf).*j", None, COMPLEX_EDGES),
    ("DepthwiseConv2dNative", "^only ours fails.*batch and depth", 1, UNCHECKED),
    ("CropAndResize", "^only ours fails.*boxes must have", None, EMPTY),
    ("(Batch)?MatrixSolveLs", "^only ours fails.*l2_regularizer", None, EMPTY),
    ("Resize.*", "^only ours fails: ResourceExhausted", None, EMPTY),
    ("Mean", "^values.*u?int(8|16)", 1, "the count is taken in the narrow type"),
    ("EncodeWav", "^only TensorFlow fails.*(num_frames|is null)", 1, "no frames are a file in 2.x"),
    (
        "MatrixDiagV.|QuantizeDownAndShrinkRange|Requantize",
        "^only TensorFlow fails.*must be (a scalar|rank 0 but is rank 1)",
        2,
        "one element is a scalar here",
    ),
    ("SparseFillEmptyRows", "^only ours fails.*cannot be empty", 1, UNCHECKED),
    (
        ".*ScatterNd.*",
        r"^only ours fails.*indices.shape=\[\d+\]\]",
        None,
        "of a vector of indices TensorFlow reads the first alone",
    ),
    ("Sharded.*", "basename must be", None, "a name is one word, whatever its shape"),
    (
        "Reverse|ReverseV2|InplaceUpdate|Bincount|DiagPart|MatrixDiagPart.*|InplaceSub|InplaceAdd|"
        "NonMaxSuppression.*|SparseDenseCwise.*",
        ONLY_OURS,
        None,
        UNCHECKED,
    ),
    (
        "SparseCross|FakeQuant.*|QuantizeAndDequantize.*|ResourceScatterDiv|MaxPoolWithArgmax|"
        "FractionalAvgPool|SplitV|Pad|Mirror.*",
        ONLY_THEIRS,
        2,
        "a check that came with 2.x",
    ),
    (
        "RequantizationRange|QuantizeDownAndShrinkRange",
        VALUES,
        None,
        "the range of nothing is empty; TensorFlow's begins at the input's",
    ),
    ("StringFormat", VALUES, None, "an empty tensor of rank 5 shows no lines"),
    ("Sqrt|Rsqrt", VALUES, 1, "1/sqrt(-0) is -inf, sqrt(inf) inf, by IEEE and since 2.x"),
    ("Erf", "^values.*nan", 2, "2.x's vectors make NaN of infinity"),
    ("MatrixLogarithm", VALUES, None, "which branch eigenvalues on the negative axis take"),
    ("DataFormatVecPermute", ONLY_THEIRS, 1, "the two spatial sizes alone are taken since 2.x"),
    ("FusedBatchNorm.*", "^only ours fails.*same number of elements", 1, UNCHECKED),
    ("FusedBatchNorm.*", "must be 1-dimensional", None, "a mean that training does not read"),
    (
        "Serialize(Many)?Sparse",
        "^only",
        None,
        "the tensor is checked as SparseTensors are elsewhere",
    ),
    ("Extract.*Patches|Fused.*Conv2D", ONLY_OURS, None, UNCHECKED),
    ("Mean", "^values.*nan.*TensorFlow's.*0.0", 1, "bfloat16 of nothing: 0 in 1.15"),
    ("Erfinv", VALUES, 2, "near 1 and -1 TensorFlow's has few digits"),
    ("String(Lower|Upper)", VALUES, None, "TensorFlow ends a text at its first NUL"),
    ("String(Lower|Upper)", VALUES, 1, "letters that are in Unicode since, or have capitals"),
    ("StringNGrams", VALUES, 1, "1.15 pads empty rows with what stands before them"),
    ("StringNGrams|UnicodeEncode|RaggedTensorToSparse", ONLY_OURS, 1, UNCHECKED),
    ("LRN", "^values.*float16", None, "TensorFlow rounds alpha and bias to half numbers"),
    ("SetSize", "^only ours fails.*out of bounds", 2, UNCHECKED),
    (".*Conv2.*BackpropInput", "^only ours fails.*Dimension -1", 2, "since 2.x the other's batch"),
    ("Prod", "^values.*float16", None, "TensorFlow multiplies half numbers in half"),
    ("DecodeRaw", "^values.*j", 1, "1.15 turns a complex number around as a whole"),
    (".*Pool.*", "^class: ours Unimplemented.*batch.*must be 4-dim", None, TWO_FAULTS),
    ("UnicodeEncode", VALUES, 1, "1.15 writes surrogates as they are"),
    ("RaggedTensorToSparse", "^only ours fails.*must be vectors", None, UNCHECKED),
    ("RaggedGather", "^class: ours InvalidArgument: indices of rank.*Internal", None, "by name"),
    ("RaggedGather", "^only ours fails.*must not be scalars", 1, UNCHECKED),
    ("LeakyRelu(Grad)?", "^values.*TensorFlow's.*(nan|inf)", None, "half: its alpha is infinite"),
    ("EditDistance", "^class: ours InvalidArgument", None, "named by the index, not as INTERNAL"),
    ("ExtractGlimpse", "^only ours fails.*offset out of range", None, "2^31 pixels away"),
    ("ExtractGlimpse", VALUES, None, "the noise around the image is random"),
    ("Substr", "same shape", None, "pos and len agree in shape, as the op's text says"),
    ("Requant.*|Quantize.*|Dequantize", ONLY_OURS, None, UNCHECKED),
    ("FusedBatchNorm.*", "^(output|values)", None, "the reserved outputs, and those of no image"),
    ("SparseSlice", "^output 0 is", None, "a slice without columns has no rows"),
    ("Polygamma|Digamma|Zeta", VALUES, 1, "the pole at 0 is NaN since 2.x, infinite in 1.15"),
    (".*Apply(Proximal|Centered).*", "^values.*nan", None, "0/0 and roots of what rounds below 0"),
    (
        ".*Conv.*",
        "^class: ours InvalidArgument.*TensorFlow: (Aborted|Internal|Unknown)",
        2,
        "INVALID_ARGUMENT where oneDNN throws within TensorFlow",
    ),
    (
        "(Max|Avg)Pool.*",
        "^only TensorFlow fails.*(NHWC|NDHWC|CPU)",
        None,
        "ours has kernels for more layouts",
    ),
    (
        "EuclideanNorm",
        VALUES,
        None,
        "without axes TensorFlow hands the input through, sign and all",
    ),
    ("CumulativeLogsumexp", VALUES, 2, "-inf before the first element since 2.x; ours is 1.15's"),
    ("Mean|Sum|Prod|Max|Min|All|Any|EuclideanNorm", ".*duplicate", 1, "an error since 2.x"),
    ("MaxPool(3D)?Grad(Grad.*)?", VALUES, None, "orig_output is no pool of orig_input"),
    (
        "MaxPool(3D)?GradGrad.*",
        "^class: ours Unimplemented: (Non-spatial|Pooling is not)",
        None,
        TWO_FAULTS,
    ),
    (
        "SparseToSparseSetOperation",
        "^class: ours InvalidArgument.*out of bounds.*Invalid dim_size",
        None,
        TWO_FAULTS,
    ),
    ("Range", "^only TensorFlow fails.*scalar", 1, "2.x takes a vector of one element too"),
    ("TopKV2", r"^only ours fails.*needed \d{10}", 2, "2.x takes a k of 64 bits modulo 2^32"),
    ("ApplyAdadelta", "^only ours fails.*accum_update", None, UNCHECKED),
    ("Softplus", "^values.*inf", 1, "1.15 takes exp of what is large for bfloat16"),
    (
        "BatchCholesky",
        "^only ours fails.*not successful",
        2,
        "NaN since 2.x; its graphs, being old, get what they get in 1.x",
    ),
    (
        "Cholesky",
        r"^values.*nan.*\dj",
        2,
        "2.x answers 0 for one negative complex number",
    ),
    (
        "Fused(ResizeAnd)?PadConv2D",
        r"^values: output 0 at \((np\.int64\()?[1-9]",
        None,
        "TensorFlow keeps resized rows of the image before: its own ops in a row give our answer",
    ),
    ("Fused(ResizeAnd)?PadConv2D", "^only TensorFlow fails.*can't be empty", None, EMPTY),
    ("FractionalMaxPoolGrad", "^only TensorFlow fails.*tensor_out", None, "the same"),
    ("NonMaxSuppression.*", "^output|^values", 1, "1.15's overlap of half boxes counts any as one"),
    ("SplitV", ONLY_THEIRS, 1, "one output of size -1 is an error in 1.15 alone"),
    ("UnravelIndex", ONLY_THEIRS, 2, "empty indices are an error since 2.x"),
    ("SparseDenseCwiseDiv", ONLY_THEIRS, 2, "division by zero is an error since 2.x"),
    ("TridiagonalSolve", "perturb_singular", 2, "perturb_singular is for GPUs"),
    ("ResizeNearestNeighborGrad", "half_pixel_centers", None, "refused as by the op itself"),
    ("Unique.*|ListDiff", r"output 0 is (float16|bfloat16)", None, "half zeros are equal here"),
    ("BroadcastArgs", "negative size", None, "a negative size is refused"),
    ("SparseAdd", "thresh must", None, "thresh is of the values' real type"),
    ("Softmax|LogSoftmax", VALUES, 2, "a row with NaN is all NaN here, as in 1.15"),
    ("QuantizeV2", "the range must have", 1, UNCHECKED),
    (
        "DepthwiseConv2dNative",
        "^output 0 is",
        None,
        "a negative size is no size; oneDNN gives the input's, and 1.15 forgets the dilations",
    ),
    ("AudioSpectrogram", ONLY_THEIRS, None, "TensorFlow expects one column less than it computes"),
    (
        "(Inv|Reciprocal|Sqrt|Rsqrt|Sigmoid|Tanh)Grad",
        "^only ours fails.*must have the same size and shape",
        None,
        UNCHECKED,
    ),
    (
        "ResourceScatter.*",
        "^only ours fails.*(Must have updates.shape|at least 1-D)",
        None,
        UNCHECKED,
    ),
    (".*LSTM.*", "^only ours fails.*must (have shape|be a scalar)", None, UNCHECKED),
    ("(Resource)?Apply(Add|Power)Sign", "^only ours fails.*sign_decay is not a", None, UNCHECKED),
    ("(Resource)?Apply(Add|Power)Sign", "^values.*nan", 2, "the sign of NaN is NaN since 2.x"),
    (
        "(Resource)?ApplyFtrl.*",
        "^only ours fails.*scalar:",
        2,
        "2.x checks no rates; ours is 1.15's",
    ),
    ("(Resource)?Sparse.*Apply.*", "^only ours fails.*(match in|same rank)", None, UNCHECKED),
    ("SerializeSparse", "^class.*not convertible to numpy", None, UNCHECKED),
    ("DenseBincount", "^only ours fails.*non-neg.*-9223372036854775808", 2, "the least number"),
    (
        "(Depthwise|Conv|Dilation).*Backprop.*|.*Pool(3D)?Grad.*|FusedBatchNormGrad.*|LRNGrad",
        "^only ours fails.*([Dd]ilat|Sliding window|larger than 0|Expected .* shapes? to be|"
        "match computed|same batch|out_depth|size would be negative|same shape|must be 4-dim|"
        "must have . elem|positive height)",
        None,
        UNCHECKED,
    ),
    (
        ".*Conv.*Backprop.*",
        "^only ours fails.*"
        "(same|divisible|dimensional|out_depth|positive|zero elements|doesn't match)",
        None,
        EMPTY,
    ),
    ("(ScaleAndTranslate|Resize.*)Grad", "^only ours fails.*(non-zero|at least one)", None, EMPTY),
    ("SparseSegment.*Grad.*", r"^only ours fails.*out of range \[0, 0\)", None, EMPTY),
    (
        "SparseSegment.*Grad.*",
        "^only ours fails.*Segment id",
        None,
        "TensorFlow takes one more than there is",
    ),
    ("(Upper|Lower)Bound", "^only ours fails.*must be matrices", 1, UNCHECKED),
    ("UnravelIndex", "^only ours fails.*(out of bound|dims cannot|overflow)", None, UNCHECKED),
    ("SparseAddGrad", VALUES, None, "the sum's indices hold not all of an operand's"),
    ("DepthwiseConv2dNative", "^(values|only ours fails.*dilations)", 1, "1.15 forgets dilations"),
    ("DepthwiseConv2dNativeBackprop.*", VALUES, None, "TensorFlow's gradient forgets dilations"),
    ("Dequantize", "^only Tens.* NotFound.*Mkl", 2, "a kernel that is missing within TensorFlow"),
    (
        "BatchNormWithGlobalNormalization(Grad)?",
        "^only ours fails.*must have (shape|.* elements)",
        None,
        UNCHECKED,
    ),
    ("LSTMBlockCell", "^only TensorFlow fails.*is empty", 2, "a check that came with 2.x"),
    ("Sign", "^values.*nan", 2, "the sign of NaN is NaN since 2.x; ours is 1.15's"),
    (
        "RandomCrop",
        "^only ours fails.*(target_|has no size)",
        None,
        "TensorFlow takes the low 32 bits of a size",
    ),
    ("QuantizeV2", VALUES, 2, "oneDNN within TensorFlow rounds otherwise; ours is 1.15's"),
    ("UnravelIndex", VALUES, None, "sizes whose product is no integer"),
    ("CombinedNonMaxSuppression", "^only ours fails.*must be positive", 1, "as 2.x checks"),
    (
        "SparseTensorDenseMatMul",
        "^values.*j",
        1,
        "1.15's adjoint of complex numbers is a transpose",
    ),
    ("CropAndResizeGrad.*", VALUES, None, "a sample on the image's very edge: rounding decides"),
    ("ResizeArea", "^values.*nan", None, "one pixel with aligned corners: 0/0"),
    ("MatrixDiagV.", r"^only ours fails.*(2\*\*63 - 1 elements|out of bound)", None, UNCHECKED),
    ("Einsum", "^only ours fails.*Expected dimension", None, EMPTY),
    (
        "Einsum",
        "^class: ours InvalidArgument.*Internal",
        None,
        "named by the sizes, not as INTERNAL",
    ),
    ("RandomPoisson.*", "^values.*nan", None, "an infinite rate"),
    ("Transpose|ConjugateTranspose", ONLY_THEIRS, 1, "axes counted from the end came with 2.x"),
    ("MatrixBandPart", VALUES, None, "a count far below zero: TensorFlow's sum overflows"),
    ("DataFormatDimMap", VALUES, None, UNCHECKED),
    ("SparseSplit", "^only ours fails.*split_dim", 1, "1.15 takes the low bits of an axis"),
    ("Roll", "^only ours fails.*axis.*range", None, "TensorFlow takes the low bits of an axis"),
    ("FloorDiv", "^values.*int", 1, "1.15 takes the lowest integer for its absolute value"),
    (
        "FloorDiv",
        r"^values.*-1\.0\), TensorFlow's.*\(-0\.0\)",
        None,
        "TensorFlow takes a quotient smaller than the normal numbers for 0",
    ),
    (
        "UnsortedSegment.*",
        r"^only ours fails: (ResourceExhausted|.*== -\d{9,} must)",
        None,
        "TensorFlow takes the low 32 bits of num_segments",
    ),
    (
        "StringNGrams",
        "^only ours fails.*(First|Last) split value",
        2,
        "TensorFlow takes the low 32 bits of a split",
    ),
    (
        "NonMaxSuppression.*",
        "^only TensorFlow fails.*iou_threshold",
        1,
        "1.15 reads the threshold of half boxes as a half number",
    ),
    ("QuantizeV2", "^values.*2147483", 1, "what does not fit wraps in 1.15"),
    ("QuantizeV2", r"^values.*: -?\d{8,}, ", 1, "single precision holds 24 of 32 bits"),
    ("RandomGamma", "^values.*(nan|inf)", None, "an infinite shape of a distribution"),
    ("Mean", "^values.*u?int", 2, "2.x's vectors divide integers otherwise; ours is 1.15's"),
    (
        "Minimum|Maximum|Max|Min|SparseSparseM.*",
        "^values.*nan",
        2,
        "NaN on either side since 2.x; ours is 1.15's",
    ),
    (
        "(Batch)?MatrixTriangularSolve",
        "^only ours fails.*not invertible",
        2,
        "2.x divides by the zero; ours is 1.15's",
    ),
    (
        "TridiagonalSolve",
        "^only ours fails.*(is zero|not invertible)",
        2,
        "2.x divides by the zero; ours is 1.15's",
    ),
    ("BatchMatrixTriangularSolve", "^only TensorFlow fails.*same outer", 1, "2.x broadcasts"),
    ("CropAndResize", "^only TensorFlow fails.*not finite", 2, "a check that came with 2.x"),
    (
        "CombinedNonMaxSuppression",
        VALUES,
        None,
        "boxes of equal scores, or whose corners are not in order",
    ),
    (
        "FakeQuantWithMinMaxVars.*",
        VALUES,
        None,
        "a range whose minimum is not below its maximum",
    ),
    ("(BlockLSTM|LRN)Grad.*", "^values.*(nan|inf)", None, "half numbers overflow in another order"),
    ("Round", "^values.*int", 2, "2.x rounds integers to others"),
    ("Cast", "^values.*int", 2, "what does not fit: 2.x's vectors and its rest differ"),
    ("Conv2D", "^only ours fails.*(divisible|zero elements)", None, EMPTY),
    ("DepthwiseConv2dNative", "^only ours fails.*4-dimensional", None, EMPTY),
    (
        "AvgPool(3D)?|DepthwiseConv2dNative|Conv[23]D",
        "^only ours fails.*[45]-dimensional",
        2,
        "oneDNN within TensorFlow does not ask for the rank",
    ),
    (
        ".*SetOperation",
        "^only ours fails.*is (repeated|out of order)",
        1,
        "1.15 looks at one operand's order",
    ),
    (
        "Transpose|ConjugateTranspose",
        r"^only ours fails.*-\d{9,} is out of range",
        1,
        "1.15 takes the low 32 bits of an axis",
    ),
    ("BroadcastTo", "^only ours fails.*Incompatible shapes", 1, EMPTY),
    (
        "Conv[23]D|DepthwiseConv2dNative|Conv3DBackprop.*",
        "^only TensorFlow fails.*(zero elements|at least 1 element)",
        2,
        "a check that came with 2.x",
    ),
    (
        "Conv2DBackpropInput",
        "^only ours fails.*(Dimension -1 must|explicit_paddings)",
        2,
        "oneDNN within TensorFlow takes -1 for the size of the batch, and reads no paddings",
    ),
    ("SparseConcat", "^class: .*Internal: Encountered overflow", None, "not as INTERNAL"),
    (".*SetOperation|SetSize", "^only ours fails.*out of bounds", None, UNCHECKED),
    (
        ".*SetOperation|SetSize",
        "^only TensorFlow fails.*(out of order|repeated)",
        1,
        "2.x checks if asked to",
    ),
    ("Substr", "^output 0 is", None, EMPTY),
    ("SparseSoftmax", VALUES, None, "many values at one index: sorted in any order"),
    ("SparseReorder", VALUES, 1, "many values at one index: 1.15's sort leaves them in any order"),
    (
        "ConcatOffset|Mfcc|SparseSplit|UnsortedSegmentJoin",
        "^only TensorFlow fails.*scalar",
        None,
        "one element is a scalar here",
    ),
    ("Concat(V2)?", r"^only TensorFlow fails.*scalar.*\[1\]", 1, "2.x takes a vector of one axis"),
    (
        "DepthToSpace|SpaceToDepth",
        "^only TensorFlow fails.*Only NHWC",
        None,
        "ours has kernels for more layouts",
    ),
    ("IgammaGradA", "^values.*nan", None, "a slope at infinity"),
    (
        ".*",
        r"^(class: ours|only ours fails).*would have more than 2\*\*63",
        None,
        "a size of 0 does not hide a product of the others that is no integer",
    ),
    ("ImageSummary", VALUES, None, "another file of the same pixels, which summary_test compares"),
    (
        "MatrixSquareRoot",
        r"^values.*complex",
        None,
        "rounding decides on which side of the cut an eigenvalue lies",
    ),
    ("(Resource)?SparseApplyFtrl.*", "^values.*nan", None, "0 / 0 where nothing is learnt"),
    (
        "(Resource)?(Sparse)?ApplyAdagradDA",
        "^values.*(nan|inf)",
        None,
        "a divisor 0: of which sign depends on how the quotient is written",
    ),
    ("GatherV2", "^only ours fails.*should be equal to indices", 1, UNCHECKED),
    ("Conv3D", "^only ours fails.*divisible by filter depth", 1, EMPTY),
    ("FakeQuantWith.*", r"^values.*\(\d of", 2, "2.x rounds ties otherwise; ours is 1.15's"),
    ("Conv2D", "^only ours fails.*number of groups", 1, UNCHECKED),
    ("DecodePaddedRaw", VALUES, 1, "1.15 writes the first of a batch alone"),
    ("RaggedGather", "^output", 1, "1.15 makes other splits for indices of rank 3"),
    (
        "ParameterizedTruncatedNormal",
        "^only TensorFlow fails.*failed to accept",
        None,
        "its sampler gives up",
    ),
    ("RaggedRange", VALUES, None, "TensorFlow's threads take what is below the normal range for 0"),
    ("TridiagonalSolve", "^values.*nan", None, "a pivot of 0, or nearly: rounding decides"),
    (
        "(Resource)?Apply(Power|Add)Sign",
        "^values.*float16",
        None,
        "a moment near 0, whose sign TensorFlow's roundings to half numbers decide",
    ),
    ("Igammac?", VALUES, 2, "2.x's series ends too early where both arguments are near 1e5"),
    ("AdjustHue", VALUES, None, "many turns of the circle: single precision keeps few digits"),
    ("BiasAddGrad", VALUES, 1, "1.15 adds up ranks above 5 in part in NCHW"),
    ("Relu6Grad", "^values.*nan", None, "TensorFlow multiplies by 0 what flows nowhere"),
    ("(Batch)?CholeskyGrad", "^values.*nan.*inf", None, "a zero on the diagonal"),
    ("RandomGammaGrad", VALUES, None, "a sample that no gamma gives: 0, or out of proportion"),
    ("SparseSliceGrad|I?RFFT.*|FractionalMaxPool(Grad)?", ONLY_THEIRS, None, EMPTY),
    (".*Pool.*", ONLY_OURS, None, EMPTY),
    ("AvgPool(3D)?|MaxPool(3D|WithArgmax|V2)", "^only ours fails.*Sliding window", None, UNCHECKED),
    ("ResourceGather", "^only ours fails.*batch_dims", None, UNCHECKED),
    ("ConcatOffset", "^only ours fails.*does not fit", None, "an offset beyond 32 bits is refused"),
    (
        "SparseSplit",
        "^only TensorFlow fails.*num_split",
        None,
        "2.x takes the low 32 bits of a size, 1.15 whatever stands before it for an axis below 0",
    ),
    ("SparseTensorDenseMatMul", "^only ours fails.*out of bounds", None, EMPTY),
    ("CombinedNonMaxSuppression", r"^output . is \w+\(0, ", None, EMPTY),
    (
        "FusedBatchNormV3|FusedBatchNormGradV3",
        "^only TensorFlow fails.*4-dimensional",
        None,
        "a fifth dimension came with 2.x, at first for half numbers or where the format says so",
    ),
    (
        ".*CandidateSampler",
        "^only TensorFlow fails.*true_candidate",
        2,
        "a true class out of range is an error since 2.x; ours is 1.15's",
    ),
    (
        "Reciprocal.*|Inv.*|.*Scatter(Div|Mul)|Div|RealDiv|DivNoNan|Xdivy|Xlogy|Xlog1py|Log1p|Log|Pow|Sqrt|Rsqrt.*|"
        "Atanh?|Asinh?|Acosh?|Tanh?|Expm1|Sigmoid|SquaredDifference|SqrtGrad|ReciprocalGrad|InvGrad|TanhGrad|SigmoidGrad",
        r"^values: .*(complex|\dj)",
        None,
        COMPLEX_EDGES,
    ),
)
# Ops whose answers at odd numbers (see _odd) depend on the order of sums, or on series.
ORDERED = (
    ".*Conv.*|.*LSTM.*|GRU.*|.*FFT.*|.*Matrix.*|.*Cholesky.*|Softplus|.*MatMul.*|Einsum|Lu|Tridiagonal.*|.*Norm.*|"
    "RandomGammaGrad|Igamma.*|Zeta|Polygamma|Digamma|Betainc|.*Pool.*|Adjust.*|RGBToHSV|HSVToRGB|"
    "SoftplusGrad|FakeQuant.*|Quantize.*|.*Resize.*|CropAndResize.*|Scale.*|DrawBoundingBoxes.*|.*Softmax.*|"
    "LRN.*|Dilation.*|ExtractGlimpse|Sum|Mean|Cum.*|.*Segment.*|.*Apply.*|Mfcc|Audio.*|SparseReduce.*|"
    ".*Suppression.*|Dequantize|Requantize"
)

# Ops of matrices whose answers, or errors, are far apart for neighbours of a singular one.
SOLVERS = (
    "(Batch)?(Cholesky.*|Matrix(Inverse|Solve|SolveLs|TriangularSolve|Determinant)|SelfAdjoint.*|Svd)|"
    "LogMatrixDeterminant|Lu|Matrix(Logarithm|SquareRoot|Exponential)|Tridiagonal.*|Qr"
)


def excluded(op):
    return next((why for pattern, why in EXCLUDED.items() if re.fullmatch(pattern, op)), "")


def ignores_values(op):
    return any(re.fullmatch(pattern, op) for pattern, _ in FREE)


def _odd(drawn):
    """True if an input has a number that is not finite or near the dtype's largest."""
    for dtype, array in drawn.tensors():
        if "float" in dtype or "complex" in dtype:
            largest = np.abs(array.astype(np.complex128))
            if not np.all(largest < (60000 if dtype == "float16" else 1e29)):
                return True
    return False


def _long_half(drawn):
    """True if thousands of half numbers are added up."""
    sizes = [a.size for dtype, a in drawn.tensors() if dtype in ("float16", "bfloat16")]
    return max(sizes, default=0) > 1000


def _half(drawn):
    """True if it has half numbers."""
    return any("float16" in dtype for dtype, _ in drawn.tensors())


def _ill(drawn):
    """True if rounding decides about one of its matrices; least squares square them."""
    most = 1e2 if drawn.op.endswith("SolveLs") else 1e4
    for dtype, array in drawn.tensors():
        if "float" not in dtype and "complex" not in dtype or array.ndim < 2 or not array.size:
            continue
        kind = np.complex128 if "complex" in dtype else np.float64
        with np.errstate(all="ignore"):
            wide = array.astype(kind).reshape(-1, *array.shape[-2:])
            wide = wide[np.isfinite(wide).all(axis=(1, 2))]
            values = np.linalg.svd(wide, compute_uv=False)
            first, last = values[..., 0], values[..., -1]
            if not np.all((first > 0) & (first <= most * last)):
                return True
    return False


def _nothing(drawn):
    """True if an input has no elements, or asks for none."""
    return any(a.size == 0 or "int" in dtype and 0 in a for dtype, a in drawn.tensors())


def _encoding(drawn, pattern):
    return re.search(pattern, str(drawn.attrs.get("input_encoding")), re.IGNORECASE) is not None


def reason(drawn, difference, major):
    """Why this difference may be; "" if it may not."""
    if re.fullmatch(SOLVERS, drawn.op) and "ours died" not in difference and _ill(drawn):
        return "rounding decides about a matrix that is nearly singular"
    if drawn.before and re.search(VALUES, difference):
        if re.fullmatch("SampleDistorted.*", drawn.op) and major == 1:
            return "a run that failed takes its numbers since 2.x"
        if re.fullmatch("Inplace.*", drawn.op):
            return "TensorFlow writes into what was fed"
    if re.search(VALUES, difference) and _encoding(drawn, "UTF-?(16|32)'?$"):
        return "TensorFlow looks for a byte order mark in the first text alone"
    if re.search(VALUES, difference) and _encoding(drawn, "big5|gbk"):
        return "0xff, which is no letter, is one of private use in TensorFlow's library"
    for ops, what, client, why in LISTED:
        if client in (None, major) and re.fullmatch(ops, drawn.op) and re.search(what, difference):
            if why is not EMPTY or _nothing(drawn):
                return why
    if re.fullmatch(ORDERED, drawn.op) and _odd(drawn):
        if re.search(f"{VALUES}|matrix is not invertible", difference):
            return NAN_ORDER
    if re.fullmatch("NthElement|TopK.*|.*Suppression.*", drawn.op) and _odd(drawn):
        return "NaN has no place in an order"
    if re.fullmatch("TopK.*", drawn.op) and not drawn.attrs.get("sorted", True):
        return "what is not sorted has any order"
    if re.search(VALUES, difference) and re.fullmatch("Mean|Sum|EuclideanNorm", drawn.op):
        return "TensorFlow adds half numbers in half" if _long_half(drawn) else ""
    if re.search(VALUES, difference) and re.fullmatch(".*Apply(Ftrl|CenteredRMSProp).*", drawn.op):
        return (
            "a small difference of large terms, which TensorFlow takes in half"
            if _half(drawn)
            else ""
        )
    if re.search(VALUES, difference) and drawn.op.startswith("ScaleAndTranslate"):
        tiny = np.any(drawn.inputs[2][1] < 1e-8)
        return "its window of 2^31 pixels or more is one pixel there" if tiny else ""
    if re.search(VALUES, difference) and drawn.op in ("FloorDiv", "SeluGrad") and _half(drawn):
        return "TensorFlow rounds to a half number on the way: a quotient, or gradient + alpha"
    return ""
