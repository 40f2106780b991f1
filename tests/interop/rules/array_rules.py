# SPDX-License-Identifier: Apache-2.0
"""Rules, as in op_rules.py, for arrays that are taken apart, joined, searched, or rounded."""

import numpy as np

from interop.cases.case import Case, between, i32, i64, normal, of
from interop.rules.draws import axis_of, broadcast_pair, full, pick, shape_of, table, whole
from interop.rules.op_rules import strided


def partition(op, rng):
    shape = shape_of(rng, 1, 4)
    parts = whole(rng, 1, 2, 4)
    where = rng.randint(parts, size=shape[: whole(rng, 1, len(shape))])
    return Case(op, normal(*shape), of(where, "int32"), num_partitions=parts)


def stitch(op, rng):
    """Indices that cover a range, over lists of any rank."""
    rest, count = full(rng, 0, 2), whole(rng, 1, 2, 3)
    sizes = [full(rng, 0, 2) for _ in range(count)]
    total = sum(int(np.prod(s)) for s in sizes)
    places = list(rng.permutation(total))
    indices = []
    for size in sizes:
        taken = [int(places.pop()) for _ in range(int(np.prod(size)))]
        indices.append(of(np.array(taken).reshape(size), "int32"))
    return Case(op, indices, [normal(*s, *rest) for s in sizes])


def broadcast_shapes(op, rng):
    kind = pick(rng, "int32", "int64")
    return Case(op, *(of(np.array(s, np.int64), kind) for s in broadcast_pair(rng)), types=(kind,))


def offsets(op, rng):
    shape = full(rng, 1, 4)
    axis = axis_of(rng, len(shape)) % len(shape)
    shapes = [[whole(rng, 0, 1, 3) if d == axis else n for d, n in enumerate(shape)]
              for _ in range(whole(rng, 2, 3))]  # fmt: skip
    return Case(op, i32(axis), [i32(s) for s in shapes])


def slice_grad(op, rng):
    """A slice's gradient, and a slice that is overwritten: the slice's own shape from NumPy."""
    while True:
        shape, spec, masks = strided(rng)
        begin, end, strides = (v.draw(rng, None) for v in spec)
        part = []
        for i, (b, e, s) in enumerate(zip(begin, end, strides)):
            if masks["ellipsis_mask"] >> i & 1:
                part.append(Ellipsis)
            elif masks["new_axis_mask"] >> i & 1:
                part.append(None)
            elif masks["shrink_axis_mask"] >> i & 1:
                part.append(b)
            else:
                b, e = (None if masks[m] >> i & 1 else v
                        for m, v in (("begin_mask", b), ("end_mask", e)))  # fmt: skip
                part.append(slice(b, e, s))
        try:
            found = np.zeros(shape)[tuple(part)].shape
            break
        except IndexError:
            continue
    kind = spec[0].dtype
    if op == "StridedSliceGrad":
        return Case(op, of(np.array(shape, np.int64), kind), *spec, normal(*found), **masks)
    return Case(op, normal(*shape), *spec, normal(*found), **masks)


def unique(op, rng):
    if op.endswith("V2"):
        shape = full(rng, 1, 3)
        axes = i64([axis_of(rng, len(shape))])
        inputs = [between(0, 2, *shape), axes]
    elif op == "ListDiff":
        inputs = [between(0, 5, whole(rng, 0, 3, 7)), between(0, 5, whole(rng, 0, 2, 5))]
    else:
        inputs = [between(0, 4, whole(rng, 0, 1, 4, 9))]
    return Case(op, *inputs, out_idx=pick(rng, "int32", "int64"))


def order(op, rng):
    """Searches and picks in sorted rows, and the inverse of a permutation."""
    rows, columns = whole(rng, 1, 2, 3), whole(rng, 1, 2, 5, 8)
    if op == "InvertPermutation":
        kind = pick(rng, "int32", "int64")
        return Case(op, of(rng.permutation(columns), kind), types=(kind,))
    if op == "NthElement":
        shape = full(rng, 0, 2) + [columns]
        return Case(
            op, normal(*shape), i32(whole(rng, 0, columns - 1)), reverse=bool(rng.randint(2))
        )
    if op.startswith("InTopK"):
        inputs = [normal(rows, columns, dtype="float32"), of(rng.randint(columns, size=rows))]
        k = whole(rng, 1, 2, columns)
        kind = pick(rng, "int32", "int64")
        return Case(op, *inputs, *([of(k)] if op.endswith("V2") else []), k=k, types=(kind,))
    sorted_rows = np.sort(rng.randint(-9, 9, size=(rows, columns)))
    return Case(
        op, of(sorted_rows), normal(rows, whole(rng, 0, 1, 4)), out_type=pick(rng, "int32", "int64")
    )


def histogram(op, rng):
    if op == "Bincount":
        weights = normal(6) if rng.rand() < 0.5 else normal(0)
        return Case(op, of(rng.randint(5, size=6), "int32"), i32(whole(rng, 0, 3, 7)), weights)
    if op == "Bucketize":
        edges = sorted(float(e) for e in rng.uniform(-3, 3, size=whole(rng, 0, 1, 4)))
        return Case(op, normal(*shape_of(rng)), boundaries=edges)
    return Case(
        op,
        normal(*shape_of(rng)),
        of([-2, 3]),
        i32(whole(rng, 1, 3, 7)),
        dtype=pick(rng, "int32", "int64"),
    )


