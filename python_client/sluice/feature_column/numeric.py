# SPDX-License-Identifier: Apache-2.0
"""Columns of numbers, and of the ranges that they fall in."""

import collections

from .. import dtypes, nest
from ..graph.tensor_shape import TensorShape
from ..ops import array as arrays
from ..ops import raw_ops
from ..ops.sparse.sparse_tensor import SparseTensor
from .columns import CategoricalColumn, DenseColumn, IdsAndWeights, check_key, int64
from .parsing import fixed_length


class NumericColumn(
    DenseColumn,
    collections.namedtuple("NumericColumn", "key shape default_value dtype normalizer_fn"),
):
    """See numeric_column()."""

    @property
    def name(self):
        """The name, a str."""
        return self.key

    @property
    def parse_example_spec(self):
        """How the feature is parsed, a dict."""
        return {self.key: fixed_length(self.shape, self.dtype, self.default_value)}

    @property
    def variable_shape(self):
        """The shape of the tensor without the batch, a TensorShape."""
        return TensorShape(self.shape)

    def transform(self, features):
        """Returns the numbers, float32."""
        tensor = features.get(self.key)
        if isinstance(tensor, SparseTensor):
            raise ValueError(
                "The corresponding Tensor of numerical column must be a Tensor. SparseTensor is not"
                f" supported. key: {self.key}"
            )
        if self.normalizer_fn is not None:
            tensor = self.normalizer_fn(tensor)
        return arrays.cast(tensor, dtypes.float32)


class BucketizedColumn(
    DenseColumn,
    CategoricalColumn,
    collections.namedtuple("BucketizedColumn", "source_column boundaries"),
):
    """See bucketized_column()."""

    @property
    def name(self):
        """The name, a str."""
        return f"{self.source_column.name}_bucketized"

    @property
    def parse_example_spec(self):
        """How the feature is parsed, a dict."""
        return self.source_column.parse_example_spec

    @property
    def variable_shape(self):
        """The shape of the tensor without the batch, a TensorShape."""
        return TensorShape([*self.source_column.shape, len(self.boundaries) + 1])

    @property
    def num_buckets(self):
        """How many ids there are, an int."""
        return (len(self.boundaries) + 1) * self.source_column.shape[0]

    def transform(self, features):
        """Returns the number of the range of each number."""
        source = features.get(self.source_column)
        return raw_ops.Bucketize(input=source, boundaries=[float(b) for b in self.boundaries])

    def dense(self, features, variables):
        """Returns the ranges as one-hot vectors."""
        return arrays.one_hot(int64(features.get(self)), len(self.boundaries) + 1, 1.0, 0.0)

    def ids_and_weights(self, features):
        """Returns the ids: the ranges of each number of the feature have ids of their own."""
        ranges, width = features.get(self), self.source_column.shape[0]
        batch = arrays.shape(ranges)[0]
        rows = arrays.tile(arrays.expand_dims(arrays.range(0, batch), 1), [1, width])
        rows = arrays.reshape(rows, [-1])
        places = arrays.tile(arrays.range(0, width), arrays.expand_dims(batch, 0))
        ids = arrays.reshape(ranges, [-1]) + (len(self.boundaries) + 1) * places
        indices = int64(arrays.transpose(arrays.stack([rows, places])))
        shape = int64(arrays.stack([batch, width]))
        return IdsAndWeights(SparseTensor(indices, ids, shape), None)


