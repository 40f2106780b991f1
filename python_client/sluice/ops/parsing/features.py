# SPDX-License-Identifier: Apache-2.0
"""What the features of an Example become: dense tensors or SparseTensors."""

import collections
import re

from ... import dtypes
from ...graph.convert import constant, convert_to_tensor
from ...graph.elements import Tensor
from ...graph.tensor_shape import TensorShape, dims_of
from .. import array as arrays
from ..sparse.rearranging import merge
from ..sparse.sparse_tensor import SparseTensor


class VarLenFeature(collections.namedtuple("VarLenFeature", ["dtype"])):
    """A feature with any number of values, which becomes a SparseTensor.

    Args:
        dtype: Dtype of the values: float32, int64 or string.
    """


class FixedLenFeature(collections.namedtuple("FixedLenFeature", "shape dtype default_value")):
    """A feature with a fixed number of values, which becomes a dense tensor.

    Args:
        shape: Shape of the values of one Example, a list of ints.
        dtype: Dtype of the values: float32, int64 or string.
        default_value: The values where the feature is missing. None: it must be there.
    """

    def __new__(cls, shape, dtype, default_value=None):
        return super().__new__(cls, shape, dtype, default_value)


class FixedLenSequenceFeature(
    collections.namedtuple("FixedLenSequenceFeature", "shape dtype allow_missing default_value")
):
    """A feature with any number of items of a fixed shape, which becomes a dense tensor. Shorter
    ones of a batch are padded.

    Args:
        shape: Shape of an item, a list of ints.
        dtype: Dtype of the values: float32, int64 or string.
        allow_missing: Whether the feature may be missing. A bool.
        default_value: The value to pad with, a scalar. None: 0 or "".
    """

    def __new__(cls, shape, dtype, allow_missing=False, default_value=None):
        return super().__new__(cls, shape, dtype, allow_missing, default_value)


class SparseFeature(
    collections.namedtuple("SparseFeature", "index_key value_key dtype size already_sorted")
):
    """A SparseTensor whose places and values are features of their own.

    Args:
        index_key: Name of the feature with the places, a str, or a list of one for each dimension.
        value_key: Name of the feature with the values, a str.
        dtype: Dtype of the values: float32, int64 or string.
        size: The size of the dimension, an int, or a list of one for each.
        already_sorted: Whether the places are in order. A bool.
    """

    def __new__(cls, index_key, value_key, dtype, size, already_sorted=False):
        return super().__new__(cls, index_key, value_key, dtype, size, already_sorted)


KINDS = (VarLenFeature, SparseFeature, FixedLenFeature, FixedLenSequenceFeature)


class Wanted:
    """The features that a parser is asked for, in the order in which the operation gives them.

    `sparse` has a dtype for each key; `dense` has (dtype, shape, default or None); the keys that
    may be missing without a default are `optional`.
    """

    def __init__(self, features, kinds):
        self.sparse, self.dense, self.optional = {}, {}, []
        for key in sorted(features or ()):
            feature = features[key]
            if not isinstance(feature, kinds):
                if isinstance(feature, KINDS):
                    raise ValueError(f"Unsupported {type(feature).__name__} {feature}.")
                raise ValueError(f"Invalid feature {key}:{feature}.")
            if not feature.dtype:
                raise ValueError(f"Missing type for feature {key}.")
            dtype = dtypes.as_dtype(feature.dtype)
            if isinstance(feature, VarLenFeature):
                self.sparse[key] = dtype
            elif isinstance(feature, SparseFeature):
                self._add_sparse(feature, dtype)
            else:
                self._add_dense(key, feature, dtype)
        both = set(self.sparse) & set(self.dense)
        if both:
            raise ValueError(f"Dense and sparse keys must not intersect; intersection: {both}")

    def __bool__(self):
        return bool(self.sparse or self.dense)

    def _add_sparse(self, feature, dtype):
        for name in ("index_key", "value_key"):
            if not getattr(feature, name):
                raise ValueError(f"Missing {name} for SparseFeature {feature}.")
        keys = feature.index_key
        rows = [(key, dtypes.int64) for key in sorted([keys] if isinstance(keys, str) else keys)]
        for key, kind in (*rows, (feature.value_key, dtype)):
            if self.sparse.setdefault(key, kind) != kind:
                raise ValueError(
                    f"Conflicting type {self.sparse[key]} vs {kind} for feature {key}."
                )

    def _add_dense(self, key, feature, dtype):
        if feature.shape is None:
            raise ValueError(f"Missing shape for feature {key}.")
        shape = TensorShape(feature.shape)
        if isinstance(feature, FixedLenFeature):
            if shape.ndims and shape[0].value is None:
                raise ValueError(
                    f"First dimension of shape for feature {key} unknown. Consider using"
                    " FixedLenSequenceFeature."
                )
            if not shape.is_fully_defined():
                raise ValueError(
                    f"All dimensions of shape for feature {key} need to be known but received"
                    f" {feature.shape}."
                )
        elif feature.allow_missing and feature.default_value is None:
            self.optional.append(key)
        self.dense[key] = dtype, shape, feature.default_value

    @property
    def shapes(self):
        """The shapes of the dense features, as an attribute takes them."""
        return [dims_of(shape) for _, shape, _ in self.dense.values()]

    def defaults(self, reshaped=True):
        """The default of each dense feature as a tensor: empty where the feature must be there.

        Args:
            reshaped: Whether defaults get the shape of their features.
        """
        return [self._default(key, *row, reshaped) for key, row in self.dense.items()]

    def _default(self, key, dtype, shape, value, reshaped):
        grows = shape.ndims and shape[0].value is None
        if value is None and grows:
            return convert_to_tensor("" if dtype == dtypes.string else 0, dtype)
        if value is None:
            return constant([], dtype)
        if isinstance(value, Tensor) and not grows:
            return value
        kind = "padding_" if grows else "key_"
        tensor = convert_to_tensor(value, dtype, kind + name_of(key))
        if not reshaped:
            return tensor
        return arrays.reshape(tensor, [] if grows else shape.as_list())


def name_of(key):
    """The key of a feature as part of an operation's name."""
    return re.sub(r"[^A-Za-z0-9_.\-/]", "_", key)


def with_lengths(features):
    """Features of a batch: those of any length have a dimension for it."""
    found = dict(features)
    for key, feature in features.items():
        if isinstance(feature, FixedLenSequenceFeature):
            if not feature.allow_missing:
                raise ValueError(
                    "Unsupported: FixedLenSequenceFeature requires allow_missing to be True."
                    f" Feature {key} has False"
                )
            _, dtype, missing, default = feature
            found[key] = FixedLenSequenceFeature([None, *feature.shape], dtype, missing, default)
    return found


def found_features(wanted, indices, values, shapes, dense):
    """The outputs of an operation by their keys."""
    sparse = [SparseTensor(*parts) for parts in zip(indices, values, shapes)]
    return dict(zip([*wanted.sparse, *wanted.dense], [*sparse, *dense]))


def joined(features, found):
    """The features that were asked for: places and values of a SparseFeature become one
    SparseTensor."""
    found = dict(found)
    for key, feature in sorted(features.items()):
        if isinstance(feature, SparseFeature):
            keys = feature.index_key
            places = found[keys] if isinstance(keys, str) else [found[k] for k in keys]
            found[key] = merge(
                places, found[feature.value_key], feature.size,
                already_sorted=feature.already_sorted,
            )  # fmt: skip
    return {key: value for key, value in found.items() if key in features}
