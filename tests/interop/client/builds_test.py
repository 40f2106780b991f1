# SPDX-License-Identifier: Apache-2.0
"""Ops with inputs and attributes that do not fit, built in both clients: both refuse or both do.

The cases are those of cases/*.py, as they are and changed in one place: an input of another rank,
size or value, an attribute out of its range. Nothing is run. TensorFlow's exception class is the
measure; EARLIER and LATER name the ops that are known to differ.
"""

import collections
import os
import sys
import zlib

import numpy as np

from interop.cases import families
from interop.tools.batch import Batch
from interop.tools.two_clients import answer, both

MOST = 1  # cases of one op that are changed; all that must fail are built
TENSORS = {}  # (an array's id, dtype, how it is given) -> its tensor and the array
TYPE_ATTRS = ("Tout", "DstT", "type", "out_type", "output_type", "out_idx", "Tsplits")


class Build:
    """A case's op with one change; `text` says which."""

    def __init__(self, case, dtype, arrays, attrs, text):
        self.case, self.dtype, self.arrays, self.attrs, self.text = case, dtype, arrays, attrs, text


def draw(value, dtype, rng):
    dtype = value.dtype or dtype
    with np.errstate(all="ignore"):
        return dtype, np.array(value.draw(rng, dtype))


def builds(case, dtype):
    """The case as it is, and every change of it."""
    rng = np.random.RandomState(zlib.crc32(f"{case.op}{dtype}".encode()))
    arrays = [
        [draw(v, dtype, rng) for v in value] if isinstance(value, list) else draw(value, dtype, rng)
        for value in case.inputs
    ]
    yield Build(case, dtype, arrays, case.attrs, "as it is")
    for i, value in enumerate(arrays):
        one = value[0] if isinstance(value, list) and value else value
        for text, changed in changes(one) if one else ():
            new = [changed, *value[1:]] if isinstance(value, list) else changed
            yield Build(case, dtype, [*arrays[:i], new, *arrays[i + 1 :]], case.attrs,
                        f"input {i}: {text}")  # fmt: skip
    for name, value in case.attrs.items():
        for text, changed in attr_changes(value):
            yield Build(case, dtype, arrays, {**case.attrs, name: changed}, f"{name}: {text}")


def changes(typed):
    dtype, array = typed
    yield "rank + 1", (dtype, array[None])
    yield "rank + 2", (dtype, array[None, None])
    if array.ndim and array.shape[0]:
        yield "rank - 1", (dtype, array[0])
        yield "longer at the front", (dtype, np.concatenate([array, array[:1]]))
        yield "shorter at the front", (dtype, array[1:])
    if array.ndim > 1 and array.shape[-1]:
        yield "longer at the end", (dtype, np.concatenate([array, array[..., :1]], -1))
    if array.ndim:
        yield "a scalar", (dtype, array.ravel()[0] if array.size else np.zeros((), array.dtype))
    if dtype in ("int32", "int64"):
        yield "values + 40", (dtype, array + 40)
        yield "values - 40", (dtype, array - 40)
        yield "values - 1", (dtype, array - 1)


def attr_changes(value):
    if isinstance(value, bool):
        return
    if isinstance(value, int):
        yield "+ 40", value + 40
        yield "- 40", value - 40
    elif isinstance(value, list) and value and isinstance(value[0], int):
        yield "shorter", value[:-1]
        yield "longer", [*value, 1]
        yield "zeros", [0] * len(value)
    elif isinstance(value, str):
        yield "another text", "neither"


def chosen(ops):
    """(case, dtype): of each op the first ones, and all that must fail."""
    count = collections.Counter()
    for family in families():
        for case in family():
            if ops and case.op not in ops:
                continue
            count[case.op] += case.error is None
            if case.error is not None or count[case.op] <= MOST:
                yield case, case.types[0]


def run_all(tf, ops):
    """(op, case, change, how inputs are given) -> "built", or the exception's class."""
    todo, number, found = [], collections.Counter(), {}
    for case, dtype in chosen(ops):
        number[case.op] += 1
        if known_op(tf, case.op):
            for build in builds(case, dtype):
                for way in ("constants", "placeholders"):
                    todo.append(((case.op, number[case.op], build.text, way), build))
    while todo:
        input_names(tf, todo[0][0][0])  # what is imported lazily is there before processes part
        done = in_a_process(tf, todo)
        found.update(zip((key for key, _ in todo), done))
        todo = todo[len(done) :]
    return found


