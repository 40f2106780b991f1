# SPDX-License-Identifier: Apache-2.0
"""Texts of errors: the phrases that programs and TensorFlow's own tests look for."""

from interop.cases.case import INVALID, Case, i32, i64, normal, of

WINDOW = dict(ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID")


def fails(text, op, *inputs, **kw):
    return Case(op, *inputs, error=INVALID, text=text, **kw)


def phrases_of_arrays():
    yield fails("input must be at least 2-dim", "MatrixSetDiag", normal(3), normal(3))
    yield fails("diagonal must be at least 1-dim", "MatrixSetDiag", normal(2, 3, 3), normal())
    text = "first dimensions of diagonal don't match"
    yield fails(text, "MatrixSetDiag", normal(2, 3, 3), normal(2, 4))
    yield fails("'dim' must be a tensor with a single value", "ExpandDims", normal(2), i32([1, 2]))
    text = "Concat dim tensor should be a scalar integer"
    yield fails(text, "ConcatOffset", i32([0, 1]), [i32([2, 3]), i32([2, 3])])
    text = "Expected begin[0] == 0 (got 1) and size[0] == 0 (got 0) when input.dim_size(0) == 0"
    yield fails(text, "Slice", normal(0, 2), i32([1, 0]), i32([0, 1]))
    text = "Unable to broadcast tensor of shape [2,3] to tensor of shape [2,2,1]"
    yield fails(text, "BroadcastTo", normal(2, 3), i32([2, 2, 1]))
    text = "Incompatible shapes: [2,3] vs. [4,3,3]"
    yield fails(text, "BroadcastTo", normal(2, 3), i32([4, 3, 3]))
    yield fails("'dims' must be 1-dimension, not 0", "Reverse", normal(2), of(True, "bool"))
    text = "'dims' must have the same number of values as 'input' has dimensions"
    yield fails(text, "Reverse", normal(2, 3), of([True], "bool"))
    yield fails("'dims' must be 1-dimension, not 0", "ReverseV2", normal(2), i32(0))
    lengths = i64([2, -1])
    yield fails("seq_lens(1) < 0", "ReverseSequence", normal(2, 3), lengths, seq_dim=1)
    lengths = i64([4, 1])
    yield fails("seq_lens(0) > input.dims(1)", "ReverseSequence", normal(2, 3), lengths, seq_dim=1)
    text = "Input dims cannot be negative. Got dim = -1 at index 0"
    yield fails(text, "UnravelIndex", i32([1]), i32([-1, 2]), like=2)
    text = "Input dims product is causing integer overflow"
    yield fails(text, "UnravelIndex", i64([1]), i64([2**40, 2**40]), like=2)
    yield fails(text, "UnravelIndex", i32([-1]), i32([2**28, 2**28]), like=2)
    text = "too many dimensions"
    yield fails(text, "Reshape", normal(1), i64([1] * 254), like=2)
    yield fails(text, "Reshape", normal(1), i64([1] * 255), like=2)
    text = "Encountered overflow when multiplying"
    far = i64([2**62 - 1])
    for op in "SparseSegmentSum SparseSegmentMean SparseSegmentSqrtN".split():
        yield fails(text, op, normal(10, 4), far, far, like=2)
    yield fails(text, "SegmentSum", normal(1, 10, 1), i64([2**61]), like=2)
    text = "which would require writing to outside of the buffer for the output tensor"
    one, two = of([5], "int64"), i64([2, 2])
    outside = i64([[-1, 0]]), one, two
    reason = "INTERNAL in 2.x, while 1.15 writes beyond the output"
    inside = i64([[0, 0]]), one, two
    yield Case("EditDistance", *outside, *inside, error=INVALID, text=text, ours=reason)
    text = "Invalid first partition input. Tensor requires at least one element."
    tensors = i64([-1, -1]), normal(3), normal(), [i64([])]
    kinds = dict(row_partition_types=["ROW_SPLITS"], like=2)
    yield fails(text, "RaggedTensorToTensor", *tensors, **kinds)
    nothing, counted = normal(0), dict(binary_output=False, like=2)
    values = i32([1])
    text = "Weights and values must have the same shape"
    matrix = i64([[0, 0]])
    yield fails(text, "SparseCountSparseOutput", matrix, values, two, normal(2), **counted)
    text = "Input shape must be a vector"
    wide = i64([[2, 2]])
    yield fails(text, "SparseCountSparseOutput", matrix, values, wide, nothing, **counted)
    text = "Input rank should be 4 instead of 3"
    yield fails(text, "SpaceToDepth", normal(1, 2, 2), block_size=2)
    text = "Cast int64 to string is not supported"
    yield Case("Cast", i64([1, 2]), DstT="string", error="ANY", text=text)
    yield Case("Cast", of([b"1", b"two"], "string"), DstT="string")
    yield fails("indices[1] is out of range", "DynamicStitch", [i32([0, -1])], [normal(2)])
    text = "min has incorrect size, expected 3 was 2"
    three = normal(3)
    yield fails(text, "FakeQuantWithMinMaxVarsPerChannel", normal(2, 3), normal(2), three)
    text = "`max` must be rank 0 but is rank 1"
    yield fails(text, "FakeQuantWithMinMaxVars", normal(2), normal(), three, like=2)


def phrases_of_pools():
    image, pooled = normal(1, 4, 4, 1), normal(1, 2, 2, 1)
    text = "Expected orig_output shape to be [1,2,2,1], but got [1,4,4,1]"
    yield fails(text, "MaxPoolGrad", image, image, pooled, like=2, **WINDOW)
    yield fails(text, "MaxPoolGradGrad", image, image, image, like=2, **WINDOW)
    text = "Expected grad shape to be [1,4,4,1], but got [1,2,2,1]"
    yield fails(text, "MaxPoolGradGrad", image, pooled, pooled, like=2, **WINDOW)
    text = "Expected argmax shape to be [1,2,2,1], but got [4]"
    where = i64([0, 2, 8, 10])
    yield fails(text, "MaxPoolGradWithArgmax", image, pooled, where, like=2, **WINDOW)
    text = "Expected grad shape to be [1,2,2,1], but got [3,2,2,1]"
    yield fails(text, "AvgPoolGrad", i32([1, 4, 4, 1]), normal(3, 2, 2, 1), like=2, **WINDOW)
    padded = dict(WINDOW, padding="EXPLICIT")
    for side, pads in {"Top": [2, 0, 0, 0], "Bottom": [0, 3, 0, 0], "Left": [0, 0, 4, 0],
                       "Right": [1, 1, 1, 2]}.items():  # fmt: skip
        text = f"{side} padding {max(pads)} needs to be smaller than the window size 2"
        explicit = [0, 0, *pads, 0, 0]
        yield fails(text, "MaxPool", image, like=2, explicit_paddings=explicit, **padded)
    ends = i64([0, 2, 4])
    inputs = i64([1, 4, 4, 1]), pooled
    text = "Row sequence tensor values must not be negative"
    yield fails(text, "FractionalAvgPoolGrad", *inputs, i64([-1, 2, 4]), ends, like=2)
    text = "Column sequence tensor values must not be negative"
    yield fails(text, "FractionalAvgPoolGrad", *inputs, ends, i64([0, -2, 4]), like=2)
    text = "tensor_out must be 4-dimensional"
    yield fails(text, "MaxPoolGrad", image, normal(4), pooled, like=1, **WINDOW)
    text = "out_backprop must be 4-dimensional"
    yield fails(text, "AvgPoolGrad", i32([1, 4, 4, 1]), normal(4), like=1, **WINDOW)


def phrases_of_dilations():
    """UNIMPLEMENTED, which convolutions call INVALID_ARGUMENT."""
    plain, far = [1, 1, 1, 1], [1, 1, 1, 2]
    for strides, rates, what in ((far, plain, "Stride"), (plain, far, "Rate")):
        text = f"{what} is only supported across spatial dimensions."
        attrs = dict(strides=strides, rates=rates, padding="SAME", error="ANY", text=text)
        yield Case("Dilation2D", normal(1, 4, 4, 1), normal(2, 2, 1), **attrs)


def phrases_of_convolutions():
    image, filter_, small = normal(1, 4, 4, 2), normal(2, 2, 2, 3), normal(1, 2, 2, 3)
    attrs = dict(strides=[1, 1, 1, 1], padding="SAME", like=1)
    sizes = i32([2, 2, 2, 3])
    name = "Conv2DCustomBackpropFilter: "
    text = name + "Size of out_backprop doesn't match computed: actual = 2, computed = 4"
    yield fails(text, "Conv2DBackpropFilter", image, sizes, small, **attrs)
    text = name + "input and out_backprop must have the same batch size"
    yield fails(text, "Conv2DBackpropFilter", image, sizes, normal(3, 4, 4, 3), **attrs)
    text = "Conv2DCustomBackpropInput: input must be 4-dimensional"
    yield fails(text, "Conv2DBackpropInput", i32([1, 4, 4]), filter_, small, **attrs)
    name = "DepthwiseConv2DBackpropInput: "
    ends = dict(strides=[1, 1, 1, 1], padding="SAME", like=1)
    sizes, filter_ = i32([1, 4, 4, 2]), normal(2, 2, 2, 1)
    text = name + "Number of rows of out_backprop doesn't match computed: actual = 2, computed = 4"
    small = normal(1, 2, 2, 2)
    yield fails(text, "DepthwiseConv2dNativeBackpropInput", sizes, filter_, small, **ends)
    text = name + "depth_multiplier * in_depth not equal to out_depth"
    wide = normal(1, 4, 4, 3)
    yield fails(text, "DepthwiseConv2dNativeBackpropInput", sizes, filter_, wide, **ends)
    text = "filter must not have zero elements"
    attrs = dict(strides=[1, 1, 1, 1], padding="SAME", like=2)
    yield fails(text, "Conv2D", image, normal(0, 2, 2, 3), **attrs)
    text = "Input depth must be evenly divisible by filter depth: 2 vs 3"
    attrs = dict(strides=[1, 1, 1, 1, 1], padding="SAME")
    yield fails(text, "Conv3D", normal(1, 3, 3, 3, 2), normal(2, 2, 2, 3, 1), **attrs)


def phrases_of_units():
    text = " must have the same size and shape.  Input 0: [2,3] != input 1: [2,2]"
    for op in "ReluGrad Relu6Grad EluGrad SeluGrad SoftplusGrad SoftsignGrad".split():
        yield fails(f" of type {op}" + text, op, normal(2, 3), normal(2, 2))
    text = "Pooling ratio is higher than input dimension size for dimension 1"
    ratio = [1.0, 5.0, 1.0, 1.0]
    yield fails(text, "FractionalMaxPool", normal(1, 2, 4, 1), pooling_ratio=ratio, like=2)
    text = "Non-spatial pooling is not yet supported. Volunteers? :)"
    depth = dict(ksize=[1, 1, 1, 2], strides=[1, 1, 1, 2], padding="SAME", error="ANY", text=text)
    yield Case("AvgPool", normal(1, 4, 4, 2), like=1, **depth)
    for text, window, step in (
        ("requires the depth window to evenly divide the input depth", [1, 1, 1, 2], 2),
        ("requires the depth window to equal the depth stride", [1, 1, 1, 3], 1),
        ("supports exactly one of pooling across depth or", [1, 2, 1, 3], 3),
    ):
        depth = dict(ksize=window, strides=[1, 1, 1, step], padding="VALID", error="ANY", text=text)
        yield Case("AvgPool", normal(1, 4, 4, 3), **depth)
        yield Case("MaxPool", normal(1, 4, 4, 3), **depth)


def phrases_of_losses_and_boxes():
    text = "logits and labels must be broadcastable: logits_size=[3] labels_size=[4]"
    yield fails(text, "SoftmaxCrossEntropyWithLogits", normal(3), normal(4), like=1)
    text = "scores has incompatible shape"
    rest = i32(2), of(1.5), of(0.0)
    yield fails(text, "NonMaxSuppressionV3", normal(2, 4), normal(3), *rest, like=1)


def phrases_of_matrices():
    square, vector = normal(2, 2), normal(2)
    text = "In[0] and In[1] ndims must be >= 2: 1"
    yield fails(text, "BatchMatMul", vector, vector)
    ours = "1.15 goes on after its message"
    text = "Input tensor 0 must have rank >= 2, got 1"
    yield fails(text, "MatrixInverse", vector, ours=ours)
    for op in "MatrixSolve MatrixTriangularSolve".split():
        text = "All input tensors must have the same rank."
        yield fails(text, op, square, vector, ours=ours)
        text = "First input (lhs) must be a square matrix."
        yield fails(text, op, normal(2, 3), square, ours=ours)
        text = "Input matrix and rhs are incompatible"
        yield fails(text, op, square, normal(3, 2), ours=ours)
    text = "Inputs (L and grad) must have the same shape."
    yield fails(text, "CholeskyGrad", square, normal(3, 3), ours=ours)
    text = "Expected diagonals to be provided as a matrix with 3 rows, got 2 rows."
    yield fails(text, "TridiagonalSolve", square, square, ours=ours)
    row, text = normal(1, 2), "Invalid subdiagonal shape."
    yield fails(text, "TridiagonalMatMul", row, row, square, square, ours=ours)


def phrases_of_pictures_and_sounds():
    image, box = normal(1, 4, 4, 1), normal(1, 4)
    text, size = "input image must be 4-D", i32([2, 2])
    yield fails(text, "CropAndResize", normal(4, 4, 1), box, i32([0]), size, like=1)
    yield fails("input_grad must be 4-dimensional", "ResizeBilinearGrad", normal(4, 4), image)
    yield fails("original_image must be 4-dimensional", "ResizeBicubicGrad", image, normal(4, 4))
    text = "input must be a vector of size 2 (height, width)[3]"
    yield fails(text, "ExtractGlimpse", image, i32([2, 2, 2]), normal(1, 2))
    yield fails("audio must be 2-dimensional[4]", "EncodeWav", normal(4), i32(8000))
    text = "Input sample_rate should be a scalar tensor, got [1] instead."
    yield fails(text, "EncodeWav", normal(4, 1), i32([8000]))
    yield fails("tags must be scalar", "HistogramSummary", of(["a", "b"], "string"), normal(2))
    yield fails("Tags must be a scalar", "ImageSummary", of(["a", "b"], "string"), image)
    yield fails("Tag must be a scalar", "AudioSummary", of(["a"], "string"), box, sample_rate=8.0)


def phrases_of_shapes():
    text = "shape must be a vector of {int32,int64}, got shape [1,1]"
    yield fails(text, "RandomUniform", i32([[2]]), dtype="float32")
    yield fails("dims must be a vector, got shape [1,1]", "Fill", i32([[2]]), normal())
    yield fails("perm must be a vector, not [1,2]", "Transpose", normal(2, 3), i32([[0, 1]]))
    text = "The first dimension of paddings must be the rank of inputs[1,2] [2,3]"
    yield fails(text, "Pad", normal(2, 3), i32([[0, 0]]))
    text = "input 2 should be a vector, but got shape [1,2]"
    yield fails(text, "ConcatOffset", i32(0), [i32([2, 3]), i32([[2, 3]])])
    text = "Input to reshape is a tensor with 6 values, but the requested shape has 0"
    yield fails(text, "Reshape", normal(2, 3), i32([-1, 0]))
    text = "as outputs got 1 -D and 3 elements"
    yield fails(text, "SplitV", normal(3), i32([1, 1, 1]), i32(0), num_split=2)
    text = "There can only be one -1 in the input."
    yield fails(text, "SplitV", normal(3), i32([-1, -1]), i32(0), num_split=2)
    text = "split_dim_tensor must have exactly one element."
    yield fails(text, "SplitV", normal(3), i32([1, 2]), i32([0, 0]), num_split=2)
    whole, block = normal(1, 3, 3, 1), i32([2, 2])
    text = "Paddings must be non-negative"
    yield fails(text, "SpaceToBatchND", whole, block, i32([[-1, 0], [1, 0]]))
    text = "cropped_shape[0]=-1 must be non-negative"
    yield fails(text, "BatchToSpaceND", normal(4, 1, 1, 1), block, i32([[2, 1], [0, 0]]))
    text = "len(seq_lens) != input.dims(0), (1 vs. 2)"
    yield fails(text, "ReverseSequence", normal(2, 3), i64([1]), seq_dim=1)
    yield fails("seq_lens input must be 1-dim, not 0", "ReverseSequence", whole, i64(1), seq_dim=1)
    text = "upper_diag_index is out of bound: 5 It must be between -2 and 3"
    yield fails(text, "MatrixDiagPartV2", normal(2, 3), i32([0, 5]), normal())
    text = "], indices[0].shape = [1], indices[1].shape = [1]"
    indices, data = [i32([0]), i32([1])], [normal(1, 2), normal(1, 3)]
    yield fails(text, "DynamicStitch", indices, data)
    text = "segment_ids should be the same size as dimension 0 of input."
    yield fails(text, "SegmentSum", normal(), i32([0]))
    text = "DecodeRaw requires input strings to all be the same size, but element 1 has size 5 != 6"
    yield fails(text, "DecodeRaw", of([b"short", b"longer"], "string"), out_type="uint8")

    text = "OOM when allocating tensor with shape[1073741824,1048576] and type float"
    yield Case("Fill", i32([2**30, 2**20]), normal(), error="ANY", text=text, ours="no memory")
    text = "The outermost dimension of updates and indices must match. Got indices.shape [2,1], "
    yield fails(text, "TensorScatterUpdate", normal(3), i32([[0], [1]]), normal(1))
    text = "pos 7 out of range for string at index 0"
    yield fails(text, "Substr", of([b"hell"], "string"), i32(7), i32(1), unit="UTF8_CHAR")
    text = "true_classes must have num_true columns, expected: 2 was: 3"
    sizes = dict(num_true=3, num_sampled=2, unique=True, range_max=9)
    yield fails(text, "UniformCandidateSampler", i64([[1, 2]]), **sizes)


def phrases_of_sparse_tensors():
    rows, values, square = i64([[0, 1], [0, 0]]), normal(2), i64([2, 2])
    text = (
        "indices[1] = [0,0] is out of order. Many sparse ops require sorted indices.\n"
        "    Use `tf.sparse.reorder` to create a correctly ordered copy."
    )
    yield fails(text, "SparseToDense", rows, square, values, normal())
    yield fails(text, "SetSize", rows, i32([1, 2]), square)
    text = "Indices are not valid (out of bounds).  Shape: [1,1]"
    unsure = dict(validate_indices=False)
    yield fails(text, "SparseToDense", rows, i64([1, 1]), values, normal(), **unsure)
    text = "indices and values rows (indexing dimension) must match. (indices = 2, values = 3)"
    yield fails(text, "SparseReorder", rows, normal(3), square)
    for op in "SparseSparseMaximum", "SparseSparseMinimum":
        text = "Operands' shapes do not match: got 2 and 3 for dimension 1"
        yield fails(text, op, rows, values, square, rows, values, i64([2, 3]))
        text = "Operands do not have the same ranks; got shapes: 2 2 and 3"
        yield fails(text, op, rows, values, square, i64([[0]]), normal(1), i64([3]))
    text = (
        "Dimension 1 does not equal (no broadcasting is supported): sparse side 2 vs dense side 3"
    )
    yield fails(text, "SparseTensorDenseAdd", rows, values, square, normal(2, 3))
    text = "Provided indices are out-of-bounds w.r.t. dense side with broadcasted shape"
    yield fails(text, "SparseDenseCwiseMul", i64([[5, 0]]), normal(1), square, normal(2, 2))
    text = "Expected size to be a vector of length 2 but got length 1"
    yield fails(text, "SparseSlice", rows, values, square, i64([0, 0]), i64([1]))
    sets = dict(set_operation="union")
    text = "Mismatched shapes [1] vs [2]"
    yield fails(text, "DenseToDenseSetOperation", i32([[1]]), i32([[1], [2]]), **sets)
    text = "Shape [1] has rank 1 < 2"
    yield fails(text, "DenseToDenseSetOperation", i32([1]), i32([1]), **sets)
    text = "Expected truth and hypothesis to have matching ranks, but their shapes are: [3] and [2]"
    matrix, volume = (i64([[0, 0]]), i64([1, 1])), (i64([[0, 0, 0]]), i64([1, 1, 1]))
    one = i32([1])
    yield fails(text, "EditDistance", matrix[0], one, matrix[1], volume[0], one, volume[1])
    text = "hypothesis_indices should be a matrix, but got shape: [2]"
    yield fails(text, "EditDistance", i64([0, 0]), one, matrix[1], matrix[0], one, matrix[1])
    text = "Expected truth_values.NumElements == #rows(truth_indices), their shapes are: [2] and "
    pair = i32([1, 2])
    yield fails(text, "EditDistance", matrix[0], one, matrix[1], matrix[0], pair, matrix[1])
    text = "Expected hypothesis_shape.NumElements == #cols(hypothesis_indices), their shapes are: "
    yield fails(text, "EditDistance", matrix[0], one, volume[1], matrix[0], one, matrix[1])
    text = "Unable to find SparseTensor: 5 in map: kept"
    shared = dict(dtype="float32", shared_name="kept")
    yield fails(text, "TakeManySparseFromTensorsMap", i64([5]), **shared)
    bad = of([b"a", b"b", b"c"], "string")
    yield fails("Could not parse serialized proto", "DeserializeSparse", bad, dtype="float32")


def phrases_of_messages():
    shape = "tensorflow.TensorShapeProto"
    source = of([b""], "string")
    kw = dict(message_type=shape, output_types=["int32"])
    text = "Unknown field: none in message type " + shape
    yield fails(text, "DecodeProtoV2", source, field_names=["none"], **kw)
    text = "Unexpected output type for " + shape + ".dim: message to "
    yield fails(text, "DecodeProtoV2", source, field_names=["dim"], **kw)


def phrases_of_limits():
    boxes, scores = normal(1, 2, 1, 4), normal(1, 2, 1)
    for counts, text in (
        ((-1, 4), "max_size_per_class must be positive"),
        ((3, -4), "max_total_size must be > 0"),
    ):
        counts = [i32(count) for count in counts]
        limits = normal(dtype="float32"), normal(dtype="float32")
        yield fails(text, "CombinedNonMaxSuppression", boxes, scores, *counts, *limits)
    text = "file_parallelism should >= 0, got -4"
    yield fails(text, "RecordInput", file_pattern="none", file_parallelism=-4, like=2)
    text = "Histogram values must not contain NaN"
    edges, bins = of([0.0, 1.0], "float32"), i32(2)
    yield fails(text, "HistogramFixedWidth", of([float("nan")], "float32"), edges, bins, like=2)


FAMILIES = (
    phrases_of_arrays,
    phrases_of_convolutions,
    phrases_of_dilations,
    phrases_of_losses_and_boxes,
    phrases_of_limits,
    phrases_of_matrices,
    phrases_of_messages,
    phrases_of_pictures_and_sounds,
    phrases_of_pools,
    phrases_of_shapes,
    phrases_of_sparse_tensors,
    phrases_of_units,
)
