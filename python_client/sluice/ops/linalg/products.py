# SPDX-License-Identifier: Apache-2.0
"""Products of matrices and tensors."""

from .. import raw_ops
from ..building import with_names


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
