# SPDX-License-Identifier: Apache-2.0
"""Accumulators: sums of gradients on a task until enough have come.

Runs that cannot go on wait; they end with errors.CancelledError when their step is cancelled.
"""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.elements import IndexedSlices
from ...graph.tensor_shape import dims_of
from .. import array as arrays
from .. import raw_ops
from ..building import with_names


def _step(value):
    value = convert_to_tensor(value) if hasattr(value, "dtype") else value
    if hasattr(value, "graph"):
        return value if value.dtype == dtypes.int64 else arrays.cast(value, dtypes.int64)
    return convert_to_tensor(value, dtypes.int64)


class ConditionalAccumulator:
    """Adds up gradients until enough of them have arrived. Gradients of past steps are dropped.

    Args:
        dtype: Dtype of the gradients.
        shape: Shape of the gradients. None: any.
        shared_name: Name under which sessions of a cluster share the resource, a str. None: not
            shared.
        name: Name of the operation, a str.
        reduction_type: How gradients are combined: "MEAN" or "SUM".
    """

    def __init__(self, dtype, shape=None, shared_name=None, name="conditional_accumulator",
                 reduction_type="MEAN"):  # fmt: skip
        self.dtype, self._shape = dtypes.as_dtype(dtype), dims_of(shape)
        self.accumulator_ref = raw_ops.ResourceConditionalAccumulator(
            dtype=self.dtype, shape=self._shape, shared_name=shared_name or "",
            reduction_type=reduction_type, name=name,
        )  # fmt: skip
        self.name = self.accumulator_ref.op.name

    def apply_grad(self, grad, local_step=0, name=None):
        """Adds an operation that adds a gradient.

        Args:
            grad: The gradient, a tensor.
            local_step: The step in which the gradient was computed, an int or an int64 scalar.
                Gradients older than the accumulator's step are dropped.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The Operation.
        """
        grad = convert_to_tensor(grad, self.dtype)
        grad.shape.assert_is_compatible_with(self._shape)
        return raw_ops.ResourceAccumulatorApplyGradient(
            handle=self.accumulator_ref, local_step=_step(local_step), gradient=grad, name=name
        )

    def take_grad(self, num_required, name=None):
        """Returns the mean (or sum) when enough gradients have arrived, and starts again.

        Args:
            num_required: How many gradients to wait for, an int or an int32 scalar.
            name: Name of the operation, a str. None: a default name.

        Returns:
            A tensor.
        """
        taken = raw_ops.ResourceAccumulatorTakeGradient(
            handle=self.accumulator_ref, num_required=num_required, dtype=self.dtype, name=name
        )
        taken.set_shape(self._shape)
        return taken

    def num_accumulated(self, name=None):
        """Returns how many gradients have arrived.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            An int32 scalar.
        """
        return raw_ops.ResourceAccumulatorNumAccumulated(handle=self.accumulator_ref, name=name)

    def set_global_step(self, new_global_step, name=None):
        """Adds an operation that sets the step of the accumulator.

        Args:
            new_global_step: The step, an int or an int64 scalar.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The Operation.
        """
        return raw_ops.ResourceAccumulatorSetGlobalStep(
            handle=self.accumulator_ref, new_global_step=_step(new_global_step), name=name
        )


class SparseConditionalAccumulator:
    """Adds up IndexedSlices until enough of them have arrived. The mean of a row is by how often it
    arrived.

    Args:
        dtype: Dtype of the gradients.
        shape: Shape of the gradients. None: any.
        shared_name: Name under which sessions of a cluster share the resource, a str. None: not
            shared.
        name: Name of the operation, a str.
        reduction_type: How gradients are combined: "MEAN" or "SUM".
    """

    def __init__(self, dtype, shape=None, shared_name=None, name="sparse_conditional_accumulator",
                 reduction_type="MEAN"):  # fmt: skip
        self.dtype, self._shape = dtypes.as_dtype(dtype), dims_of(shape)
        self.accumulator_ref = raw_ops.SparseConditionalAccumulator(
            dtype=self.dtype, shape=self._shape, shared_name=shared_name or "",
            reduction_type=reduction_type, name=name,
        )  # fmt: skip
        self.name = self.accumulator_ref.op.name

    def apply_indexed_slices_grad(self, grad, local_step=0, name=None):
        """Adds an operation that adds IndexedSlices.

        Args:
            grad: The gradient, IndexedSlices.
            local_step: The step in which the gradient was computed, an int or an int64 scalar.
                Gradients older than the accumulator's step are dropped.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The Operation.
        """
        return self.apply_grad(grad.indices, grad.values, grad.dense_shape, local_step, name)

    def apply_grad(self, grad_indices, grad_values, grad_shape=None, local_step=0, name=None):
        """Adds an operation that adds rows.

        Args:
            grad_indices: The numbers of the rows, an int64 tensor [n].
            grad_values: The rows, a tensor [n, ...].
            grad_shape: Shape of the whole gradient. None: it is not known.
            local_step: The step in which the gradient was computed, an int or an int64 scalar.
                Gradients older than the accumulator's step are dropped.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The Operation.
        """
        shape = [] if grad_shape is None else grad_shape
        return raw_ops.SparseAccumulatorApplyGradient(
            handle=self.accumulator_ref, local_step=_step(local_step),
            gradient_indices=_step(grad_indices),
            gradient_values=convert_to_tensor(grad_values, self.dtype),
            gradient_shape=_step(shape), has_known_shape=grad_shape is not None, name=name,
        )  # fmt: skip

    def take_grad(self, num_required, name=None):
        """Returns the mean (or sum) when enough gradients have arrived, and starts again.

        Args:
            num_required: How many gradients to wait for, an int or an int32 scalar.
            name: Name of the operation, a str. None: a default name.

        Returns:
            A named tuple of the indices, the values and the dense shape.
        """
        return raw_ops.SparseAccumulatorTakeGradient(
            handle=self.accumulator_ref, num_required=num_required, dtype=self.dtype, name=name
        )

    def take_indexed_slices_grad(self, num_required, name=None):
        """Returns the mean (or sum) when enough gradients have arrived, and starts again.

        Args:
            num_required: How many gradients to wait for, an int or an int32 scalar.
            name: Name of the operation, a str. None: a default name.

        Returns:
            IndexedSlices.
        """
        indices, values, shape = self.take_grad(num_required, name)
        return IndexedSlices(values, indices, shape)

    def num_accumulated(self, name=None):
        """Returns how many gradients have arrived.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            An int32 scalar.
        """
        return raw_ops.AccumulatorNumAccumulated(handle=self.accumulator_ref, name=name)

    def set_global_step(self, new_global_step, name=None):
        """Adds an operation that sets the step of the accumulator.

        Args:
            new_global_step: The step, an int or an int64 scalar.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The Operation.
        """
        return raw_ops.AccumulatorSetGlobalStep(
            handle=self.accumulator_ref, new_global_step=_step(new_global_step), name=name
        )


__all__ = with_names(globals())
