# SPDX-License-Identifier: Apache-2.0
"""Sums of products over dimensions of two tensors."""

from numbers import Integral

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from ...graph.elements import Tensor
from ...graph.seeds import counted_as
from ...graph.static_values import static_value
from .. import array as arrays
from .. import raw_ops
from ..building import with_names
from ..math.products import matmul
from .products import einsum

# How many nodes TensorFlow makes, which decide later seeds: if the shapes of both are known, of one
# of them, of none.
_NODES = 11, 25, 36
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def tensordot(a, b, axes, name=None):
    """Adds up products over dimensions of two tensors.

    Args:
        a: A tensor of any floating-point or complex dtype, int32 or int64.
        b: A tensor of the same dtype.
        axes: How many dimensions, an int: the last ones of a and the first ones of b. Or two lists
            of dimensions, or an int32 tensor [2, k] of these.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor with the other dimensions of a, then those of b.

    Raises:
        ValueError: The two lists have unequal lengths.
    """
    with name_scope(name, "Tensordot"):
        a, b = convert_to_tensor(a, name="a"), convert_to_tensor(b, name="b")
        if isinstance(axes, Tensor):
            known = static_value(axes)
            axes = axes if known is None else known.tolist()
        if isinstance(axes, Tensor) or a.shape.ndims is None or b.shape.ndims is None:
            return _by_matrices(a, b, *_axes_when_run(a, axes))
        if isinstance(axes, Integral):
            axes = list(range(a.shape.ndims - axes, a.shape.ndims)), list(range(axes))
        unknown = [x for x in (a, b) if not x.shape.is_fully_defined()]
        with counted_as(_NODES[len(unknown)]):
            return _by_letters(a, b, *_pairs(axes))


def _pairs(axes):
    over_a, over_b = ([d] if isinstance(d, Integral) else list(d) for d in axes)
    if len(over_a) != len(over_b):
        raise ValueError(f"tensordot() over {len(over_a)} axes of a and {len(over_b)} of b")
    return over_a, over_b


def _by_letters(a, b, over_a, over_b):
    rank_a, rank_b = a.shape.ndims, b.shape.ndims
    over_a, over_b = [d % rank_a for d in over_a], [d % rank_b for d in over_b]
    kept_a = [d for d in range(rank_a) if d not in over_a]
    kept_b = [d for d in range(rank_b) if d not in over_b]
    of_a = _LETTERS[:rank_a]
    of_b = list(_LETTERS[rank_a : rank_a + rank_b])
    for i, j in zip(over_a, over_b):
        of_b[j] = of_a[i]
    out = "".join([of_a[d] for d in kept_a] + [of_b[d] for d in kept_b])
    return einsum(f"{of_a},{''.join(of_b)}->{out}", a, b)


def _axes_when_run(a, axes):
    """The dimensions of a and of b, int32 vectors."""
    if isinstance(axes, Tensor):
        return axes[0], axes[1]
    if isinstance(axes, Integral):
        rank = arrays.rank(a)
        return arrays.range(rank - axes, rank), arrays.range(axes)
    return [convert_to_tensor(over, dtypes.int32) for over in _pairs(axes)]


def _by_matrices(a, b, over_a, over_b):
    rows, kept_a = _as_matrix(a, over_a, over_last=True)
    columns, kept_b = _as_matrix(b, over_b, over_last=False)
    return arrays.reshape(matmul(rows, columns), arrays.concat([kept_a, kept_b], 0))


def _as_matrix(x, over, over_last):
    """The matrix of a tensor whose dimensions `over` are its columns, or its rows, and the sizes of
    the other dimensions."""
    rank, sizes = arrays.rank(x), arrays.shape(x)
    over = over + arrays.cast(over < 0, dtypes.int32) * rank
    kept = raw_ops.ListDiff(x=arrays.range(rank), y=over)[0]
    groups = [kept, over] if over_last else [over, kept]
    ends = [raw_ops.Prod(input=arrays.gather(sizes, g), reduction_indices=[0]) for g in groups]
    moved = arrays.transpose(x, arrays.concat(groups, 0))
    return arrays.reshape(moved, arrays.stack(ends)), arrays.gather(sizes, kept)


__all__ = with_names(globals())
