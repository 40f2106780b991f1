# SPDX-License-Identifier: Apache-2.0
"""Lines of data for shapes, joins, slices and pads."""

import numpy as np

from interop.cases.case import ANY, INVALID, NUMBERS, Case, arange, i32, i64, normal, of


def shapes():
    for shape in ((), (3,), (2, 0, 4), (1, 2, 3, 4, 5, 6, 7, 1)):
        for op in ("Shape", "Size"):
            yield Case(op, normal(*shape), out_type="int32")
            yield Case(op, normal(*shape), out_type="int64")
        yield Case("Rank", normal(*shape))
    yield Case("Shape", normal(2, 2), types=ANY)
    yield Case("ShapeN", [normal(2, 3), normal(), normal(0, 1)], out_type="int64")
    for to in ([6], [2, 3], [-1], [3, -1], [1, 6, 1, 1], [-1, 2]):
        yield Case("Reshape", arange(2, 3), i32(to))
        yield Case("Reshape", arange(2, 3), i64(to), types=("string",))
    yield Case("Reshape", normal(1), i32([]))
    yield Case("Reshape", normal(0, 3), i32([3, 0]))
    yield Case("Reshape", normal(0, 3), i32([3, -1]))
    yield Case("Reshape", normal(0, 3), i32([0, -1]))
    yield Case("Reshape", normal(0, 3), i32([0, 0, -1]))
    yield Case("Reshape", normal(0), i32([-1, 0]))
    yield Case("Reshape", normal(4), i32([0, -1]), error=INVALID)
    yield Case(
        "Reshape",
        normal(5),
        i32([6]),
        error=INVALID,
        text="Input to reshape is a tensor with 5 values, but the requested shape has 6",
    )
    yield Case("Reshape", normal(5), i32([2, -1]), error=INVALID)
    yield Case("Reshape", normal(4), i32([-1, -1]), error=INVALID)
    yield Case("Reshape", normal(4), i32([-2, -2]), error=INVALID)
    yield Case("Reshape", normal(4), i32([[4]]), error=INVALID)
    yield Case(
        "Reshape", normal(4), i64([2**40, 2**40]), error=INVALID, ours="1.15 dies of a CHECK"
    )


def single_dimensions():
    for dim in (0, 1, 2, -1, -3):
        yield Case("ExpandDims", normal(2, 3), i32(dim))
        yield Case("ExpandDims", normal(2, 3), i64(dim), types=("string",))
    yield Case("ExpandDims", normal(), i32(0))
    yield Case("ExpandDims", normal(2), i32(2), error=INVALID)
    yield Case("ExpandDims", normal(2), i32(-3), error=INVALID)
    yield Case("Squeeze", normal(1, 2, 1, 3), squeeze_dims=[])
    yield Case("Squeeze", normal(1, 2, 1, 3), squeeze_dims=[2])
    yield Case("Squeeze", normal(1, 2, 1, 3), squeeze_dims=[0, -2])
    yield Case("Squeeze", normal(2, 1), squeeze_dims=[0], error=INVALID)
    yield Case("Squeeze", normal(2, 1), squeeze_dims=[2], error=INVALID)
    yield Case("Bitcast", normal(3, 2), type="int32")
    yield Case("Bitcast", normal(3, 2), type="uint8")
    yield Case("Bitcast", normal(3, 2), type="float64")
    yield Case("Bitcast", normal(3, 4), types=("uint8",), type="float32")
    yield Case("Bitcast", normal(3, 3), type="float64", error=INVALID)
    yield Case("ConcatOffset", i32(1), [i32([2, 3, 5]), i32([2, 7, 5]), i32([2, 1, 5])])
    yield Case("ConcatOffset", i32(-1), [i32([2, 3]), i32([2, 4])])
    yield Case("ConcatOffset", i32(1), [i32([2, 3, 5]), i32([3, 7, 5])], error=INVALID)
    yield Case("ConcatOffset", i32(3), [i32([2, 3, 5]), i32([2, 7, 5])], error=INVALID)


def fills():
    yield Case("Fill", i32([2, 3]), of(7), types=NUMBERS)
    yield Case("Fill", i64([2, 3]), of(b"x"), types=("string",))
    yield Case("Fill", i32([]), of(7))
    yield Case("Fill", i32([0, 3]), of(7))
    yield Case("Fill", i32([-1]), of(7), error=INVALID)
    yield Case("Fill", i32([2]), of([7, 8]), error=INVALID)
    yield Case("Fill", i32([[2]]), of(7), error=INVALID)
    yield Case("Fill", i64([2**40, 2**40]), of(7), error="ANY", ours="TensorFlow may die")
    yield Case("ZerosLike", normal(2, 3), types=ANY)
    yield Case("OnesLike", normal(2, 3), types=NUMBERS + ("bool",))


