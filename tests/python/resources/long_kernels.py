# SPDX-License-Identifier: Apache-2.0
"""Kernels that would run for many seconds, and what they burn after their step's deadline.

long_kernels.py [NAME...]      all of them, or those named; prints a line for each
"""

import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(os.path.dirname(HERE))
ROOT = os.path.dirname(TESTS)
BUILD = os.path.abspath(os.environ.setdefault("SLUICE_BUILD", os.path.join(ROOT, "build")))
sys.path[:0] = [os.path.join(BUILD, "python"), TESTS]

import sluice as sl  # noqa: E402
from interop.tools.cluster import Cluster  # noqa: E402

ops = sl.raw_ops
M = 1 << 20
STRIDES = [1, 1, 1, 1]
DEADLINE_MS = 300


class Inputs:
    """Variables on the server, made before the step whose deadline passes."""

    def __init__(self):
        self.initializers = []

    def put(self, value):
        handle = ops.VarHandleOp(
            dtype=value.dtype, shape=value.shape, shared_name="input_%d" % len(self.initializers)
        )
        self.initializers.append(ops.AssignVariableOp(resource=handle, value=value))
        return ops.ReadVariableOp(resource=handle, dtype=value.dtype)

    def ones(self, *shape, value=1.0):
        return self.put(ops.Fill(dims=ints(*shape), value=sl.constant(value)))

    def floats(self, *shape):
        return self.put(ops.RandomUniform(shape=ints(*shape), dtype=sl.float32))

    def numbers(self, below, *shape):
        return self.put(
            ops.RandomUniformInt(shape=ints(*shape), minval=ints(0)[0], maxval=ints(below)[0])
        )


def ints(*values):
    return sl.constant(list(values), dtype=sl.int32)


# Those of `KERNELS` that CI runs.
FEW = {}
KERNELS = {}


def kernel(name, build, few=False):
    KERNELS[name] = build
    if few:
        FEW[name] = build


def bounded(made):
    del made
    return ops.ParameterizedTruncatedNormal(
        shape=ints(100 * M), means=sl.constant(0.0), stdevs=sl.constant(1.0),
        minvals=sl.constant(-1.0), maxvals=sl.constant(1.0),
    )  # fmt: skip


def ngrams(made):
    return ops.StringNGrams(
        data=made.ones(400000, value="abcdefgh"),
        data_splits=sl.constant([0, 400000], dtype=sl.int64), separator=" ",
        ngram_widths=[400], left_pad="", right_pad="", pad_width=0,
        preserve_short_sequences=False,
    )  # fmt: skip


def upper_case(made):
    return ops.StringUpper(input=made.ones(4, value="\u00e9" * 20 * M), encoding="utf-8")


def parts_of_strings(made):
    return ops.Substr(
        input=made.ones(40, value="\u00e9" * 20 * M), pos=ints(1)[0], len=ints(19 * M)[0],
        unit="UTF8_CHAR",
    )  # fmt: skip


def formatted(made):
    return ops.StringFormat(
        inputs=[made.floats(20 * M)], template="{}", placeholder="{}", summarize=-1
    )


def colours(*shape):
    numbers = ops.RandomUniformInt(shape=ints(*shape), minval=ints(0)[0], maxval=ints(256)[0])
    return ops.Cast(x=numbers, DstT=sl.uint8)


def encoded_image(made):
    return ops.EncodePng(image=made.put(colours(6000, 6000, 3)), compression=9)


def decoded_image(made):
    return ops.DecodeJpeg(contents=made.put(ops.EncodeJpeg(image=colours(12000, 12000, 3))))


def labels_of_one_sequence(made):
    steps, labels = 8000, 3000
    zeros = ops.Fill(dims=ints(labels), value=sl.constant(0, dtype=sl.int64))
    places = ops.Pack(values=[zeros, sl.range(labels, dtype=sl.int64)], axis=1)
    return ops.CTCLoss(
        inputs=made.floats(steps, 1, 50), labels_indices=made.put(places),
        labels_values=made.numbers(40, labels), sequence_length=ints(steps),
    )  # fmt: skip