def in_a_process(tf, todo):
    """The outcomes in order; "died" of the one that ended the process: some CHECK sizes."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        for key, build in todo:
            os.write(writer, (outcome(tf, build, key[3]) + "\n").encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as file:
        done = file.read().split()
    _, status = os.waitpid(child, 0)
    return done if status == 0 else [*done, "died"]


def known_op(tf, op):
    return hasattr(tf.raw_ops, op) or op in ("Const",)


def outcome(tf, build, way):
    try:
        make(tf, build, way)
        return "built"
    except Exception as e:
        return type(e).__name__


def make(tf, build, way):
    names = input_names(tf, build.case.op)
    inputs = {}
    for name, value in zip(names, build.arrays):
        many = isinstance(value, list)
        tensors = [given(tf, *v, way) for v in (value if many else [value])]
        inputs[name] = tensors if many else tensors[0]
    for name, value in build.attrs.items():
        inputs[name] = tf.as_dtype(value) if name in TYPE_ATTRS else value
    if hasattr(tf.raw_ops, "apply_op"):
        return tf.raw_ops.apply_op(build.case.op, **inputs)
    from interop.tools.op_nodes import default_of, make_op, op_def

    definition = op_def(build.case.op)
    inferred = {getattr(a, k) for a in definition.input_arg
                for k in ("type_attr", "number_attr", "type_list_attr")}  # fmt: skip
    for attr in definition.attr:
        if attr.HasField("default_value") and attr.name not in inferred:
            inputs.setdefault(attr.name, default_of(attr))
    return make_op(build.case.op, inputs)


def given(tf, dtype, array, way):
    """The array as a tensor: one for all changes of a case, which have most inputs alike."""
    key = (id(array), dtype, way)
    if key not in TENSORS:
        TENSORS[key] = tensor_of(tf, dtype, array, way), array  # the array lives as long as its id
    return TENSORS[key][0]


def tensor_of(tf, dtype, array, way):
    if way == "placeholders":
        return tf.placeholder(tf.as_dtype(dtype), array.shape)
    return tf.constant(array.astype(object) if dtype == "string" else array, tf.as_dtype(dtype))


def input_names(tf, op):
    if hasattr(tf.raw_ops, "definition"):
        return [a["name"] for a in tf.raw_ops.definition(op)["inputs"]]
    from interop.tools.op_nodes import op_def

    return [a.name for a in op_def(op).input_arg]


# Ops that we refuse when they are built, where TensorFlow builds them and every run fails.
EARLIER = """
    AdjustHue AdjustSaturation ArgMax ArgMin AvgPool AvgPool3DGrad AvgPoolGrad
    ConjugateTranspose Conv2DBackpropInput Conv3DBackpropInputV2 CropAndResize DecodePaddedRaw
    DepthwiseConv2dNativeBackpropInput Dilation2D DrawBoundingBoxesV2 EditDistance ExpandDims
    ExtractGlimpse ExtractGlimpseV2 ExtractImagePatches ExtractVolumePatches Fill FractionalAvgPool
    FractionalAvgPoolGrad FractionalMaxPool GRUBlockCell GatherV2 ImageProjectiveTransformV3
    InvGrad LSTMBlockCell
    LSTMBlockCellGrad LowerBound MatrixSetDiag MaxPool MaxPoolGradGradV2 MaxPoolGradV2 MaxPoolV2
    MaxPoolWithArgmax NthElement OneHot QuantizedResizeBilinear RaggedBincount RaggedTensorToTensor
    RandomIndexShuffle ReciprocalGrad Reshape ResizeArea ResizeBicubic ResizeBilinear
    ResizeNearestNeighbor ResizeNearestNeighborGrad ReverseSequence RsqrtGrad ScaleAndTranslate
    ScatterNd ScatterNdNonAliasingAdd SetSize SigmoidGrad Slice
    SparseBincount SparseReduceMax SparseReduceSum SparseSlice Split SplitV SqrtGrad StridedSlice
    TanhGrad
    TensorScatterAdd TensorScatterMax TensorScatterMin TensorScatterSub TensorScatterUpdate Tile
    TopKV2 Transpose UniqueV2 UniqueWithCounts UniqueWithCountsV2 UpperBound