def broadcasts():
    for a, b in (
        ([2, 3], [3]),
        ([2, 1], [1, 5]),
        ([], [4]),
        ([4], []),
        ([2, 3], [2, 3]),
        ([0], [1]),
        ([5, 1, 3], [1, 3]),
        ([1], [1]),
        ([1, 1], [1]),
    ):
        yield Case("BroadcastGradientArgs", i32(a), i32(b))
        yield Case("BroadcastArgs", i32(a), i32(b))
        yield Case("BroadcastGradientArgs", i64(a), i64(b))
    for op in ("BroadcastArgs", "BroadcastGradientArgs"):
        yield Case(op, i32([2]), i32([3]), error=INVALID)
        yield Case(op, i32([[2]]), i32([3]), error=INVALID)
    yield Case("BroadcastTo", normal(3, 1), i32([2, 3, 4]), types=ANY)
    yield Case("BroadcastTo", normal(), i64([2, 3]))
    yield Case("BroadcastTo", normal(4), i32([4]))
    yield Case("BroadcastTo", normal(1), i32([0]))
    yield Case("BroadcastTo", normal(3), i32([4]), error=INVALID)
    yield Case("BroadcastTo", normal(2, 3), i32([3]), error=INVALID)
    yield Case("Tile", arange(2, 3), i32([2, 1]), types=ANY)
    yield Case("Tile", arange(2, 3), i64([1, 3]))
    yield Case("Tile", arange(2, 3), i32([3, 2]))
    yield Case("Tile", arange(2, 3), i32([0, 2]))
    yield Case("Tile", normal(), i32([]))
    yield Case("Tile", normal(2, 1, 3, 1, 2), i32([1, 2, 2, 3, 1]))
    yield Case("Tile", normal(2, 3), i32([2]), error=INVALID)
    yield Case("Tile", normal(2, 3), i32([2, -1]), error=INVALID)


def joins():
    yield Case("ConcatV2", [arange(2, 3), arange(2, 3)], i32(0), types=ANY)
    yield Case("ConcatV2", [arange(2, 3), arange(2, 1), arange(2, 2)], i32(1), types=ANY)
    yield Case("ConcatV2", [arange(2, 3), arange(2, 0), arange(2, 2)], i64(-1))
    yield Case("ConcatV2", [normal(2, 3, 4), normal(2, 5, 4)], i32(-2))
    yield Case("Concat", i32(1), [normal(2, 3, 4), normal(2, 5, 4)])
    yield Case("Concat", i32(0), [normal(0), normal(3)])
    two, text = [normal(2, 3), normal(2, 3)], "tensor should be a scalar integer, but got shape"
    yield Case("Concat", i32([[1]]), two, error=INVALID, text=f"concat_dim {text} [1,1]")
    yield Case("ConcatV2", two, i32([]), error=INVALID, text=f"axis {text} [0]")
    yield Case("ConcatV2", [normal(0, 2), normal(0, 2)], i32(0))
    yield Case("ConcatV2", [normal(2), normal(2)], i32(1), error=INVALID)
    yield Case("ConcatV2", [normal(2, 3), normal(3, 3)], i32(1), error=INVALID)
    yield Case("ConcatV2", [normal(2, 3), normal(2)], i32(0), error=INVALID)
    for axis in (0, 1, 2, -1, -3):
        yield Case("Pack", [arange(2, 3), arange(2, 3), arange(2, 3)], axis=axis)
    yield Case("Pack", [arange(2, 3), arange(2, 3)], types=ANY)
    yield Case("Pack", [normal()], axis=0)
    yield Case("Pack", [normal(2), normal(3)], error=INVALID)
    yield Case("Pack", [normal(2), normal(2)], axis=2, error=INVALID)
    for axis in (0, 1, 2, -1):
        yield Case("Unpack", arange(2, 2, 2), num=2, axis=axis)
    yield Case("Unpack", arange(2, 3), num=2, types=ANY)
    yield Case("Unpack", arange(3, 16), num=3)
    yield Case("Unpack", normal(0, 3), num=0)
    yield Case("Unpack", normal(2, 0), num=2)
    yield Case("Unpack", normal(2, 3), num=3, error=INVALID)
    yield Case("Unpack", normal(2, 3), num=2, axis=2, error=INVALID)
    for axis in (0, 1, -1):
        yield Case("Split", i32(axis), arange(4, 6), num_split=2, types=("float32", "string"))
    yield Case("Split", i32(0), arange(6, 2), num_split=3, types=ANY)
    yield Case("Split", i32(0), arange(64, 4), num_split=2)
    yield Case("Split", i32(0), arange(5), num_split=2, error=INVALID)
    yield Case("Split", i32(1), arange(4), num_split=2, error=INVALID)
    yield Case("SplitV", arange(6, 4), i32([1, 2, 3]), i32(0), num_split=3, types=ANY)
    yield Case("SplitV", arange(6, 4), i64([1, -1]), i32(1), num_split=2)
    yield Case("SplitV", arange(6, 4), i64([0, 4]), i32(1), num_split=2)
    yield Case("SplitV", arange(6), i32([1, 2]), i32(0), num_split=2, error=INVALID)
    yield Case(
        "SplitV",
        arange(6),
        i32([7, -1]),
        i32(0),
        num_split=2,
        error=INVALID,
        ours="a CHECK fails in 1.15, 2.21 answers",
    )
    yield Case(
        "SplitV",
        arange(6),
        i32([-2, 8]),
        i32(0),
        num_split=2,
        error=INVALID,
        ours="a CHECK fails in 1.15",
    )
    yield Case(
        "SplitV",
        arange(6),
        i32([6]),
        i32(1),
        num_split=1,
        error=INVALID,
        ours="one piece is not checked there",
    )
    yield Case("StringJoin", [normal(3, dtype="string"), normal(3, dtype="string")], separator="-")
    yield Case(
        "StringJoin", [normal(dtype="string"), normal(2, 2, dtype="string"), normal(dtype="string")]
    )
    yield Case("StringJoin", [normal(2, dtype="string"), normal(3, dtype="string")], error=INVALID)