def clip(op, rng):
    shape = shape_of(rng)
    low, high = (between(a, b, *pick(rng, (), shape)) for a, b in ((-3, 0), (0, 3)))
    return Case(op, normal(*shape), low, high)


def reverse_parts(op, rng):
    shape = full(rng, 2, 4)
    batch, axis = (int(d) for d in rng.permutation(len(shape))[:2])
    lengths = of(rng.randint(shape[axis] + 1, size=shape[batch]), pick(rng, "int32", "int64"))
    return Case(op, normal(*shape), lengths, seq_dim=axis, batch_dim=batch)


def unravel(op, rng):
    dims = full(rng, 1, 4)
    count = int(np.prod(dims))
    ids = rng.randint(count, size=pick(rng, (), (3,), (0,), (1,)))
    kind = pick(rng, "int32", "int64")
    return Case(op, of(ids, kind), of(dims, kind), types=(kind,))


def bias(op, rng):
    shape = shape_of(rng, 2, 5, (1, 2, 3, 4))
    layout = "NHWC" if op.endswith("V1") else pick(rng, "NHWC", "NCHW")
    depth = shape[1] if layout == "NCHW" and len(shape) > 2 else shape[-1]
    inputs = [normal(*shape)] + ([] if op.endswith("Grad") else [normal(depth)])
    return Case(op, *inputs, data_format=layout)


def layouts(op, rng):
    source, target = pick(rng, ("NHWC", "NCHW"), ("NCHW", "NHWC"), ("HWNC", "NCHW"))
    formats = dict(src_format=source, dst_format=target)
    kind = pick(rng, "int32", "int64")
    if op == "DataFormatDimMap":
        return Case(op, of(rng.randint(-4, 4, size=shape_of(rng, 0, 2)), kind), **formats)
    return Case(op, normal(*pick(rng, (4,), (4, 2)), dtype=kind), **formats)


def quantised(op, rng):
    """Rounding to levels between a minimum and a maximum."""
    shape = full(rng, 1, 3)
    low, high = float(rng.uniform(-6, -0.5)), float(rng.uniform(0.5, 7))
    values = between(-8, 8, *shape, dtype="float32" if op.startswith("Fake") else None)
    inputs = [values] * (2 if op.endswith("Gradient") else 1)
    bits, narrow = whole(rng, 2, 4, 8, 16), bool(rng.randint(2))
    attrs = dict(num_bits=bits, narrow_range=narrow)
    if "Args" in op:
        return Case(op, *inputs, min=low, max=high, **attrs)
    if "Fake" in op:
        size = [shape[-1]] if "PerChannel" in op else []
        ends = [of(np.full(size, end), "float32") for end in (low, high)]
        return Case(op, *inputs, *ends, **attrs)
    attrs.update(signed_input=bool(rng.randint(2)), range_given=bool(rng.randint(2)))
    if op == "QuantizeAndDequantize":
        return Case(op, *inputs, input_min=low, input_max=high, types=("float32",), **attrs)
    inputs += [of(low), of(high)]
    if op.endswith("V3"):
        inputs.append(i32(bits))
    else:
        attrs["round_mode"] = pick(rng, "HALF_TO_EVEN", "HALF_UP")
    return Case(op, *inputs, types=("float32", "float64"), **attrs)


def bits(op, rng):
    kind = pick(rng, "int8", "int32", "int64", "float32", "float64", "uint8", "complex64")
    target = pick(rng, "int8", "int32", "int64", "float32", "uint8", "float64")
    return Case(op, normal(*shape_of(rng, 1, 3, (1, 2, 4, 8)), dtype=kind), type=target)


def packed(op, rng):
    return Case(op, normal(*shape_of(rng, 0, 2), 8 * whole(rng, 0, 1, 2)), normal())


def shapes(op, rng):
    tensors = [normal(*shape_of(rng)) for _ in range(whole(rng, 1, 2, 3))]
    return Case(op, tensors, out_type=pick(rng, "int32", "int64"))


RULES = table(
    (partition, "DynamicPartition"),
    (stitch, "DynamicStitch ParallelDynamicStitch"),
    (broadcast_shapes, "BroadcastArgs BroadcastGradientArgs"),
    (offsets, "ConcatOffset"),
    (slice_grad, "StridedSliceGrad TensorStridedSliceUpdate"),
    (unique, "Unique UniqueV2 UniqueWithCounts UniqueWithCountsV2 ListDiff"),
    (order, "InvertPermutation NthElement InTopK InTopKV2 LowerBound UpperBound"),
    (histogram, "Bincount Bucketize HistogramFixedWidth"),
    (clip, "ClipByValue"),
    (reverse_parts, "ReverseSequence"),
    (unravel, "UnravelIndex"),
    (bias, "BiasAdd BiasAddV1 BiasAddGrad"),
    (layouts, "DataFormatDimMap DataFormatVecPermute"),
    (quantised, "FakeQuantWithMinMaxArgs FakeQuantWithMinMaxArgsGradient FakeQuantWithMinMaxVars"),
    (quantised, "FakeQuantWithMinMaxVarsGradient FakeQuantWithMinMaxVarsPerChannel"),
    (quantised, "FakeQuantWithMinMaxVarsPerChannelGradient QuantizeAndDequantize"),
    (quantised, "QuantizeAndDequantizeV2 QuantizeAndDequantizeV3"),
    (bits, "Bitcast"),
    (packed, "CompareAndBitpack"),
    (shapes, "ShapeN"),
)