def candidates(made):
    """By Zipf's law, the last of the ids come after hours."""
    del made
    return ops.LogUniformCandidateSampler(
        true_classes=sl.constant([[0]], dtype=sl.int64), num_true=1, num_sampled=M, unique=True,
        range_max=M,
    )  # fmt: skip


def differences(made):
    return ops.ListDiff(x=made.numbers(1 << 30, 60 * M), y=made.numbers(1 << 30, 60 * M))


def regions(made):
    return ops.ImageConnectedComponents(image=made.ones(1, 16000, 16000))


def histogram(made):
    return ops.HistogramSummary(tag=sl.constant("all"), values=made.floats(600 * M))


def json_text(made):
    numbers = "1.25, " * (40 * M) + "2"
    text = '{"features": {"feature": {"a": {"float_list": {"value": [' + numbers + "]}}}}}"
    return ops.DecodeJSONExample(json_examples=made.ones(1, value=text))


def sparse_reshape(made):
    places = made.put(ops.Fill(dims=ints(200 * M, 2), value=sl.constant(0, dtype=sl.int64)))
    return ops.SparseReshape(
        input_indices=places, input_shape=sl.constant([1000, 1000], dtype=sl.int64),
        new_shape=sl.constant([10, 10, 10000], dtype=sl.int64),
    )  # fmt: skip


def long_strings(made):
    return made.ones(9 * M + 1, value="x" * 500)


def edit_distance(made):
    zeros = ops.Fill(dims=ints(200000), value=sl.constant(0, dtype=sl.int64))
    places = made.put(ops.Pack(values=[zeros, sl.range(200000, dtype=sl.int64)], axis=1))
    shape = sl.constant([1, 200000], dtype=sl.int64)
    values = made.numbers(1 << 20, 200000)
    return ops.EditDistance(
        hypothesis_indices=places, hypothesis_values=values, hypothesis_shape=shape,
        truth_indices=places, truth_values=values, truth_shape=shape,
    )  # fmt: skip


def conv(made):
    return ops.Conv2D(
        input=made.ones(16, 224, 224, 16), filter=made.ones(15, 15, 16, 64), strides=STRIDES,
        padding="SAME",
    )  # fmt: skip


def conv_filter(made):
    return ops.Conv2DBackpropFilter(
        input=made.ones(1, 1500, 1500, 16), filter_sizes=ints(15, 15, 16, 64),
        out_backprop=made.ones(1, 1500, 1500, 64), strides=STRIDES, padding="SAME",
    )  # fmt: skip


def conv_of_volumes(made):
    return ops.Conv3D(
        input=made.ones(1, 64, 128, 128, 32), filter=made.ones(7, 7, 7, 32, 64), strides=[1] * 5,
        padding="SAME",
    )  # fmt: skip


def depthwise(made):
    return ops.DepthwiseConv2dNative(
        input=made.ones(16, 500, 500, 16), filter=made.ones(31, 31, 16, 1), strides=STRIDES,
        padding="SAME",
    )  # fmt: skip


def depthwise_filter(made):
    return ops.DepthwiseConv2dNativeBackpropFilter(
        input=made.ones(16, 500, 500, 16), filter_sizes=ints(31, 31, 16, 1),
        out_backprop=made.ones(16, 500, 500, 16), strides=STRIDES, padding="SAME",
    )  # fmt: skip


def pool(made):
    return ops.AvgPool(
        value=made.ones(1, 1000, 1000, 8), ksize=[1, 201, 201, 1], strides=STRIDES, padding="SAME"
    )


def least_squares(made):
    return ops.MatrixSolveLs(
        matrix=made.floats(3000, 3000), rhs=made.floats(3000, 3000),
        l2_regularizer=sl.constant(0.1, dtype=sl.float64), fast=False,
    )  # fmt: skip


def logarithm(made):
    real = made.floats(1000, 1000)
    return ops.MatrixLogarithm(input=ops.Complex(real=real, imag=real))


def tridiagonal(made):
    return ops.TridiagonalSolve(
        diagonals=made.floats(3, 20 * M), rhs=made.floats(20 * M, 8), partial_pivoting=True
    )