def numeric_column(key, shape=(1,), default_value=None, dtype=dtypes.float32, normalizer_fn=None):
    """Makes a column of numbers.

    Args:
        key: Name of the feature, a str.
        shape: Shape of the feature without the batch, a list of ints or an int.
        default_value: The value of Examples that lack the feature, a number, or a list of numbers
            in this shape. None: it must be there.
        dtype: Dtype of the feature.
        normalizer_fn: A function of the tensor that is applied first. None: none.

    Returns:
        A column that becomes a tensor.

    Raises:
        ValueError: The key, the shape or the dtype is not possible.
        TypeError: default_value or normalizer_fn is not possible.

    Example:
        >>> price = sl.feature_column.numeric_column("price")
        >>> x = sl.feature_column.input_layer({"price": sl.constant([[2.0], [3.5]])}, [price])
        >>> sl.Session().run(x)
        array([[2. ],
               [3.5]], dtype=float32)
    """
    dtype = dtypes.as_dtype(dtype)
    shape = checked_shape(shape, key)
    if not dtype.is_integer and not dtype.is_floating:
        raise ValueError(f"dtype must be convertible to float. dtype: {dtype}, key: {key}")
    default_value = _checked_default(shape, default_value, dtype, key)
    if normalizer_fn is not None and not callable(normalizer_fn):
        raise TypeError(f"normalizer_fn must be a callable. Given: {normalizer_fn}")
    check_key(key)
    return NumericColumn(key, shape, default_value, dtype, normalizer_fn)


def checked_shape(shape, key):
    """The shape of a feature as a tuple. TypeError, ValueError: it is not possible."""
    shape = tuple(shape) if isinstance(shape, (list, tuple)) else (shape,)
    for size in shape:
        if not isinstance(size, int):
            raise TypeError(f"shape dimensions must be integer. shape: {shape}, key: {key}")
        if size < 1:
            raise ValueError(
                f"shape dimensions must be greater than 0. shape: {shape}, key: {key}"
            )
    return shape


def _checked_default(shape, value, dtype, key):
    if value is None:
        return None
    if isinstance(value, int) or isinstance(value, float) and dtype.is_floating:
        for size in reversed(shape):
            value = (value,) * size
        return value
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, (list, tuple)):
        if not _has_shape(value, shape):
            raise ValueError(
                "The shape of default_value must be equal to given shape. default_value:"
                f" {value}, shape: {shape}, key: {key}"
            )
        leaves = nest.flatten(value)
        whole = all(isinstance(v, int) for v in leaves)
        if whole or dtype.is_floating and any(isinstance(v, float) for v in leaves):
            return _tuples(value)
    raise TypeError(
        f"default_value must be compatible with dtype. default_value: {value}, dtype: {dtype}, key:"
        f" {key}"
    )


def _has_shape(value, shape):
    if not isinstance(value, (list, tuple)):
        return not shape
    return bool(shape) and len(value) == shape[0] and all(_has_shape(v, shape[1:]) for v in value)


def _tuples(value):
    return tuple(_tuples(v) for v in value) if isinstance(value, (list, tuple)) else value


def bucketized_column(source_column, boundaries):
    """Makes a column of the ranges that numbers fall in.

    Args:
        source_column: A column of numeric_column() with a shape of one dimension.
        boundaries: Where ranges begin, a list of numbers in order: [0, 1] gives the ranges below 0,
            from 0 up to 1, and from 1 on.

    Returns:
        A column that becomes a tensor of one-hot vectors, or ids.

    Raises:
        ValueError: The column is another one, or the boundaries are not in order.

    Example:
        >>> price = sl.feature_column.numeric_column("price")
        >>> ranges = sl.feature_column.bucketized_column(price, [1.0, 3.0])
        >>> x = sl.feature_column.input_layer({"price": sl.constant([[2.0], [3.5]])}, [ranges])
        >>> sl.Session().run(x)
        array([[0., 1., 0.],
               [0., 0., 1.]], dtype=float32)
    """
    if not isinstance(source_column, NumericColumn):
        raise ValueError(
            "source_column must be a column generated with numeric_column(). Given:"
            f" {source_column}"
        )
    if len(source_column.shape) > 1:
        raise ValueError(f"source_column must be one-dimensional column. Given: {source_column}")
    if not boundaries:
        raise ValueError("boundaries must not be empty.")
    listed = isinstance(boundaries, (list, tuple))
    if not listed or any(low >= high for low, high in zip(boundaries, boundaries[1:])):
        raise ValueError("boundaries must be a sorted list.")
    return BucketizedColumn(source_column, tuple(boundaries))