def strided(shape, begin, end, strides, **kw):
    return Case("StridedSlice", arange(*shape), i32(begin), i32(end), i32(strides), **kw)


def slices():
    yield Case("Slice", arange(3, 4), i32([1, 1]), i32([2, -1]), types=ANY)
    yield Case("Slice", arange(3, 4), i64([0, 0]), i64([3, 4]))
    yield Case("Slice", arange(3, 4), i32([1, 0]), i32([1, 4]))
    yield Case("Slice", arange(32, 16), i32([8, 0]), i32([3, 16]))
    yield Case("Slice", arange(3, 4), i32([3, 4]), i32([0, 0]))
    yield Case("Slice", normal(), i32([]), i32([]))
    yield Case("Slice", arange(2, 3, 4, 5), i32([1, 0, 2, 1]), i32([1, 2, 1, 3]))
    yield Case("Slice", arange(3), i32([4]), i32([0]), error=INVALID)
    yield Case("Slice", arange(3), i32([-1]), i32([1]), error=INVALID)
    yield Case("Slice", arange(3), i32([1]), i32([3]), error=INVALID)
    yield Case("Slice", arange(3), i32([1]), i32([-2]), error=INVALID)
    yield Case("Slice", arange(3), i32([1, 0]), i32([1, 1]), error=INVALID)


def strided_slices():
    yield strided((5,), [1], [4], [2])
    yield strided((5,), [4], [0], [-2])
    yield strided((5,), [-1], [-10], [-1])
    yield strided((5,), [-100], [100], [1])
    yield strided((5,), [100], [-100], [-3])
    yield strided((5,), [3], [1], [1])
    yield strided((5,), [0], [0], [-1], begin_mask=1, end_mask=1)
    yield strided((5,), [2], [0], [2], end_mask=1)
    yield strided((3, 4), [1], [2], [1], shrink_axis_mask=1)
    yield strided((3, 4), [-1], [0], [1], shrink_axis_mask=1)
    yield strided((3, 4), [0, 1], [0, 2], [1, 1], begin_mask=1, end_mask=1, shrink_axis_mask=2)
    yield strided((3, 4), [0, 0], [0, 0], [1, 1], new_axis_mask=1)
    yield strided((3, 4), [0, 0], [0, 0], [1, 1], begin_mask=1, end_mask=1, new_axis_mask=2)
    yield strided(
        (2, 3, 4),
        [1, 0, 0, 2],
        [0, 0, 0, 3],
        [1, 1, 1, 1],
        end_mask=1,
        ellipsis_mask=2,
        new_axis_mask=4,
        shrink_axis_mask=8,
    )
    yield strided((2, 3, 4), [0, 1], [0, 3], [1, 1], ellipsis_mask=1)
    yield strided((2, 3, 4), [1, 0], [2, 0], [1, 1], ellipsis_mask=2)
    yield strided((2, 3, 4), [0], [0], [1], ellipsis_mask=1)
    yield strided((2, 3, 4), [], [], [])
    yield strided((0, 3), [0], [5], [1])
    yield strided((2, 3), [1, 1, 0], [2, 2, 0], [1, 1, 1], ellipsis_mask=4)
    yield Case("StridedSlice", arange(4, 5), i64([0, 4]), i64([4, 0]), i64([2, -2]), types=ANY)
    yield strided((40, 16), [8], [11], [1])