def dilation(made):
    return ops.Dilation2D(
        input=made.ones(1, 500, 500, 32), filter=made.ones(31, 31, 32), strides=STRIDES,
        rates=STRIDES, padding="SAME",
    )  # fmt: skip


def pool_gradient(made):
    image = made.floats(1, 500, 500, 8)
    return ops.MaxPoolGrad(
        orig_input=image, orig_output=image, grad=image, ksize=[1, 201, 201, 1], strides=STRIDES,
        padding="SAME",
    )  # fmt: skip


def crops(made):
    return ops.CropAndResize(
        image=made.floats(1, 100, 100, 3), boxes=made.floats(10, 4), box_ind=ints(*[0] * 10),
        crop_size=ints(6000, 6000),
    )  # fmt: skip


def fourier(made):
    numbers = ops.RandomUniform(shape=ints(40000003), dtype=sl.float32)  # a prime
    return ops.FFT(input=made.put(ops.Cast(x=numbers, DstT=sl.complex64)))


def suppression(made):
    return ops.NonMaxSuppressionV3(
        boxes=made.floats(200000, 4), scores=made.floats(200000), max_output_size=ints(200000)[0],
        iou_threshold=sl.constant(0.99), score_threshold=sl.constant(0.0),
    )  # fmt: skip


