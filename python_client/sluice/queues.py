"""Queues and accumulators: tensors that wait on a task until somebody takes them.

Runs that cannot go on wait; they end with errors.CancelledError when their step is cancelled, and
with errors.OutOfRangeError when the queue was closed and has too few elements left.
"""

from . import dtypes, raw_ops
from .building import with_names
from .convert import convert_to_tensor
from .graph import colocate_with, get_seed


def _dtypes_of(value):
    many = isinstance(value, (list, tuple))
    return [dtypes.as_dtype(v) for v in (value if many else [value])]


def _shapes_of(shapes, count):
    """A list of shapes for the components; [] where they are free."""
    if shapes is None:
        return []
    shapes = [shapes] if count == 1 and not _is_list_of_shapes(shapes) else list(shapes)
    if len(shapes) != count:
        raise ValueError(f"{count} dtypes, but {len(shapes)} shapes")
    return [None if s is None else list(s) for s in shapes]


def _is_list_of_shapes(shapes):
    return bool(shapes) and all(s is None or not isinstance(s, int) for s in shapes)


class Queue:
    """What all queues do. An element is one tensor, or a list of `dtypes` tensors."""

    def __init__(self, handle, component_dtypes, shapes):
        self.queue_ref, self.dtypes, self._shapes = handle, component_dtypes, shapes
        self.name = handle.op.name

    def enqueue(self, vals, name=None):
        """An operation that puts an element in; it waits while the queue is full. CancelledError:
        the queue was closed."""
        return self._enqueue("QueueEnqueueV2", vals, name)

    def enqueue_many(self, vals, name=None):
        """An operation that puts in the rows of each component as elements."""
        return self._enqueue("QueueEnqueueManyV2", vals, name)

    def _enqueue(self, op, vals, name):
        vals = vals if isinstance(vals, (list, tuple)) else [vals]
        if len(vals) != len(self.dtypes):
            raise ValueError(f"{self.name} has {len(self.dtypes)} components, not {len(vals)}")
        vals = [convert_to_tensor(v, t) for v, t in zip(vals, self.dtypes)]
        with colocate_with(self.queue_ref.op):
            return raw_ops.apply_op(op, name, handle=self.queue_ref, components=vals)

    def dequeue(self, name=None):
        """The next element."""
        return self._dequeue("QueueDequeueV2", name)

    def dequeue_many(self, n, name=None):
        """The next n elements, stacked; of a closed queue with fewer: OutOfRangeError."""
        return self._dequeue("QueueDequeueManyV2", name, n=n)

    def dequeue_up_to(self, n, name=None):
        """dequeue_many that gives what is left of a closed queue."""
        return self._dequeue("QueueDequeueUpToV2", name, n=n)

    def _dequeue(self, op, name, **arguments):
        with colocate_with(self.queue_ref.op):
            found = raw_ops.apply_op(
                op, name, handle=self.queue_ref, component_types=self.dtypes, **arguments
            )
        return found[0] if len(self.dtypes) == 1 else found

    def close(self, cancel_pending_enqueues=False, name=None):
        """An operation after which nothing can be put in; what is in can be taken."""
        return raw_ops.QueueCloseV2(
            handle=self.queue_ref, cancel_pending_enqueues=cancel_pending_enqueues, name=name
        )

    def is_closed(self, name=None):
        return raw_ops.QueueIsClosedV2(handle=self.queue_ref, name=name)

    def size(self, name=None):
        """int32: how many elements are in."""
        return raw_ops.QueueSizeV2(handle=self.queue_ref, name=name)


class FIFOQueue(Queue):
    """First in, first out. capacity -1: no bound. shapes, of every component, make dequeue_many
    possible. shared_name: one queue for all sessions that use this name."""

    _op = "FIFOQueueV2"

    def __init__(self, capacity, dtypes, shapes=None, shared_name=None, name="fifo_queue", **more):
        types = _dtypes_of(dtypes)
        shapes = _shapes_of(shapes, len(types))
        handle = raw_ops.apply_op(
            self._op, name, component_types=types, shapes=shapes, capacity=capacity,
            shared_name=shared_name or "", **more,
        )  # fmt: skip
        super().__init__(handle, types, shapes)


class PaddingFIFOQueue(FIFOQueue):
    """A FIFOQueue whose dequeue_many fills elements up with zeros where sizes are None."""

    _op = "PaddingFIFOQueueV2"

    def __init__(self, capacity, dtypes, shapes, shared_name=None, name="padding_fifo_queue"):
        super().__init__(capacity, dtypes, shapes, shared_name, name)


class RandomShuffleQueue(FIFOQueue):
    """Gives elements in random order, while it is open never the last min_after_dequeue."""

    _op = "RandomShuffleQueueV2"

    def __init__(self, capacity, min_after_dequeue, dtypes, shapes=None, seed=None,
                 shared_name=None, name="random_shuffle_queue"):  # fmt: skip
        seed, seed2 = get_seed(seed)
        super().__init__(
            capacity, dtypes, shapes, shared_name, name, min_after_dequeue=min_after_dequeue,
            seed=seed, seed2=seed2,
        )  # fmt: skip


class PriorityQueue(FIFOQueue):
    """Gives the element of the lowest priority, an int64 that is the first component."""

    _op = "PriorityQueueV2"

    def __init__(self, capacity, types, shapes=None, shared_name=None, name="priority_queue"):
        types = _dtypes_of(types)
        shapes = _shapes_of(shapes, len(types))
        handle = raw_ops.PriorityQueueV2(
            component_types=types, shapes=shapes, capacity=capacity, shared_name=shared_name or "",
            name=name,
        )  # fmt: skip
        Queue.__init__(self, handle, [dtypes.int64, *types], [[], *shapes])


class ConditionalAccumulator:
    """Sums gradients of a dtype and shape until enough have come.

    reduction_type "MEAN" or "SUM": what take_grad gives. Gradients of a step before the
    accumulator's own are dropped.
    """

    def __init__(self, dtype, shape=None, shared_name=None, name="conditional_accumulator",
                 reduction_type="MEAN"):  # fmt: skip
        self.dtype = dtypes.as_dtype(dtype)
        self.accumulator_ref = raw_ops.ResourceConditionalAccumulator(
            dtype=self.dtype, shape=None if shape is None else list(shape),
            shared_name=shared_name or "", reduction_type=reduction_type, name=name,
        )  # fmt: skip
        self.name = self.accumulator_ref.op.name

    def apply_grad(self, grad, local_step=0, name=None):
        """An operation that adds a gradient made at local_step."""
        return raw_ops.ResourceAccumulatorApplyGradient(
            handle=self.accumulator_ref, local_step=convert_to_tensor(local_step, dtypes.int64),
            gradient=convert_to_tensor(grad, self.dtype), name=name,
        )  # fmt: skip

    def take_grad(self, num_required, name=None):
        """The mean (or sum) when num_required gradients have come; it begins anew then."""
        return raw_ops.ResourceAccumulatorTakeGradient(
            handle=self.accumulator_ref, num_required=num_required, dtype=self.dtype, name=name
        )

    def num_accumulated(self, name=None):
        return raw_ops.ResourceAccumulatorNumAccumulated(handle=self.accumulator_ref, name=name)

    def set_global_step(self, new_global_step, name=None):
        """An operation that sets the accumulator's own step."""
        return raw_ops.ResourceAccumulatorSetGlobalStep(
            handle=self.accumulator_ref,
            new_global_step=convert_to_tensor(new_global_step, dtypes.int64), name=name,
        )  # fmt: skip


__all__ = with_names(globals())