""".split()

# Ops whose inputs are looked at when they run only: rare ones.
LATER = """
    ArgMax ArgMin AudioSpectrogram BlockLSTM BlockLSTMV2 BroadcastTo CombinedNonMaxSuppression
    Conv2DBackpropInput DecodeWav DenseBincount DenseCountSparseOutput DenseToDenseSetOperation
    DeserializeSparse RaggedBincount RaggedCountSparseOutput SparseBincount SparseCountSparseOutput
    DrawBoundingBoxes EditDistance Einsum Empty ExtractGlimpse Fill FractionalAvgPoolGrad
    FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3 FusedPadConv2D FusedResizeAndPadConv2D
    GRUBlockCellGrad HistogramFixedWidth MatrixDiagPartV2 MatrixDiagPartV3 MatrixDiagV2
    MatrixDiagV3 MatrixSetDiagV2 MatrixSetDiagV3 MatrixTriangularSolve MaxPoolGradGradV2
    MaxPoolWithArgmax NonMaxSuppressionV4 NonMaxSuppressionV5 NthElement OneHot ParallelConcat
    RaggedTensorToTensor RandomUniform Range ReduceJoin Reshape ScatterNd
    ScatterNdNonAliasingAdd Slice SparseFillEmptyRows SparseSegmentMeanGrad
    SparseSegmentMeanGradV2 SparseSegmentMeanWithNumSegments SparseSegmentSqrtNGrad
    SparseSegmentSqrtNGradV2 SparseSegmentSqrtNWithNumSegments SparseSegmentSumGrad
    SparseSegmentSumGradV2 SparseSegmentSumWithNumSegments SparseToDense SplitV
    RaggedCross RandomIndexShuffle StatelessParameterizedTruncatedNormal StatelessRandomBinomial
    StatelessRandomGammaV2 StatelessRandomGammaV3 StatelessRandomGetKeyCounterAlg
    StatelessRandomPoisson StatelessRandomUniformFullInt StatelessRandomUniformInt
    StatelessSampleDistortedBoundingBox StridedSliceGrad StringFormat TensorScatterAdd
    TensorScatterUpdate UniqueV2 UniqueWithCountsV2
""".split()


# What 1.15 refuses and TensorFlow 2 takes.
NEWER = {"EncodePng": "batches of images", "MaxPool": "explicit padding"}


def allowed(op, ours, theirs):
    """Why a difference is meant; None: it is not."""
    if theirs == "NotImplementedError":
        return "the op was removed from graphs of 1.15, but is there for older ones"
    if theirs == "TypeError":
        return "a dtype that the op does not have there"
    if ours == "ValueError" and theirs == "built" and op in EARLIER:
        return "refused when built: every run fails"
    if ours == "built" and theirs == "ValueError" and op in LATER:
        return "refused when it runs"
    if ours == "built" and theirs == "ValueError":
        return NEWER.get(op)
    return None


def names():
    return sorted({case.op for case, _ in chosen(())})


def run(ops, results):
    ours, theirs = both(__file__, lambda tf: run_all(tf, ops), *ops, timeout=600)
    meant = collections.Counter()
    for (op, *case), expected in theirs.items():
        mine = ours.get((op, *case))
        if mine is None or expected == "died" or mine == expected:
            if mine is not None:
                results[op].check(op, True)
            continue
        why = allowed(op, mine, expected)
        if why is None:
            number, text, way = case
            detail = f"{number}, {text}, {way}: ours {mine}, TensorFlow {expected}"
            results[op].check(op, False, detail)
        else:
            meant[why] += 1
    for why, count in meant.items():
        print(f"{count} cases: {why}")


OPS = Batch(names, run)

if __name__ == "__main__":
    answer(lambda sluice: run_all(sluice, sys.argv[1:]))
