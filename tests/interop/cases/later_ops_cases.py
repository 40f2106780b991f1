# SPDX-License-Identifier: Apache-2.0
"""Ops that 1.15 does not have: crosses and filled rows of ragged and sparse tensors, isotonic
regression, permuted indices, boxes, draws from seeds and convolutions of any rank.
"""

import numpy as np

from interop.cases.case import F64, FLOATS, INF, INVALID, NAN, Case, arange, i32, i64, normal, of

EVERYTHING = (*FLOATS, "int8", "int32", "int64", "bool", "string", "complex64")


def later(op, *inputs, **kw):
    """Only a later TensorFlow has an answer."""
    return Case(op, *inputs, like=2, **kw)


def words(values):
    return of(np.array(values, dtype=object), "string")


def filled_rows():
    op, nine = "RaggedFillEmptyRows", of(9)
    plain = [t for t in EVERYTHING if t != "string"]
    yield later(op, i64([0, 0, 2]), arange(3), i64(4), of(1), types=plain)
    yield later(op, i64([0, 0, 2]), words([b"a", b"", b"c"]), i64(4), words(b"none"))
    for ids in ([0, 2], [2, 0], [3, 0, 3, 1], [0, 1, 2, 3], [1, 0, 3, 2], []):
        yield later(op, i64(ids), arange(len(ids)), i64(4), nine)
    yield later(op, i64([]), arange(0), i64(3), nine)
    bad = {"error": INVALID}
    yield later(op, i64([[0, 2]]), arange(2), i64(4), nine, text="must be a vector", **bad)
    yield later(op, i64([0, 2]), arange(2), i64([4]), nine, text="nrows must be a scalar", **bad)
    yield later(op, i64([0]), arange(1), i64(4), of([9]), text="default_value must be", **bad)
    yield later(op, i64([0]), arange(2), i64(4), nine, text="must match the first", **bad)
    yield later(op, i64([0]), arange(1), i64(0), nine, text="dense_shape[0] = 0", **bad)
    yield later(op, i64([]), arange(0), i64(-1), nine, **bad)
    yield later(op, i64([5]), arange(1), i64(2), nine, text="is invalid: 5 >= 2", **bad)
    yield later(op, i64([-5]), arange(1), i64(2), nine, text="is invalid: -5 >= 2", **bad)
    grad = op + "Grad"
    numbers = (*FLOATS, "int8", "int32", "int64", "complex64")
    yield later(grad, i64([1, 0, 3]), normal(5), types=numbers)
    yield later(grad, i64([]), normal(3), types=F64)
    yield later(grad, i64([]), normal(0), types=F64)
    yield later(grad, i64([5]), normal(5), text="must be in [0, 5) but got 5", **bad)
    yield later(grad, i64([[1]]), normal(5), text="must be a vector", **bad)
    yield later(grad, i64([1]), normal(5, 1), text="must be a vector", **bad)


SPARSE = i64([[0, 0], [0, 1], [2, 0]]), i64([3, 2])


def ragged_crosses():
    def case(order, ragged, sparse, dense, splits="int64", hashed=False, buckets=0, **kw):
        values = [value for value, _ in ragged]
        return later(
            "RaggedCross",
            values,
            [rows for _, rows in ragged],
            [SPARSE[0] for _ in sparse],
            sparse,
            [SPARSE[1] for _ in sparse],
            dense,
            input_order=order,
            hashed_output=hashed,
            num_buckets=buckets,
            hash_key=956888297470,
            out_values_type="int64" if hashed else "string",
            out_row_splits_type=splits,
            **kw,
        )

    named = words([b"a", b"", b"long enough not to be stored inline"]), i64([0, 1, 1, 3])
    counted = i64([7, -8, 9, 2**40]), i64([0, 2, 3, 4])
    letters, numbers = words([b"x", b"y", b"z"]), i64([1, 2, 3])
    dense = words([[b"p", b"q"], [b"r", b"s"], [b"t", b"u"]]), i64([[1], [2], [3]])
    for hashed in (False, True):
        for buckets in (0, 100):
            kw = {"hashed": hashed, "buckets": buckets}
            yield case("R", [named], [], [], **kw)
            yield case("RR", [named, counted], [], [], **kw)
            yield case("RSD", [counted], [letters], [dense[0]], **kw)
            yield case("DSDS", [], [letters, numbers], list(dense), **kw)
            narrow = named[0], i32([0, 1, 1, 3])
            yield case("R", [narrow], [], [], splits="int32", **kw)
    yield case("R", [(words([]), i64([0]))], [], [])
    bad = {"error": INVALID}
    values = i64([1, 2, 3])
    yield case("D", [named], [], [], **bad)
    yield case("X", [named], [], [], text="Unexpected input_order", **bad)
    yield case("RR", [named], [], [], text="Invalid length for input_order", **bad)
    yield case("R", [(i64([[1, 2, 3]]), i64([0, 3]))], [], [], text="inputs with rank=2", **bad)
    yield case("R", [(values, i64([[0, 3]]))], [], [], text="inputs with rank=2", **bad)
    yield case("D", [], [], [values], text="inputs with rank=2", **bad)
    yield case("RD", [(values, i64([0, 3]))], [], [dense[1]], text="the same batch", **bad)
    for splits in ([0, 2, 1, 3], [1, 3], [0, 5], [0, 1]):
        yield case("R", [(values, i64(splits))], [], [], **bad)


