# SPDX-License-Identifier: Apache-2.0
"""Rules, as in op_rules.py, for sparse tensors and sets."""

import numpy as np

from interop.cases.case import Case, between, i32, i64, nonzero, normal, of
from interop.rules.draws import axis_of, full, pick, subset, table, whole


class Sparse:
    """Some coordinates of a shape, in order unless `shuffled`."""

    def __init__(self, rng, shape, shuffled=False):
        count = whole(rng, 0, 1, 2, 4, 7)
        places = np.array(sorted({tuple(rng.randint(n) for n in shape) for _ in range(count)}))
        if shuffled:
            rng.shuffle(places)
        self.shape, self.count = shape, len(places)
        self.places = places.reshape(self.count, len(shape))

    def tensors(self, dtype=None, index="int64"):
        values = normal(self.count, dtype=dtype)
        return [of(self.places, index), values, of(self.shape, index)]


def drawn(rng, low=1, high=4, shuffled=False):
    return Sparse(rng, full(rng, low, high), shuffled)


def pair(op, rng):
    """Two of one shape; SparseAdd's threshold."""
    first = drawn(rng)
    inputs = first.tensors() + Sparse(rng, first.shape).tensors()
    if op == "SparseAdd":
        return Case(op, *inputs, of(whole(rng, 0, 2)), types=("float32",))
    return Case(op, *inputs)


def joined(op, rng):
    parts, shape = whole(rng, 2, 3), full(rng, 1, 3)
    axis = axis_of(rng, len(shape))
    tensors = []
    for _ in range(parts):
        part = list(shape)
        part[axis] = whole(rng, 1, 2, 4)
        tensors.append(Sparse(rng, part).tensors())
    return Case(op, *(list(column) for column in zip(*tensors)), concat_dim=axis)


def split(op, rng):
    part = drawn(rng)
    axis = whole(rng, *range(len(part.shape)))
    return Case(op, i64(axis), *part.tensors(), num_split=whole(rng, 1, 2, part.shape[axis]))


def with_dense(op, rng):
    part = drawn(rng)
    dense = part.shape
    if "Cwise" in op and rng.rand() < 0.5:
        dense = [1 if rng.rand() < 0.3 else n for n in dense][whole(rng, 0, len(dense) - 1) :]
    values = nonzero(*dense) if op.endswith("Div") else normal(*dense)
    return Case(op, *part.tensors(), values)


def product(op, rng):
    part = Sparse(rng, full(rng, 2, 2), shuffled=True)
    flags = {name: bool(rng.randint(2)) for name in ("adjoint_a", "adjoint_b")}
    inner, columns = part.shape[0 if flags["adjoint_a"] else 1], whole(rng, 1, 3, 17)
    shape = [columns, inner] if flags["adjoint_b"] else [inner, columns]
    where, values, size = part.tensors()
    return Case(op, where, values, size, normal(*shape), **flags)


def reduction(op, rng):
    part = drawn(rng)
    axes = i32(subset(rng, len(part.shape)))
    if not len(axes.draw(rng, None)):
        axes = i32(axis_of(rng, len(part.shape)))
    return Case(op, *part.tensors(), axes, keep_dims=bool(rng.randint(2)))


def alone(op, rng):
    part = drawn(rng, 2 if op == "SparseSoftmax" else 1, shuffled=op == "SparseReorder")
    return Case(op, *part.tensors())


def empty_rows(op, rng):
    if op.endswith("Grad"):
        rows = whole(rng, 1, 2, 5)
        which = [int(n) for n in rng.permutation(rows + 2)[:rows]]
        return Case(op, i64(which), normal(rows + 2))
    return Case(op, *Sparse(rng, full(rng, 2, 2)).tensors(), normal())


