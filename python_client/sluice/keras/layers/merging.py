# SPDX-License-Identifier: Apache-2.0
"""Layers that make one tensor of several."""

import functools
import operator

from ... import linalg, math, nn
from ...graph.tensor_shape import TensorShape
from ...ops import array as arrays
from ..engine.documents import described
from ..engine.layer import Layer


class _Merge(Layer):
    """What the layers that merge element by element share. Derived classes define _merged()."""

    supports_masking, count = True, None

    def __init__(self, **kwargs):
        super().__init__(**kwargs)

    def build(self, input_shape):
        shapes = input_shape if isinstance(input_shape, list) else [input_shape]
        self._check_count(len(shapes) if isinstance(input_shape, list) else None)
        batches = {s.as_list()[0] for s in shapes if s.ndims} - {None}
        if len(batches) > 1:
            raise ValueError(
                "Can not merge tensors with different batch sizes. Got tensors with shapes : "
                f"{[tuple(s.as_list()) for s in shapes]}"
            )
        self._check_shapes([s.as_list() for s in shapes if s.ndims])
        super().build(input_shape)

    def _check_count(self, count):
        """Raises ValueError where the layer does not take so many inputs; None: not a list."""
        if count is None:
            raise ValueError("A merge layer should be called on a list of inputs.")
        if count < 2:
            raise ValueError(
                "A merge layer should be called on a list of at least 2 inputs. Got "
                f"{count} inputs."
            )
        if self.count is not None and count != self.count:
            raise ValueError(f"A `{type(self).__name__}` layer should be called on exactly "
                             f"{self.count} inputs")  # fmt: skip

    def _check_shapes(self, shapes):
        """Raises ValueError where inputs cannot be merged element by element."""
        before = tuple(shapes[0][1:]) if shapes else ()
        for sizes in shapes[1:]:
            new = tuple(sizes[1:])
            for one, other in zip(before[::-1], new[::-1]):
                if None not in (one, other) and 1 not in (one, other) and one != other:
                    raise ValueError(
                        f"Operands could not be broadcast together with shapes {before} {new}"
                    )
            before = before if len(before) >= len(new) else new

    def call(self, inputs):
        ranks = [x.shape.ndims for x in inputs]
        most = max(ranks)
        aligned = []
        for x, rank in zip(inputs, ranks):
            for _ in range(most - rank):
                x = arrays.expand_dims(x, 1)
            aligned.append(x)
        return self._merged(aligned)

    def compute_mask(self, inputs, mask=None):
        masks = [arrays.cast(m, "bool") for m in _masks(inputs, mask) if m is not None]
        return functools.reduce(math.logical_and, masks) if masks else None

    def compute_output_shape(self, input_shape):
        sizes = [TensorShape(s).as_list() for s in input_shape]
        most = max(map(len, sizes))
        sizes = [s[:1] + [1] * (most - len(s)) + s[1:] for s in sizes]
        return TensorShape([_common(column) for column in zip(*sizes)])


def _masks(inputs, mask):
    """The masks of the inputs, a list; an empty one if there are none."""
    if mask is None:
        return []
    for name, value in (("mask", mask), ("inputs", inputs)):
        if not isinstance(value, (list, tuple)):
            raise ValueError(f"`{name}` should be a list.")
    if len(mask) != len(inputs):
        raise ValueError("The lists `inputs` and `mask` should have the same length.")
    return mask


def _common(sizes):
    large = [s for s in sizes if s != 1]
    return None if None in large else large[0] if large else 1


def _folded(inputs, function):
    output = inputs[0]
    for x in inputs[1:]:
        output = function(output, x)
    return output


@described("A layer that adds its inputs.")
class Add(_Merge):
    def _merged(self, inputs):
        return _folded(inputs, operator.add)


@described("A layer that subtracts the second input from the first.")
class Subtract(_Merge):
    count = 2

    def _merged(self, inputs):
        return inputs[0] - inputs[1]


@described("A layer that multiplies its inputs.")
class Multiply(_Merge):
    def _merged(self, inputs):
        return _folded(inputs, operator.mul)


@described("A layer that takes the mean of its inputs.")
class Average(_Merge):
    def _merged(self, inputs):
        return _folded(inputs, operator.add) / len(inputs)


@described("A layer that takes the maximum of its inputs.")
class Maximum(_Merge):
    def _merged(self, inputs):
        return _folded(inputs, math.maximum)


@described("A layer that takes the minimum of its inputs.")
class Minimum(_Merge):
    def _merged(self, inputs):
        return _folded(inputs, math.minimum)


@described("A layer that puts its inputs one after another.")
class Concatenate(_Merge):
    def __init__(self, axis=-1, **kwargs):
        super().__init__(**kwargs)
        self.axis = axis

    def _check_count(self, count):
        if count is None or count < 2:
            raise ValueError(
                "A `Concatenate` layer should be called on a list of at least 2 inputs"
            )

    def _check_shapes(self, shapes):
        kept = {tuple(n for i, n in enumerate(s) if i != self.axis % len(s)) for s in shapes}
        columns = list(zip(*kept))
        if len({len(s) for s in kept}) > 1 or any(len(set(c) - {None}) > 1 for c in columns[1:]):
            raise ValueError(
                "A `Concatenate` layer requires inputs with matching shapes except for the concat "
                f"axis. Got inputs shapes: {[tuple(s) for s in shapes]}"
            )

    def call(self, inputs):
        # A negative axis counts from the last, as in TensorFlow's graphs.
        return arrays.concat(inputs, self.axis)

    def compute_output_shape(self, input_shape):
        sizes = [TensorShape(s).as_list() for s in input_shape]
        along = [s[self.axis] for s in sizes]
        whole = list(sizes[0])
        whole[self.axis] = None if None in along else sum(along)
        return TensorShape(whole)

    def compute_mask(self, inputs, mask=None):
        masks = _masks(inputs, mask)
        if all(m is None for m in masks):
            return None
        parts = []
        for x, m in zip(inputs, masks):
            if m is None:
                m = arrays.ones_like(x, "bool")
            elif m.shape.ndims < x.shape.ndims:
                m = arrays.expand_dims(m, -1)
            parts.append(arrays.cast(m, "bool"))
        return math.reduce_all(arrays.concat(parts, self.axis), -1)


