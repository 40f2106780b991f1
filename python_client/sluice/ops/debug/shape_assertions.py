# SPDX-License-Identifier: Apache-2.0
"""An operation that fails when the shapes of tensors do not fit."""

from ...graph.convert import convert_to_tensor
from ...graph.default_graph import control_dependencies, name_scope
from .. import array as arrays
from .. import math
from ..control_flow.grouping import group
from .assertions import assert_rank, assert_rank_at_least, assert_rank_in
from .checks import Assert

_ANY_SIZE = (None, ".")
_ANY_SIZES = (Ellipsis, "*")


def assert_shapes(shapes, data=None, summarize=None, message=None, name=None):
    """Checks the shapes of several tensors.

    Args:
        shapes: A dict, or a list of pairs: tensor or variable -> its sizes: numbers, None or "."
            where any is fine, or names, which stand for one size wherever they occur. "*" or ...
            in the first place stands for any number of sizes. None: any shape.
        data: A list of tensors that the error shows. None: the tensors that are checked.
        summarize: How many elements of each tensor a message shows, an int. None: 3.
        message: Text of the error, a str.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The Operation, to be used as a control dependency.

    Raises:
        ValueError: Known shapes do not fit.
        errors.InvalidArgumentError: In run(): shapes do not fit.

    A scalar has the shape of one element too.
    """
    pairs = shapes.items() if isinstance(shapes, dict) else shapes
    pairs = [pair for pair in pairs if pair[1] is not None]
    with name_scope(name, "assert_shapes", [pair[0] for pair in pairs]):
        stated = [_Stated(convert_to_tensor(x), sizes, message or "") for x, sizes in pairs]
        ranks = [one.rank(data, summarize) for one in stated]
        known, checks = {}, []
        for one in stated:
            checks += one.sizes_differ(known, data, summarize)
        with control_dependencies([check for check in ranks if check is not None]):
            return group(*checks)


class _Stated:
    """What is stated of the shape of one tensor."""

    def __init__(self, x, sizes, message):
        self.x, self.message = x, message
        if not hasattr(sizes, "__iter__"):
            raise ValueError(
                f"{message}.  Tensor {x.name}.  Specified shape must be an iterable.  An iterable"
                " has the attribute `__iter__` or `__getitem__`.  Received specified shape:"
                f" {sizes}"
            )
        sizes = list(sizes)
        self.last_only = bool(sizes) and sizes[0] in _ANY_SIZES  # the others are the last sizes
        self.symbols = sizes[1:] if self.last_only else sizes
        for place, symbol in enumerate(self.symbols, int(self.last_only)):
            if symbol in _ANY_SIZES:
                raise ValueError(
                    f"{message}.  Tensor {x.name} specified shape index {place}.  Symbol `...` or"
                    " `*` for a variable number of unspecified dimensions is only allowed as the"
                    " first entry"
                )

    def rank(self, data, summarize):
        """The check of the rank; None if any is fine."""
        count, given = len(self.symbols), (data, summarize, self.message)
        if self.last_only:
            return None if count < 2 else assert_rank_at_least(self.x, count, *given)
        if count < 2:
            return assert_rank_in(self.x, [0, 1], *given)
        return assert_rank(self.x, count, *given)

    def sizes_differ(self, known, data, summarize):
        """The checks of sizes that only a run knows. `known`: a name -> (size, where it is)."""
        checks = []
        for i, symbol in enumerate(self.symbols):
            place = i - len(self.symbols) if self.last_only else i
            if symbol in _ANY_SIZE:
                continue
            explicit = _number(symbol)
            if explicit is None and symbol not in known:
                where = f"Specified by tensor {self.x.name} dimension {place}"
                known[symbol] = self._size(place), where
                continue
            wanted, where = (explicit, "Specified explicitly") if explicit is not None else (
                known[symbol])  # fmt: skip
            have = self._size(place)
            if isinstance(have, int) and isinstance(wanted, int):
                if have != wanted:
                    raise ValueError(
                        f"{self.message}.  {where}.  Tensor {self.x.name} dimension {place} must"
                        f" have size {wanted}.  Received size {have}, shape {self.x.shape}"
                    )
                continue
            said = [self.message, where, f"Tensor {self.x.name} dimension", place, "must have size",
                    wanted, "Received shape: ", arrays.shape(self.x)]  # fmt: skip
            checks.append(Assert(math.equal(have, wanted), data or said, summarize=summarize))
        return checks

    def _size(self, place):
        """A size, an int if it is known, else a scalar."""
        shape = self.x.shape
        if shape.ndims == 0:
            return 1
        if shape.ndims is not None and shape.dims[place].value is not None:
            return shape.dims[place].value
        return arrays.shape(self.x)[place]


def _number(symbol):
    """The size that a symbol states, an int; None if it is a name."""
    try:
        return int(symbol)
    except (TypeError, ValueError):
        return None


__all__ = ["assert_shapes"]
