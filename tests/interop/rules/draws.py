# SPDX-License-Identifier: Apache-2.0
"""Draws that rules share: shapes, axes, indices, and the table of a file's rules."""

from interop.cases.case import of


def shape_of(rng, low=0, high=6, sizes=(0, 1, 1, 2, 2, 3, 3, 4, 5, 7)):
    rank = rng.randint(low, high + 1)
    return [int(n) for n in rng.choice(sizes, size=rank)]


def full(rng, low=0, high=5):
    """A shape without zeros."""
    return shape_of(rng, low, high, (1, 2, 2, 3, 3, 4, 5))


def index(rng, values, shape=None):
    """Integers as int32 or int64; a scalar where `shape` is ()."""
    return of(values, ("int32", "int64")[rng.randint(2)])


def pick(rng, *values):
    return values[rng.randint(len(values))]


def whole(rng, *choices):
    """One of these integers."""
    return int(rng.choice(choices))


def axis_of(rng, rank):
    axis = rng.randint(rank)
    return int(axis - rank if rng.rand() < 0.3 else axis)


def subset(rng, rank):
    axes = [i for i in range(rank) if rng.rand() < 0.5]
    rng.shuffle(axes)
    return [int(i - rank) if rng.rand() < 0.2 else int(i) for i in axes]


def broadcast_pair(rng):
    """Two shapes that broadcast."""
    shape = shape_of(rng)
    pair = []
    for _ in range(2):
        other = [1 if rng.rand() < 0.25 else n for n in shape]
        pair.append(other[rng.randint(len(other) + 1) :] if rng.rand() < 0.4 else other)
    return (shape, pair[1]) if rng.rand() < 0.5 else pair


def table(*families):
    """(rule, names of ops) -> a rule for each of them."""
    return {op: rule for rule, ops in families for op in ops.split()}