@described("A layer that multiplies two inputs as matrices.")
class Dot(_Merge):
    count = 2

    def __init__(self, axes, normalize=False, **kwargs):
        super().__init__(**kwargs)
        if not isinstance(axes, (int, list, tuple)):
            raise TypeError("Invalid type for `axes` - should be a list or an int.")
        if not isinstance(axes, int):
            if len(axes) != 2:
                raise ValueError("Invalid format for `axes` - should contain two elements.")
            if not all(isinstance(axis, int) for axis in axes):
                raise ValueError('Invalid format for `axes` - list elements should be "int".')
        self.axes, self.normalize = axes, normalize

    def _check_count(self, count):
        if count != 2:
            raise ValueError("A `Dot` layer should be called on a list of 2 inputs.")

    def _check_shapes(self, shapes):
        if len(shapes) < 2:
            return
        sizes = [s[a % len(s)] for s, a in zip(shapes, self._pair())]
        if None not in sizes and sizes[0] != sizes[1]:
            raise ValueError(
                f"Dimension incompatibility {sizes[0]} != {sizes[1]}. Layer shapes: "
                f"{tuple(shapes[0])}, {tuple(shapes[1])}"
            )

    def _pair(self):
        """The dimension of each input that is summed, a list."""
        return [self.axes] * 2 if isinstance(self.axes, int) else list(self.axes)

    def call(self, inputs):
        x, y = inputs
        axes = [a % t.shape.ndims for a, t in zip(self._pair(), inputs)]
        if self.normalize:
            x, y = nn.l2_normalize(x, axes[0]), nn.l2_normalize(y, axes[1])
        return batch_dot(x, y, axes)

    def compute_mask(self, inputs, mask=None):
        return None

    def compute_output_shape(self, input_shape):
        sizes = [TensorShape(s).as_list() for s in input_shape]
        left, right = ([n for i, n in enumerate(s) if i not in (a % len(s),)]
                       for s, a in zip(sizes, self._pair()))  # fmt: skip
        found = left + right[1:]
        return TensorShape(found if len(found) > 1 else [*found, 1])


def batch_dot(x, y, axes=None):
    """Multiplies the examples of two tensors as matrices.

    Args:
        x: A tensor of rank 2 or 3.
        y: A tensor of rank 2 or 3.
        axes: The dimensions that are summed, an int or a pair of ints. None: the last of x, and
            the one before the last of y.

    Returns:
        A tensor.
    """
    ranks = x.shape.ndims, y.shape.ndims
    axes = [axes, axes] if isinstance(axes, int) else axes
    axes = [ranks[0] - 1, ranks[1] - 2] if axes is None else list(axes)
    x = arrays.expand_dims(x, 1) if ranks[0] == 2 else x
    y = arrays.expand_dims(y, 2) if ranks[1] == 2 else y
    flip_x = ranks[0] == 3 and axes[0] == 1
    flip_y = ranks[1] == 3 and axes[1] == 2
    found = linalg.matmul(x, y, transpose_a=flip_x, transpose_b=flip_y)
    squeezed = ([1] if ranks[0] == 2 else []) + ([2] if ranks[1] == 2 else [])
    if not squeezed:
        return found
    found = arrays.squeeze(found, squeezed)
    return arrays.expand_dims(found, 1) if found.shape.ndims == 1 else found


def _function(cls, summary):
    def merge(inputs, **kwargs):
        return cls(**kwargs)(inputs)

    merge.__name__ = merge.__qualname__ = cls.__name__.lower()
    merge.__doc__ = f"""{summary}

    Args:
        inputs: A list of tensors.
        **kwargs: Arguments of {cls.__name__}.

    Returns:
        A tensor.
    """
    return merge


add = _function(Add, "Adds tensors.")
subtract = _function(Subtract, "Subtracts the second tensor from the first.")
multiply = _function(Multiply, "Multiplies tensors.")
average = _function(Average, "Computes the mean of tensors.")
maximum = _function(Maximum, "Computes the maximum of tensors.")
minimum = _function(Minimum, "Computes the minimum of tensors.")


def concatenate(inputs, axis=-1, **kwargs):
    """Puts tensors one after another.

    Args:
        inputs: A list of tensors.
        axis: The dimension, an int.
        **kwargs: Arguments of Concatenate.

    Returns:
        A tensor.
    """
    return Concatenate(axis=axis, **kwargs)(inputs)


def dot(inputs, axes, normalize=False, **kwargs):
    """Multiplies two tensors as matrices.

    Args:
        inputs: A list of two tensors.
        axes: The dimensions that are summed, an int or a pair of ints.
        normalize: Whether the inputs are normalised first. A bool.
        **kwargs: Arguments of Dot.

    Returns:
        A tensor.
    """
    return Dot(axes=axes, normalize=normalize, **kwargs)(inputs)


__all__ = """
    Add Average Concatenate Dot Maximum Minimum Multiply Subtract add average concatenate dot
    maximum minimum multiply subtract
""".split()