kernel("ParameterizedTruncatedNormal", bounded, few=True)
kernel("StringNGrams", ngrams, few=True)
kernel("EditDistance", edit_distance, few=True)
kernel("StringUpper", upper_case)
kernel("Substr", parts_of_strings)
kernel("StringFormat", formatted, few=True)
kernel("EncodeBase64", lambda made: ops.EncodeBase64(input=made.ones(1, value="x" * 300 * M)))
kernel("DecodeBase64", lambda made: ops.DecodeBase64(input=made.ones(1, value="xxxx" * 80 * M)))
kernel("EncodePng", encoded_image, few=True)
kernel("DecodeJpeg", decoded_image)
kernel("CTCLoss", labels_of_one_sequence)
kernel(
    "BandedTriangularSolve",
    lambda made: ops.BandedTriangularSolve(
        matrix=made.ones(1000, 50000), rhs=made.floats(50000, 1000), lower=True, adjoint=False
    ),
)
kernel("LogUniformCandidateSampler", candidates, few=True)
kernel("ListDiff", differences, few=True)
kernel("ImageConnectedComponents", regions)
kernel("HistogramSummary", histogram)
kernel("DecodeJSONExample", json_text, few=True)
kernel("SparseReshape", sparse_reshape)
kernel("NthElement", lambda made: ops.NthElement(input=made.floats(600 * M), n=ints(300 * M)[0]))
kernel("DeepCopyOfStrings", lambda made: ops.DeepCopy(x=long_strings(made)))
kernel(
    "FillOfStrings",
    lambda made: ops.Fill(dims=ints(18 * M), value=sl.constant("x" * 500)),
)
kernel(
    "TransposeOfStrings",
    lambda made: ops.Transpose(x=made.ones(3001, 3001, value="x" * 500), perm=ints(1, 0)),
)
kernel(
    "Transpose",
    lambda made: ops.Transpose(x=made.floats(30001, 30001), perm=ints(1, 0)),
    few=True,
)
kernel("Conv2D", conv, few=True)
kernel("Conv2DBackpropFilter", conv_filter)
kernel("Conv3D", conv_of_volumes)
kernel("DepthwiseConv2dNative", depthwise, few=True)
kernel("DepthwiseConv2dNativeBackpropFilter", depthwise_filter)
kernel("AvgPool", pool)
kernel("MaxPoolGrad", pool_gradient, few=True)
kernel("Dilation2D", dilation)
kernel("CropAndResize", crops)
kernel("FFT", fourier)
kernel("Cumsum", lambda made: ops.Cumsum(x=made.floats(300 * M), axis=ints(0)[0]))
kernel("NonMaxSuppressionV3", suppression)
kernel("MatrixSolveLs", least_squares)
kernel("MatrixLogarithm", logarithm)
kernel("TridiagonalSolve", tridiagonal)
kernel(
    "Svd",
    lambda made: ops.Svd(input=made.floats(2500, 2500), compute_uv=True, full_matrices=False),
    few=True,
)
kernel("Qr", lambda made: ops.Qr(input=made.floats(6000, 6000), full_matrices=True))
kernel(
    "SelfAdjointEigV2",
    lambda made: ops.SelfAdjointEigV2(input=made.floats(3000, 3000), compute_v=True),
    few=True,
)
kernel(
    "MatrixInverse",
    lambda made: ops.MatrixInverse(input=made.floats(8000, 8000), adjoint=False),
)
kernel("MatrixDeterminant", lambda made: ops.MatrixDeterminant(input=made.floats(9000, 9000)))
kernel("MatrixExponential", lambda made: ops.MatrixExponential(input=made.floats(2500, 2500)))
kernel(
    "TruncatedNormal",
    lambda made: ops.TruncatedNormal(shape=ints(200 * M), dtype=sl.float64),
)
kernel(
    "RandomGamma",
    lambda made: ops.RandomGamma(shape=ints(100 * M), alpha=sl.constant([0.5])),
    few=True,
)
kernel(
    "Multinomial",
    lambda made: ops.Multinomial(logits=made.floats(4, 1000), num_samples=ints(50 * M)[0]),
)
kernel(
    "SpaceToBatchND",
    lambda made: ops.SpaceToBatchND(
        input=made.ones(1, 3, 1),
        block_shape=ints(400 * M),
        paddings=sl.constant([[0, 400 * M - 3]]),
    ),
    few=True,
)
kernel(
    "MatMul",
    lambda made: ops.MatMul(a=made.ones(9000, 9000), b=made.ones(9000, 9000)),
    few=True,
)
kernel(
    "MatMulOfIntegers",
    lambda made: ops.MatMul(a=made.ones(8000, 8000, value=1), b=made.ones(8000, 8000, value=1)),
)
kernel("TopKV2", lambda made: ops.TopKV2(input=made.floats(60 * M), k=ints(60 * M)[0]))
kernel("RandomShuffle", lambda made: ops.RandomShuffle(value=made.floats(100 * M)))
kernel("Unique", lambda made: ops.Unique(x=made.numbers(1 << 30, 40 * M)))
kernel("AsString", lambda made: ops.AsString(input=made.floats(16 * M)))
kernel(
    "ReduceDataset",
    lambda made: sl.data.Dataset.range(1 << 60).reduce(
        sl.constant(0, dtype=sl.int64), lambda sum, number: sum + number
    ),
    few=True,
)
kernel("MatchingFiles", lambda made: ops.MatchingFiles(pattern=sl.constant(["/*/*/*/*/*/*/*"])))


def seconds_used(pid):
    with open("/proc/%d/stat" % pid, encoding="utf-8") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def used_until_idle(pid, limit=60.0):
    """The processor's seconds that a process uses from now on until it is idle."""
    first = before = seconds_used(pid)
    end = time.time() + limit
    while time.time() < end:
        time.sleep(0.3)
        now = seconds_used(pid)
        if now - before <= 0.02:
            break
        before = now
    return now - first


def measure(build):
    """Whether the step reached its deadline, and the seconds that its kernel used after it."""
    with Cluster({"worker": 1}) as cluster, sl.Graph().as_default():
        made = Inputs()
        step = sl.group(build(made))
        with sl.Session(cluster.target()) as session:
            session.run(made.initializers)
            try:
                session.run(step, options=sl.RunOptions(timeout_in_ms=DEADLINE_MS))
                late = False
            except sl.errors.DeadlineExceededError:
                late = True
            return late, used_until_idle(cluster.processes["worker", 0].pid)


def main():
    failed = False
    for name in sys.argv[1:] or KERNELS:
        late, seconds = measure(KERNELS[name])
        failed = failed or seconds > 1
        end = "deadline" if late else "finished in time"
        print("%-32s %-18s %6.2f s of CPU after it" % (name, end, seconds), flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
