# SPDX-License-Identifier: Apache-2.0
"""RaggedTensors as leaves of elements."""

from .. import dtypes
from ..graph.elements import Tensor
from ..graph.tensor_shape import TensorShape
from ..ops import raw_ops
from ..ops.ragged.ragged_tensor import RaggedTensor
from ..ops.ragged.ragged_value import RaggedTensorValue
from . import specs


class RaggedTensorSpec(specs.Spec):
    """The shape, dtype and number of ragged dimensions of a RaggedTensor.

    Args:
        shape: The shape, or None for any.
        dtype: The dtype.
        ragged_rank: How many dimensions have rows of different lengths, an int. None: all but the
            last one.
        row_splits_dtype: Dtype of row_splits: int32 or int64.

    Raises:
        ValueError: The number is not below the rank, or follows from nothing.
    """

    def __init__(self, shape=None, dtype=dtypes.float32, ragged_rank=None,
                 row_splits_dtype=dtypes.int64):  # fmt: skip
        self._shape, self._dtype = TensorShape(shape), dtypes.as_dtype(dtype)
        self._splits = dtypes.as_dtype(row_splits_dtype)
        rank = self._shape.ndims
        if ragged_rank is None:
            if rank is None:
                raise ValueError("give ragged_rank or a shape of a known rank")
            ragged_rank = rank - 1
        if not isinstance(ragged_rank, int):
            raise TypeError(f"ragged_rank must be an int, not {ragged_rank!r}")
        if rank is not None and ragged_rank >= rank:
            raise ValueError(f"ragged_rank must be less than the rank {rank}, not {ragged_rank}")
        self._rank = ragged_rank

    @property
    def value_type(self):
        """The class of the values."""
        return RaggedTensor if self._rank > 0 else Tensor

    @classmethod
    def from_value(cls, value):
        """Returns the spec of a RaggedTensor.

        Args:
            value: A RaggedTensor.

        Returns:
            A RaggedTensorSpec.
        """
        return cls(value.shape, value.dtype, value.ragged_rank, value.row_splits.dtype)

    def _key(self):
        return self._dtype, repr(self._shape), self._rank, self._splits

    def _fits(self, other):
        return (
            (self._dtype, self._rank, self._splits) == (other._dtype, other._rank, other._splits)
            and self._shape.is_compatible_with(other._shape)
        )  # fmt: skip

    def _joined(self, other):
        if (self._dtype, self._rank) != (other._dtype, other._rank):
            raise ValueError(f"{self!r} and {other!r} have nothing in common")
        shape = self._shape.most_specific_compatible_shape(other._shape)
        return RaggedTensorSpec(shape, self._dtype, self._rank, self._splits)

    def __repr__(self):
        return f"RaggedTensorSpec({self._shape}, {self._dtype!r}, {self._rank}, {self._splits!r})"


class _Ragged:
    """How a RaggedTensor passes: as one variant, or a vector of one for each row."""

    @staticmethod
    def flat(spec):
        return dtypes.variant, TensorShape(None)

    @staticmethod
    def encoded(spec, value):
        return _variant(value, False)

    @staticmethod
    def rows(spec, value):
        return _variant(value, True)

    @staticmethod
    def decoded(spec, tensor):
        if spec._rank <= 0:
            raise ValueError(f"ragged_rank must be greater than 0 to use an element: {spec}")
        splits, values = raw_ops.RaggedTensorFromVariant(
            encoded_ragged=tensor, input_ragged_rank=-1, output_ragged_rank=spec._rank,
            Tvalues=spec._dtype, Tsplits=dtypes.int64,
        )  # fmt: skip
        shape = spec._shape
        if shape.ndims is not None:
            if shape[0].value is not None:
                splits[0].set_shape([shape[0].value + 1])
            values.set_shape(TensorShape([None]).concatenate(shape[1 + spec._rank :]))
        return RaggedTensor.from_nested_row_splits(values, splits, validate=False)

    @staticmethod
    def batch(spec, size):
        shape = TensorShape([size]).concatenate(spec._shape)
        return RaggedTensorSpec(shape, spec._dtype, spec._rank + 1)

    @staticmethod
    def unbatch(spec):
        shape = None if spec._shape.ndims is None else spec._shape[1:]
        return RaggedTensorSpec(shape, spec._dtype, spec._rank - 1)

    @staticmethod
    def legacy(spec):
        return spec._dtype, spec._shape, spec

    @staticmethod
    def weakened(spec, other):
        return spec.most_specific_compatible_type(other)


def _variant(value, of_rows):
    return raw_ops.RaggedTensorToVariant(
        rt_nested_splits=list(value.nested_row_splits), rt_dense_values=value.flat_values,
        batched_input=of_rows,
    )  # fmt: skip


def _spec_of_ragged(value):
    return RaggedTensorSpec.from_value(value) if isinstance(value, RaggedTensor) else None


def _tensor_of_value(value):
    """A RaggedTensorValue as a RaggedTensor."""
    return RaggedTensor.from_nested_row_splits(
        value.flat_values, value.nested_row_splits, validate=False
    )


specs.add_kind(RaggedTensorSpec, _Ragged, _spec_of_ragged, {RaggedTensorValue: _tensor_of_value})


def RaggedTensorStructure(dtype, shape, ragged_rank):  # noqa: N802
    """Makes the spec of a RaggedTensor.

    Args:
        dtype: Dtype of the values.
        shape: Shape of the RaggedTensor, or None for any.
        ragged_rank: How many dimensions have rows of different lengths, an int.

    Returns:
        A RaggedTensorSpec.
    """
    return RaggedTensorSpec(shape, dtype, ragged_rank)
