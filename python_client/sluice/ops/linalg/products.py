# SPDX-License-Identifier: Apache-2.0
"""Products of matrices and tensors."""

from numbers import Integral

from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from .. import raw_ops
from ..building import with_names


def tensordot(a, b, axes, name=None):
    """Adds up products over dimensions of two tensors of known rank.

    Args:
        a: A tensor of any floating-point or complex dtype, int32 or int64.
        b: A tensor of the same dtype.
        axes: How many dimensions, an int: the last ones of a and the first ones of b. Or two lists
            of dimensions.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor with the other dimensions of a, then those of b.
    """
    with name_scope(name, "Tensordot"):
        a, b = convert_to_tensor(a, name="a"), convert_to_tensor(b, name="b")
        return _contracted(a, b, axes)


def _contracted(a, b, axes):
    rank_a, rank_b = a.shape.ndims, b.shape.ndims
    if isinstance(axes, Integral):
        axes = list(range(rank_a - axes, rank_a)), list(range(axes))
    over_a, over_b = ([d] if isinstance(d, Integral) else list(d) for d in axes)
    if len(over_a) != len(over_b):
        raise ValueError(f"tensordot() over {len(over_a)} axes of a and {len(over_b)} of b")
    over_a, over_b = [d % rank_a for d in over_a], [d % rank_b for d in over_b]
    kept_a = [d for d in range(rank_a) if d not in over_a]
    kept_b = [d for d in range(rank_b) if d not in over_b]
    letters = "abcdefghijklmnopqrstuvwxyz"
    of_a = letters[:rank_a]
    of_b = list(letters[rank_a : rank_a + rank_b])
    for i, j in zip(over_a, over_b):
        of_b[j] = of_a[i]
    out = "".join([of_a[d] for d in kept_a] + [of_b[d] for d in kept_b])
    return einsum(f"{of_a},{''.join(of_b)}->{out}", a, b)


def einsum(equation, *inputs, name=None):
    """Adds up products by Einstein's summation convention.

    Args:
        equation: The indices of each input and of the result, a str: "ij,jk->ik" is a matrix
            product.
        *inputs: Tensors of one dtype, or one list of them. More than two are contracted from left
            to right.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor.

    Raises:
        ValueError: The equation is for another number of inputs.

    Example:
        >>> sl.Session().run(sl.einsum("i,i->", [1.0, 2.0], [3.0, 4.0]))
        11.0
    """
    inputs = list(inputs[0]) if len(inputs) == 1 and isinstance(inputs[0], list) else list(inputs)
    equation = equation.replace(" ", "")
    left, arrow, out = equation.partition("->")
    terms = left.split(",")
    if len(terms) != len(inputs):
        raise ValueError(f"{equation} is for {len(terms)} inputs, {len(inputs)} were given")
    if not arrow:
        out = "".join(sorted(c for c in set(left) - {","} if left.count(c) == 1))
    while len(inputs) > 2:
        needed = set(out).union(*terms[2:])
        between = "".join(c for c in dict.fromkeys(terms[0] + terms[1]) if c in needed)
        pair = f"{terms[0]},{terms[1]}->{between}"
        inputs[:2] = [raw_ops.Einsum(inputs=inputs[:2], equation=pair)]
        terms[:2] = [between]
    return raw_ops.Einsum(inputs=inputs, equation=f"{','.join(terms)}->{out}", name=name)


__all__ = with_names(globals())