def hashed_crosses():
    def case(values, dense, strong=False, salt=(137, 173), buckets=0, **kw):
        return later(
            "SparseCrossHashed",
            [SPARSE[0] for _ in values],
            values,
            [SPARSE[1] for _ in values],
            dense,
            i64(buckets),
            of(strong, "bool"),
            i64(list(salt)),
            **kw,
        )

    letters, numbers = words([b"x", b"y", b"z"]), i64([1, -2, 3 + 2**40])
    dense = words([[b"p", b"q"], [b"r", b"s"], [b"t", b"u"]])
    for buckets in (0, 50, -3):
        for strong in (False, True):
            kw = {"strong": strong, "buckets": buckets}
            yield case([letters], [], **kw)
            yield case([letters, numbers], [dense], **kw)
        yield case([numbers], [i64([[1], [2], [3]])], buckets=buckets)
    yield case([], [])
    yield case([letters], [], salt=[1], error=INVALID, text='"salt" must have length 2')
    yield case([letters], [i64([[1]])], error=INVALID, text="Expected batch size 3 got 1")
    yield case([letters], [i64([1])], error=INVALID, text="should be a matrix")


def falling_sequences():
    op = "IsotonicRegression"
    for t in FLOATS:
        for x in (normal(7), normal(3, 20), normal(2, 2, 5), normal(0, 3), normal(3, 0)):
            yield later(op, x, types=(t,), output_dtype=t)
    for x in (of(3.0), of([1.0, 1.0, 2.0, 2.0]), of([3.0, 2.0, 1.0]), of([1.0, NAN, 2.0])):
        yield later(op, x, output_dtype="float32")
    for t in ("int8", "int16"):
        yield later(op, normal(4, 9), types=(t,), output_dtype="float32")
    for t in ("int32", "int64"):
        yield later(op, normal(4, 9), types=(t,), output_dtype="float64")


