"""What errors say: the phrases that programs and TensorFlow's own tests look for."""

from ops_cases import INVALID, Case, i32, i64, normal, of

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
    ends = i64([0, 2, 4])
    inputs = i64([1, 4, 4, 1]), pooled
    text = "Row sequence tensor values must not be negative"
    yield fails(text, "FractionalAvgPoolGrad", *inputs, i64([-1, 2, 4]), ends, like=2)
    text = "Column sequence tensor values must not be negative"
    yield fails(text, "FractionalAvgPoolGrad", *inputs, ends, i64([0, -2, 4]), like=2)


def phrases_of_dilations():
    """UNIMPLEMENTED, which convolutions call INVALID_ARGUMENT."""
    plain, far = [1, 1, 1, 1], [1, 1, 1, 2]
    for strides, rates, what in ((far, plain, "Stride"), (plain, far, "Rate")):
        text = f"{what} is only supported across spatial dimensions."
        attrs = dict(strides=strides, rates=rates, padding="SAME", error="ANY", text=text)
        yield Case("Dilation2D", normal(1, 4, 4, 1), normal(2, 2, 1), **attrs)


FAMILIES = (phrases_of_arrays, phrases_of_dilations, phrases_of_pools)