def reshape(op, rng):
    part = drawn(rng)
    new = list(part.shape)
    rng.shuffle(new)
    new = [int(n) for n in new]
    if len(new) > 1 and rng.rand() < 0.5:
        new[:2] = [new[0] * new[1]]
    if rng.rand() < 0.4:
        new[rng.randint(len(new))] = -1
    where, _, shape = part.tensors()
    return Case(op, where, shape, i64(new))


def cut(op, rng):
    part = drawn(rng)
    start = [whole(rng, *range(n + 1)) for n in part.shape]
    size = [whole(rng, 0, 1, 2, 5) for _ in part.shape]
    return Case(op, *part.tensors(), i64(start), i64(size))


def to_dense(op, rng):
    part = drawn(rng)
    index = pick(rng, "int32", "int64")
    where, values, shape = part.tensors(index=index)
    values = normal() if rng.rand() < 0.2 else values
    return Case(op, where, shape, values, normal(), validate_indices=bool(rng.randint(2)))


def distance(op, rng):
    groups = full(rng, 1, 2)
    words = [Sparse(rng, groups + [whole(rng, 1, 3, 5)]) for _ in range(2)]
    inputs = [t for word in words for t in word.tensors(dtype="int64")]
    return Case(op, *inputs, normalize=bool(rng.randint(2)), types=("int64",))


def ragged_ends(part):
    """Coordinates that count from 0 in every group, as those of sets are."""
    seen = {}
    for row in part.places:
        group = tuple(row[:-1])
        row[-1] = seen[group] = seen.get(group, -1) + 1
    return part


def sets(op, rng):
    groups = full(rng, 1, 2)
    kind = pick(rng, "int8", "int32", "int64", "string")
    kinds = {"Dense": 0, "Sparse": 0}

    def operand(name):
        kinds[name] += 1
        if name == "Dense":
            return [between(0, 4, *groups, whole(rng, 0, 1, 3, 5), dtype=kind)]
        part = ragged_ends(Sparse(rng, groups + [6]))
        return [i64(part.places), between(0, 4, part.count, dtype=kind), i64(part.shape)]

    if op == "SetSize":
        return Case(op, *operand("Sparse"), types=(kind,))
    names = op.replace("SetOperation", "").split("To")
    inputs = [t for name in names for t in operand(name)]
    operation = pick(rng, "a-b", "b-a", "intersection", "union", "A-B")
    return Case(op, *inputs, set_operation=operation, types=(kind,))


def segment_grad(op, rng):
    rows, segments, size = whole(rng, 1, 2, 4, 6), whole(rng, 1, 2, 3), whole(rng, 1, 3, 5)
    ids = sorted(int(n) for n in rng.randint(segments, size=rows))
    where = of(rng.randint(size, size=rows), pick(rng, "int32", "int64"))
    grad = normal(segments, *full(rng, 0, 2))
    return Case(op, grad, where, i32(ids), i32(size), types=("float32", "float64"))


RULES = table(
    (pair, "SparseAdd SparseSparseMaximum SparseSparseMinimum"),
    (joined, "SparseConcat"),
    (split, "SparseSplit"),
    (with_dense, "SparseDenseCwiseAdd SparseDenseCwiseDiv SparseDenseCwiseMul"),
    (with_dense, "SparseTensorDenseAdd"),
    (product, "SparseTensorDenseMatMul"),
    (reduction, "SparseReduceMax SparseReduceMaxSparse SparseReduceSum SparseReduceSumSparse"),
    (alone, "SparseReorder SparseSoftmax"),
    (empty_rows, "SparseFillEmptyRows SparseFillEmptyRowsGrad"),
    (reshape, "SparseReshape"),
    (cut, "SparseSlice"),
    (to_dense, "SparseToDense"),
    (distance, "EditDistance"),
    (sets, "DenseToDenseSetOperation DenseToSparseSetOperation SparseToSparseSetOperation SetSize"),
    (segment_grad, "SparseSegmentMeanGrad SparseSegmentSqrtNGrad"),
)