def shuffled_indices():
    op, seed = "RandomIndexShuffle", i32([1, 2, 3])
    for t in ("int32", "uint32", "int64", "uint64"):
        for most in (0, 1, 10, 255, 256, 65535, 65536, 65537, 10**6, 2**31 - 1):
            for index in sorted({0, most // 3, most}):
                yield later(op, of(index), seed, of(most), types=(t,))
        yield later(op, of([0, 5, 9]), of([4, 5, 6], t), of(9), types=(t,), rounds=8)
    for most in (2**33, 2**52 + 1, 2**62 - 1, 2**63 - 1):
        yield later(op, of(most // 7), seed, of(most), types=("int64",))
    seeds = i64([[1, 2, 3], [4, 5, 2**33]])
    yield later(op, of(3), seeds, of([7, 900]), types=("int32",))
    yield later(op, of([3, 4]), seeds, of(80), types=("int64",))
    bad = {"error": INVALID, "types": ("int32",)}
    yield later(op, of(11), seed, of(10), text="max_index must be >= index, but 10 < 11", **bad)
    yield later(op, of(-1), seed, of(10), text="index must be >= 0 but was -1", **bad)
    yield later(op, of(1), seed, of(-10), text="max_index must be >= 0 but was -10", **bad)
    yield later(op, of([[1]]), seed, of(10), text="scalar or vector", **bad)
    yield later(op, of([]), seed, of(10), text="scalar or vector", **bad)
    yield later(op, of(1), i32([1, 2]), of(10), text="Seed must be a vector of size [3]", **bad)
    yield later(op, of([1, 2]), seed, of([9, 9, 9]), **bad)


def approximate_tops():
    op, kinds = "ApproxTopK", ("float16", "bfloat16", "float32")
    for k in (0, 1, 3, 8):
        yield later(op, normal(4, 8), k=k, types=kinds)
        yield later(op, normal(2, 3, 8), k=k, types=kinds, recall_target=0.5)
    yield later(op, of([1.0, 2.0, 2.0, INF, -INF, 2.0]), k=5)
    yield later(op, normal(0, 4), k=2)
    yield later(op, normal(4, 8), k=9, error=INVALID, text="at least k columns")
    yield later(op, of(1.0), k=1, error=INVALID)


def checked_numbers():
    op = "CheckNumericsV2"
    for x in (normal(3, 4), normal(0, 4), of(2.0)):
        yield later(op, x, message="m", types=FLOATS)
    for values, text in (
        ([1, NAN], "m : Tensor had NaN values"),
        ([INF], "m : Tensor had +Inf values"),
        ([-INF, 0], "m : Tensor had -Inf values"),
        ([INF, -INF], "m : Tensor had -Inf and +Inf values"),
        ([NAN, -INF], "m : Tensor had -Inf and NaN values"),
        ([INF, NAN], "m : Tensor had +Inf and NaN values"),
        ([INF, NAN, -INF], "m : Tensor had -Inf, +Inf, and NaN values"),
    ):
        yield later(op, of(values), message="m", types=FLOATS, error=INVALID, text=text)


def seeded_boxes():
    op, kinds = "StatelessSampleDistortedBoundingBox", ("uint8", "int8", "int16", "int32", "int64")
    boxes = of([[[0.1, 0.2, 0.6, 0.9], [0.0, 0.0, 0.3, 0.3]]], "float32")
    part = of(0.3, "float32")
    for seed in (i32([1, 2]), i64([2**40, -7]), i64([0, 0])):
        yield later(op, of([90, 70, 3]), boxes, part, seed, types=kinds)
        yield later(op, i32([480, 640, 3]), boxes, of(0.9, "float32"), seed, max_attempts=5)
    none = of(np.zeros((1, 0, 4)), "float32")
    for aspects in ([0.5, 2.0], [1.0, 1.0]):
        kw = {"aspect_ratio_range": aspects, "area_range": [0.2, 0.8]}
        all_of_it = {"use_image_if_no_bounding_boxes": True, **kw}
        yield later(op, i32([300, 200, 3]), none, part, i32([5, 6]), **all_of_it)
    bad = {"error": INVALID}
    yield later(op, i32([90, 70, 3]), none, part, i32([1, 2]), text="No bounding boxes", **bad)
    yield later(op, i32([90, 70, 3]), boxes, part, i32([1, 2, 3]), **bad)
    yield later(op, i32([90, 70]), boxes, part, i32([1, 2]), **bad)
    yield later(op, i32([90, 70, 3]), boxes, of([0.3], "float32"), i32([1, 2]), **bad)
    yield later(op, i32([90, 70, 3]), boxes, of(-0.3, "float32"), i32([1, 2]), **bad)


def seeded_draws():
    close = {"rtol": 1e-4, "atol": 1e-5}
    halves = {"float16": {"rtol": 1e-2, "atol": 1e-2}}
    key, counter, philox = of([11], "uint64"), of([3, 4], "uint64"), i32(1)
    for t in ("float16", "float32", "float64"):
        kw = {"types": (t,), **halves.get(t, close)}
        alpha = of([[0.5, 1.0, 3.0], [7.0, 20.0, 0.01]])
        for seed in (i32([1, 2]), i64([2**40, -7])):
            yield later("StatelessRandomGammaV2", i32([4, 2, 3]), seed, alpha, **kw)
        yield later("StatelessRandomGammaV3", i64([4, 2, 3]), key, counter, philox, alpha, **kw)
        rates = of([0.5, 3.0, 12.0])
        for out in ("float16", "float32", "float64", "int32", "int64"):
            yield later("StatelessRandomPoisson", i32([5, 3]), i32([1, 2]), rates, types=(t,),
                        dtype=out)  # fmt: skip
            counts, odds = of([10, 40, 3]), of([0.25, 0.75, 0.5])
            yield later("StatelessRandomBinomial", i32([5, 3]), i32([1, 2]), counts, odds,
                        types=(t,), dtype=out)  # fmt: skip
        ends = of(0.5), of(2.0), of(-1.0), of(1.5)
        yield later("StatelessParameterizedTruncatedNormal", i32([50]), i32([1, 2]), *ends, **kw)
    for t in ("int32", "int64", "uint32", "uint64"):
        op = "StatelessRandomUniformFullInt"
        for seed in (i32([1, 2]), i64([2**40, -7])):
            yield later(op, i32([7]), seed, dtype=t)
    for t in EVERYTHING:
        for value in (arange(9), arange(4, 3), arange(1), arange(0, 2)):
            yield later("StatelessShuffle", value, key, counter, philox, types=(t,))
    yield later("StatelessRandomGetAlg")
    for seed in (i32([1, 2]), i64([2**40, -7])):
        yield later("StatelessRandomGetKeyCounterAlg", seed)
    bad = {"error": INVALID}
    yield later("StatelessRandomGammaV2", i32([2]), i32([1, 2, 3]), of([1.0, 2.0]), **bad)
    yield later("StatelessRandomGammaV2", i32([3]), i32([1, 2]), of([1.0, 2.0]), **bad)
    yield later("StatelessShuffle", arange(3), of([], "uint64"), counter, philox, **bad)
    square, text = of([[1, 2]], "uint64"), "counter must be a vector with length at least"
    yield later("StatelessShuffle", arange(3), key, square, philox, text=text, **bad)
    yield later("StatelessRandomGetKeyCounterAlg", i32([1]), **bad)


def any_convolutions():
    """Conv: of images and volumes, with any number of dimensions of batch."""
    numbers = ("float32", "float64", "int32")
    image, volume = normal(2, 5, 6, 2), normal(1, 4, 5, 4, 2)
    of_images, of_volumes = normal(2, 3, 2, 3), normal(2, 3, 2, 2, 3)
    flat, deep = {"strides": [1, 1, 1, 1]}, {"strides": [1, 1, 1, 1, 1]}
    for padding in ("VALID", "SAME"):
        yield later("Conv", image, of_images, types=FLOATS + numbers[2:], padding=padding, **flat)
        yield later("Conv", volume, of_volumes, types=numbers, padding=padding, **deep)
        yield later("Conv", image, of_images, padding=padding, strides=[1, 2, 3, 1])
        yield later("Conv", volume, of_volumes, padding=padding, strides=[1, 2, 1, 2, 1])
        yield later("Conv", image, of_images, padding=padding, dilations=[1, 2, 1, 1], **flat)
    pads = [0, 0, 1, 2, 0, 1, 0, 0]
    yield later("Conv", image, of_images, padding="EXPLICIT", explicit_paddings=pads, **flat)
    flat, deep = dict(flat, padding="VALID"), dict(deep, padding="VALID")
    yield later("Conv", normal(5, 6, 2), of_images, batch_dims=0, **flat)
    yield later("Conv", normal(2, 3, 5, 6, 2), of_images, batch_dims=2, **flat)
    yield later("Conv", normal(2, 1, 3, 5, 6, 2), of_images, batch_dims=3, **flat)
    yield later("Conv", normal(2, 1, 4, 5, 4, 2), of_volumes, batch_dims=2, **deep)
    yield later("Conv", normal(0, 5, 6, 2), of_images, **flat)
    bad = {"error": INVALID}
    text = "The input must have 2 or 3 spatial dimensions but got "
    yield later("Conv", normal(1, 6, 2), of_images, text=text + "1", **bad, **flat)
    yield later("Conv", image, of_images, batch_dims=-1, text=text + "4", **bad, **flat)
    yield later("Conv", image, of_images, batch_dims=3, text=text + "0", **bad, **flat)
    text = "The filter must be rank 4 or 5 but got 3"
    yield later("Conv", image, normal(2, 2, 3), text=text, **bad, **flat)
    text = "Input depth must be equal to filter depth: 2 vs 1"
    yield later("Conv", image, normal(2, 2, 1, 4), text=text, **bad, **flat)
    text = "Sliding window strides field must specify 4 dimensions"
    yield later("Conv", image, of_images, text=text, **bad, **deep)


FAMILIES = (
    any_convolutions,
    filled_rows, ragged_crosses, hashed_crosses, falling_sequences, shuffled_indices,
    approximate_tops, checked_numbers, seeded_boxes, seeded_draws,
)  # fmt: skip