def bad_strided_slices():
    yield strided(
        (3,),
        [5],
        [6],
        [1],
        shrink_axis_mask=1,
        error=INVALID,
        text="slice index 5 of dimension 0 out of bounds.",
    )
    yield strided(
        (3,),
        [-4],
        [6],
        [1],
        shrink_axis_mask=1,
        error=INVALID,
        text="slice index -1 of dimension 0 out of bounds.",
    )
    yield strided((3,), [0], [2], [0], error=INVALID)
    yield strided((3,), [0, 0], [1, 1], [1, 1], error=INVALID)
    yield strided((3,), [0, 0], [1], [1], error=INVALID)
    yield strided((3,), [1], [2], [-1], shrink_axis_mask=1, error=INVALID)
    yield strided((2, 2), [0, 0], [1, 1], [1, 1], ellipsis_mask=3, error=INVALID)


def strided_slice_gradients():
    for shape, b, e, s, masks in (
        ([5], [1], [4], [2], {}),
        ([5], [4], [0], [-2], {}),
        ([3, 4], [1], [2], [1], dict(shrink_axis_mask=1)),
        (
            [2, 3, 4],
            [1, 0, 0, 2],
            [0, 0, 0, 3],
            [1, 1, 1, 1],
            dict(end_mask=1, ellipsis_mask=2, new_axis_mask=4, shrink_axis_mask=8),
        ),
        ([2, 3], [0], [2], [1], {}),
    ):
        dy = {(5,): (2,), (3, 4): (4,), (2, 3, 4): (1, 3, 1), (2, 3): (2, 3)}[tuple(shape)]
        yield Case(
            "StridedSliceGrad",
            i32(shape),
            i32(b),
            i32(e),
            i32(s),
            arange(*dy),
            types=("float32", "int8", "complex128"),
            **masks,
        )
    yield Case("StridedSliceGrad", i32([5]), i32([1]), i32([4]), i32([1]), arange(2), error=INVALID)


def pads():
    for types in (ANY,):
        yield Case("Pad", arange(2, 3), i32([[1, 0], [2, 1]]), types=types)
        yield Case(
            "PadV2",
            arange(2, 3),
            i32([[1, 0], [2, 1]]),
            of(1) if types != ("string",) else of(b"p"),
            types=NUMBERS,
        )
    yield Case("PadV2", arange(3), i64([[1, 2]]), of(b"p"), types=("string",))
    yield Case("Pad", normal(), of(np.zeros((0, 2)), "int32"))
    yield Case("Pad", normal(0, 2), i32([[1, 1], [0, 0]]))
    yield Case("Pad", arange(2, 1, 2, 1, 2), i32([[1, 0], [0, 1], [0, 0], [2, 2], [0, 1]]))
    yield Case("Pad", arange(3), i32([[-1, 0]]), error=INVALID)
    yield Case("Pad", arange(3), i32([[1, 0], [0, 0]]), error=INVALID)
    yield Case("Pad", arange(3), i32([1, 0]), error=INVALID)
    for mode in ("REFLECT", "SYMMETRIC"):
        yield Case(
            "MirrorPad",
            arange(3, 4),
            i32([[2, 1], [0, 3]]),
            mode=mode,
            types=NUMBERS + ("bool", "string"),
        )
        yield Case("MirrorPad", arange(5), i64([[3, 4]]), mode=mode)
        yield Case("MirrorPad", arange(2, 2, 3), i32([[1, 1], [0, 1], [2, 0]]), mode=mode)
        yield Case("MirrorPad", arange(3), i32([[4, 0]]), mode=mode, error=INVALID)
        yield Case("MirrorPad", arange(3), i32([[-1, 0]]), mode=mode, error=INVALID)
        yield Case(
            "MirrorPadGrad",
            normal(6, 7),
            i32([[2, 1], [0, 3]]),
            mode=mode,
            types=("float32", "float64", "int32"),
        )
        yield Case("MirrorPadGrad", normal(12), i64([[3, 4]]), mode=mode)
        yield Case("MirrorPadGrad", normal(3), i32([[2, 2]]), mode=mode, error=INVALID)
    yield Case("MirrorPad", arange(3), i32([[3, 0]]), mode="REFLECT", error=INVALID)


FAMILIES = (
    shapes,
    single_dimensions,
    fills,
    broadcasts,
    joins,
    slices,
    strided_slices,
    bad_strided_slices,
    strided_slice_gradients,
    pads,
)
