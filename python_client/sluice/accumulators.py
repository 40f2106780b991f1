"""Accumulators: sums of gradients on a task until enough have come.

Runs that cannot go on wait; they end with errors.CancelledError when their step is cancelled.
"""

from . import arrays, dtypes, raw_ops
from .building import with_names
from .convert import convert_to_tensor
from .graph import IndexedSlices
from .tensor_shape import dims_of


def _step(value):
    value = convert_to_tensor(value) if hasattr(value, "dtype") else value
    if hasattr(value, "graph"):
        return value if value.dtype == dtypes.int64 else arrays.cast(value, dtypes.int64)
    return convert_to_tensor(value, dtypes.int64)


class ConditionalAccumulator:
    """Sums gradients of a dtype and shape until enough have come.

    reduction_type "MEAN" or "SUM": what take_grad gives. Gradients of a step before the
    accumulator's own are dropped. shared_name: one for all sessions that use this name.
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
        """An operation that adds a gradient made at local_step."""
        grad = convert_to_tensor(grad, self.dtype)
        grad.shape.assert_is_compatible_with(self._shape)
        return raw_ops.ResourceAccumulatorApplyGradient(
            handle=self.accumulator_ref, local_step=_step(local_step), gradient=grad, name=name
        )

    def take_grad(self, num_required, name=None):
        """The mean (or sum) when num_required gradients have come; it begins anew then."""
        taken = raw_ops.ResourceAccumulatorTakeGradient(
            handle=self.accumulator_ref, num_required=num_required, dtype=self.dtype, name=name
        )
        taken.set_shape(self._shape)
        return taken

    def num_accumulated(self, name=None):
        return raw_ops.ResourceAccumulatorNumAccumulated(handle=self.accumulator_ref, name=name)

    def set_global_step(self, new_global_step, name=None):
        """An operation that sets the accumulator's own step."""
        return raw_ops.ResourceAccumulatorSetGlobalStep(
            handle=self.accumulator_ref, new_global_step=_step(new_global_step), name=name
        )


class SparseConditionalAccumulator:
    """A ConditionalAccumulator of IndexedSlices: rows that repeat are summed, the mean is taken of
    each row by how often it came."""

    def __init__(self, dtype, shape=None, shared_name=None, name="sparse_conditional_accumulator",
                 reduction_type="MEAN"):  # fmt: skip
        self.dtype, self._shape = dtypes.as_dtype(dtype), dims_of(shape)
        self.accumulator_ref = raw_ops.SparseConditionalAccumulator(
            dtype=self.dtype, shape=self._shape, shared_name=shared_name or "",
            reduction_type=reduction_type, name=name,
        )  # fmt: skip
        self.name = self.accumulator_ref.op.name

    def apply_indexed_slices_grad(self, grad, local_step=0, name=None):
        """An operation that adds IndexedSlices made at local_step."""
        return self.apply_grad(grad.indices, grad.values, grad.dense_shape, local_step, name)

    def apply_grad(self, grad_indices, grad_values, grad_shape=None, local_step=0, name=None):
        """An operation that adds rows grad_values [n, ...] at grad_indices [n]. grad_shape: of the
        whole gradient, where it is known."""
        shape = [] if grad_shape is None else grad_shape
        return raw_ops.SparseAccumulatorApplyGradient(
            handle=self.accumulator_ref, local_step=_step(local_step),
            gradient_indices=_step(grad_indices),
            gradient_values=convert_to_tensor(grad_values, self.dtype),
            gradient_shape=_step(shape), has_known_shape=grad_shape is not None, name=name,
        )  # fmt: skip

    def take_grad(self, num_required, name=None):
        """[indices, values, dense_shape] when num_required gradients have come."""
        return raw_ops.SparseAccumulatorTakeGradient(
            handle=self.accumulator_ref, num_required=num_required, dtype=self.dtype, name=name
        )

    def take_indexed_slices_grad(self, num_required, name=None):
        """take_grad() as IndexedSlices."""
        indices, values, shape = self.take_grad(num_required, name)
        return IndexedSlices(values, indices, shape)

    def num_accumulated(self, name=None):
        return raw_ops.AccumulatorNumAccumulated(handle=self.accumulator_ref, name=name)

    def set_global_step(self, new_global_step, name=None):
        """An operation that sets the accumulator's own step."""
        return raw_ops.AccumulatorSetGlobalStep(
            handle=self.accumulator_ref, new_global_step=_step(new_global_step), name=name
        )


__all__ = with_names(globals())
