# SPDX-License-Identifier: Apache-2.0
"""Static shapes: what is known of a tensor's sizes before a run."""

import inspect

import numpy as np

from ..messages import TensorShapeProto


class _Size:
    """The common part of known and unknown sizes."""

    def is_compatible_with(self, other):
        """Tests whether a dimension can have this size and another one.

        Args:
            other: A Dimension, an int or None.

        Returns:
            A bool.
        """
        other = dimension(other)
        return self.value is None or other.value is None or self.value == other.value

    def assert_is_compatible_with(self, other):
        """Checks that a dimension can have this size and another one.

        Args:
            other: A Dimension, an int or None.

        Raises:
            ValueError: It cannot.
        """
        if not self.is_compatible_with(other):
            raise ValueError(f"Dimensions {self!s} and {other!s} are not compatible")

    def merge_with(self, other):
        """Returns what two sizes of one dimension say together.

        Args:
            other: A Dimension, an int or None.

        Returns:
            A Dimension.

        Raises:
            ValueError: The sizes differ.
        """
        self.assert_is_compatible_with(other)
        return dimension(other) if self.value is None else self


class Dimension(_Size, int):
    """The known size of a dimension. It is an int.

    Args:
        value: The size, an int. None: it is not known; the result is another object then.

    Raises:
        ValueError: The size is negative, or not an integer.
    """

    __signature__ = inspect.Signature(
        [inspect.Parameter("value", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    )

    def __new__(cls, value):
        if value is None or value is UNKNOWN:
            return UNKNOWN
        size = int(value)
        if size != value and not isinstance(value, (str, bytes)):
            raise ValueError(f"Ambiguous dimension: {value}")
        if size < 0:
            raise ValueError(f"Dimension {size} must be >= 0")
        return super().__new__(cls, size)

    @property
    def value(self):
        """The size, an int."""
        return int(self)

    def __repr__(self):
        return f"Dimension({int(self)})"

    def __str__(self):
        return int.__repr__(self)


class _Unknown(_Size):
    """A size that is not known: `value` is None, and so is what is computed of it."""

    value = None

    def __eq__(self, other):
        return other is None or isinstance(other, _Unknown)

    def __hash__(self):
        return 0

    def __int__(self):
        raise TypeError("the size of this dimension is not known")

    def __repr__(self):
        return "Dimension(None)"

    def __str__(self):
        return "?"

    def _stays(self, other):
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __floordiv__ = _stays
    __rfloordiv__ = __mod__ = __rmod__ = _stays

    def _says_nothing(self, other):
        return None

    __lt__ = __le__ = __gt__ = __ge__ = _says_nothing


UNKNOWN = _Unknown()


def dimension(value):
    """A Dimension of an int, or of None (or a negative number) where it is not known."""
    if value is None or value is UNKNOWN or value < 0:
        return UNKNOWN
    return Dimension(value)


class TensorShape:
    """The static shape of a tensor: what is known of its sizes when the graph is built.

    Args:
        dims: A list of sizes, each an int, a Dimension, or None where it is not known; one size; a
            TensorShapeProto; or None for an unknown rank.

    Example:
        >>> shape = sl.TensorShape([None, 3])
        >>> shape.as_list(), shape.is_compatible_with([2, 3])
        ([None, 3], True)
    """

    def __init__(self, dims):
        if dims is None or isinstance(dims, TensorShape):
            self._dims = None if dims is None else dims._dims
        elif dims.__class__ is list:
            self._dims = [_size(d) for d in dims]
        elif hasattr(dims, "unknown_rank"):  # a TensorShapeProto
            self._dims = None if dims.unknown_rank else [_size(d.size) for d in dims.dim]
        else:
            dims = [dims] if isinstance(dims, (int, np.integer)) else dims
            self._dims = [_size(d) for d in dims]

    @property
    def dims(self):
        """A list of Dimensions; None if the rank is not known."""
        return None if self._dims is None else [dimension(d) for d in self._dims]

    @property
    def ndims(self):
        """The number of dimensions, an int; None if it is not known."""
        return None if self._dims is None else len(self._dims)

    rank = ndims

    def as_list(self):
        """Returns the sizes.

        Returns:
            A list of ints, None where a size is not known.

        Raises:
            ValueError: The rank is not known.
        """
        if self._dims is None:
            raise ValueError("as_list() is not defined on an unknown TensorShape.")
        return list(self._dims)

    def is_fully_defined(self):
        """Tests whether the rank and all sizes are known.

        Returns:
            A bool.
        """
        return self._dims is not None and None not in self._dims

    def assert_is_fully_defined(self):
        """Checks that the rank and all sizes are known.

        Raises:
            ValueError: They are not.
        """
        if not self.is_fully_defined():
            raise ValueError(f"Shape {self} is not fully defined")

    def num_elements(self):
        """Returns how many elements a tensor of this shape has.

        Returns:
            An int; None if the shape is not fully known.
        """
        return int(np.prod(self._dims, dtype=np.int64)) if self.is_fully_defined() else None

    def is_compatible_with(self, other):
        """Tests whether a tensor can have this shape and another one.

        Args:
            other: A TensorShape, or what makes one.

        Returns:
            A bool.
        """
        other = as_shape(other)
        if self._dims is None or other._dims is None:
            return True
        return len(self._dims) == len(other._dims) and all(
            None in (a, b) or a == b for a, b in zip(self._dims, other._dims)
        )

    def assert_is_compatible_with(self, other):
        """Checks that a tensor can have this shape and another one.

        Args:
            other: A TensorShape, or what makes one.

        Raises:
            ValueError: It cannot.
        """
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {as_shape(other)} are incompatible")

    def merge_with(self, other):
        """Returns what two shapes of one tensor say together.

        Args:
            other: A TensorShape, or what makes one.

        Returns:
            A TensorShape.

        Raises:
            ValueError: The shapes do not agree.
        """
        other = as_shape(other)
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {other} are not compatible")
        if self._dims is None or other._dims is None:
            return other if self._dims is None else self
        return TensorShape([b if a is None else a for a, b in zip(self._dims, other._dims)])

    def concatenate(self, other):
        """Returns the dimensions of this shape followed by those of another.

        Args:
            other: A TensorShape, or what makes one.

        Returns:
            A TensorShape.
        """
        other = as_shape(other)
        unknown = self._dims is None or other._dims is None
        return TensorShape(None if unknown else self._dims + other._dims)

    def most_specific_compatible_shape(self, other):
        """Returns the most that is true of two shapes: sizes that differ become unknown.

        Args:
            other: A TensorShape, or what makes one.

        Returns:
            A TensorShape. For different ranks its rank is not known.
        """
        other = as_shape(other)
        if self._dims is None or other._dims is None or len(self) != len(other):
            return TensorShape(None)
        return TensorShape([a if a == b else None for a, b in zip(self._dims, other._dims)])

    def assert_has_rank(self, rank):
        """Checks the rank, where it is known.

        Args:
            rank: The rank to expect, an int.

        Raises:
            ValueError: The rank is another one.
        """
        if self.ndims not in (None, rank):
            raise ValueError(f"Shape {self} must have rank {rank}")

    def assert_same_rank(self, other):
        """Checks that two shapes have the same rank, where both are known.

        Args:
            other: A TensorShape, or what makes one.

        Raises:
            ValueError: The ranks differ.
        """
        other = as_shape(other)
        if None not in (self.ndims, other.ndims) and self.ndims != other.ndims:
            raise ValueError(f"Shapes {self} and {other} must have the same rank")

    def as_proto(self):
        """Converts the shape to a protocol message.

        Returns:
            A TensorShapeProto.
        """
        proto = TensorShapeProto(unknown_rank=self._dims is None)
        for size in self._dims or ():
            proto.dim.add(size=-1 if size is None else size)
        return proto

    def with_rank_at_most(self, rank):
        """Checks that the rank, where it is known, is not above a limit.

        Args:
            rank: The limit, an int.

        Returns:
            This TensorShape.

        Raises:
            ValueError: The rank is above it.
        """
        if self.ndims is not None and self.ndims > rank:
            raise ValueError(f"Shape {self} must have rank at most {rank}")
        return self

    def with_rank(self, rank):
        """Returns this shape with a known rank.

        Args:
            rank: The rank, an int.

        Returns:
            A TensorShape.

        Raises:
            ValueError: The rank is another one.
        """
        return self.merge_with([None] * rank)

    def with_rank_at_least(self, rank):
        """Checks that the rank, where it is known, is not below a limit.

        Args:
            rank: The limit, an int.

        Returns:
            This TensorShape.

        Raises:
            ValueError: The rank is below it.
        """
        if self.ndims is not None and self.ndims < rank:
            raise ValueError(f"Shape {self} must have rank at least {rank}")
        return self

    def __len__(self):
        return len(self.as_list())

    def __bool__(self):
        return self._dims is not None

    def __iter__(self):
        self.as_list()
        return iter(self.dims)

    def __getitem__(self, key):
        if self._dims is None:
            return _part_of_unknown(key) if isinstance(key, slice) else UNKNOWN
        return TensorShape(self._dims[key]) if isinstance(key, slice) else self.dims[key]

    def __add__(self, other):
        return self.concatenate(other)

    def __eq__(self, other):
        try:
            return self._dims == as_shape(other)._dims
        except TypeError:
            return NotImplemented

    def __hash__(self):
        return hash(None if self._dims is None else tuple(self._dims))

    def __repr__(self):
        return "TensorShape(None)" if self._dims is None else f"TensorShape({self.dims})"

    def __str__(self):
        if self._dims is None:
            return "<unknown>"
        sizes = ["?" if d is None else str(d) for d in self._dims]
        return f"({sizes[0]},)" if len(sizes) == 1 else f"({', '.join(sizes)})"


def _size(value):
    if value.__class__ is int:
        return value if value >= 0 else None
    value = getattr(value, "value", value)  # of a Dimension
    if value is None or value < 0:
        return None
    if int(value) != value:
        raise ValueError(f"Ambiguous dimension: {value}")
    return int(value)


def dimension_value(dimension):
    """Returns the size of a Dimension.

    Args:
        dimension: A Dimension, an int or None.

    Returns:
        An int; None if the size is not known.
    """
    return dimension.value if isinstance(dimension, _Size) else dimension


def dimension_at_index(shape, index):
    """Returns one Dimension of a shape.

    Args:
        shape: A TensorShape.
        index: Which dimension, an int.

    Returns:
        A Dimension. If the rank is not known, it is unknown too.

    Raises:
        IndexError: The shape has no such dimension.
    """
    return UNKNOWN if shape.ndims is None else shape.dims[index]


def _part_of_unknown(key):
    """As many unknown sizes as a slice has; any number where it has no end."""
    start, stop = key.start or 0, key.stop
    if stop is None or start < 0 or stop < 0 or key.step not in (None, 1):
        return TensorShape(None)
    return TensorShape([None] * max(stop - start, 0))


def as_shape(value):
    """A TensorShape of a list of sizes, one size, or None."""
    return value if isinstance(value, TensorShape) else TensorShape(value)


def dims_of(shape):
    """A shape as an op's attribute takes it: ints and None in a list, or None."""
    return as_shape(shape)._dims
