# SPDX-License-Identifier: Apache-2.0
"""Queues: tensors that wait on a task until somebody takes them.

Runs that cannot go on wait; they end with errors.CancelledError when their step is cancelled, and
with errors.OutOfRangeError when the queue was closed and has too few elements left.
"""

from numbers import Integral

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from ...graph.seeds import get_seed
from ...graph.static_values import static_value
from ...graph.tensor_shape import TensorShape, dims_of
from .. import array as arrays
from .. import raw_ops
from ..building import with_names


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
    return [dims_of(s) for s in shapes]


def _known(count):
    value = static_value(count)
    return None if value is None else int(value)


def _is_list_of_shapes(shapes):
    if isinstance(shapes, TensorShape):
        return False
    return bool(shapes) and any(isinstance(s, (list, tuple, TensorShape)) for s in shapes)


class Queue:
    """The base class of queues. An element is a tensor, a list of tensors, or with names a dict.

    Args:
        handle: The tensor that refers to the queue.
        component_dtypes: Dtypes of an element's tensors, a list.
        shapes: Shapes of an element's tensors, a list. None: any.
        names: Names of an element's tensors, a list of str: elements are dicts then. None: lists.
    """

    def __init__(self, handle, component_dtypes, shapes, names=None):
        self.queue_ref, self.dtypes, self._shapes = handle, component_dtypes, shapes
        self.name = handle.op.name
        names = [names] if isinstance(names, str) else names
        if names and len(names) != len(component_dtypes):
            raise ValueError(f"{len(component_dtypes)} dtypes, but {len(names)} names")
        self.names = list(names) if names else None

    @property
    def shapes(self):
        """The shapes of an element's tensors, a list of TensorShapes."""
        return [TensorShape(s) for s in self._shapes or [None] * len(self.dtypes)]

    @staticmethod
    def from_list(index, queues):
        """Chooses one of several queues when a step runs.

        Args:
            index: Number of the queue, an int32 scalar.
            queues: Queues of the same dtypes, a list.

        Returns:
            A Queue.

        Raises:
            TypeError: The dtypes differ, or it is not a list of queues.
        """
        if not isinstance(queues, (list, tuple)) or not all(isinstance(q, Queue) for q in queues):
            raise TypeError("A list of queues expected")
        if not queues or any(q.dtypes != queues[0].dtypes for q in queues):
            raise TypeError("from_list requires queues of the same dtypes")
        handle = arrays.gather(arrays.stack([q.queue_ref for q in queues]), index)
        shapes = queues[0]._shapes if all(q._shapes == queues[0]._shapes for q in queues) else []
        return Queue(handle, queues[0].dtypes, shapes, queues[0].names)

    def enqueue(self, vals, name=None):
        """Adds an operation that puts an element in. It waits while the queue is full.

        Args:
            vals: An element: a tensor, a list of tensors, or with names a dict.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The Operation.

        Raises:
            errors.CancelledError: In run(): the queue is closed.
        """
        return self._enqueue("QueueEnqueueV2", vals, name or f"{self._short()}_enqueue")

    def enqueue_many(self, vals, name=None):
        """Adds an operation that puts several elements in.

        Args:
            vals: The elements, joined along a new first dimension.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The Operation.

        Raises:
            errors.CancelledError: In run(): the queue is closed.
        """
        return self._enqueue("QueueEnqueueManyV2", vals, name or f"{self._short()}_EnqueueMany")

    def _short(self):
        return self.name.rsplit("/", 1)[-1]

    def _enqueue(self, op, vals, name):
        if isinstance(vals, dict):
            if not self.names or sorted(vals) != sorted(self.names):
                raise ValueError(f"{self.name} has the names {self.names}, not {sorted(vals)}")
            vals = [vals[n] for n in self.names]
        elif self.names:
            raise ValueError(f"{self.name} takes a dict of {self.names}")
        vals = vals if isinstance(vals, (list, tuple)) else [vals]
        if len(vals) != len(self.dtypes):
            raise ValueError(f"{self.name} has {len(self.dtypes)} components, not {len(vals)}")
        with name_scope(name) as scope:
            vals = [
                convert_to_tensor(v, t, f"component_{i}")
                for i, (v, t) in enumerate(zip(vals, self.dtypes))
            ]
            self._check(vals, [None] if op == "QueueEnqueueManyV2" else [])
            return raw_ops.apply_op(op, scope, handle=self.queue_ref, components=vals)

    def _check(self, vals, rows):
        for value, shape in zip(vals, self._shapes or ()):
            value.shape.assert_is_compatible_with(TensorShape(rows).concatenate(shape))
        if rows:  # all components have one element for each of the queue's
            first = TensorShape([None])
            for value in vals:
                first = first.merge_with(value.shape.with_rank_at_least(1)[:1])

    def dequeue(self, name=None):
        """Takes an element out. It waits while the queue is empty.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            A tensor, a list of tensors, or with names a dict.

        Raises:
            errors.OutOfRangeError: In run(): the queue is closed and empty.
        """
        return self._dequeue("QueueDequeueV2", [], name or f"{self._short()}_Dequeue")

    def dequeue_many(self, n, name=None):
        """Takes several elements out. It waits until there are enough.

        Args:
            n: How many elements, an int or an int32 scalar.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The elements, joined along a new first dimension.

        Raises:
            errors.OutOfRangeError: In run(): the queue is closed and has fewer elements.
        """
        name = name or f"{self._short()}_DequeueMany"
        count = n if isinstance(n, Integral) else _known(n)
        return self._dequeue("QueueDequeueManyV2", [count], name, n=n)

    def dequeue_up_to(self, n, name=None):
        """Takes several elements out. If the queue is closed, there may be fewer.

        Args:
            n: How many elements, an int or an int32 scalar.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The elements, joined along a new first dimension.

        Raises:
            errors.OutOfRangeError: In run(): the queue is closed and empty.
        """
        return self._dequeue(
            "QueueDequeueUpToV2", [None], name or f"{self._short()}_DequeueUpTo", n=n
        )

    def _dequeue(self, op, rows, name, **arguments):
        found = raw_ops.apply_op(
            op, name, handle=self.queue_ref, component_types=self.dtypes, **arguments
        )
        for tensor, shape in zip(found, self._shapes or ()):
            tensor.set_shape(TensorShape(rows).concatenate(shape))
        if self.names:
            return dict(zip(self.names, found))
        return found[0] if len(self.dtypes) == 1 else found

    def close(self, cancel_pending_enqueues=False, name=None):
        """Adds an operation that closes the queue: nothing can be put in afterwards.

        Args:
            cancel_pending_enqueues: Whether waiting enqueues are cancelled. A bool.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The Operation.
        """
        return raw_ops.QueueCloseV2(
            handle=self.queue_ref, cancel_pending_enqueues=cancel_pending_enqueues,
            name=name or f"{self._short()}_Close",
        )  # fmt: skip

    def is_closed(self, name=None):
        """Tests whether the queue is closed.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            A bool scalar.
        """
        return raw_ops.QueueIsClosedV2(
            handle=self.queue_ref, name=name or f"{self._short()}_Is_Closed"
        )

    def size(self, name=None):
        """Returns how many elements there are.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            An int32 scalar.
        """
        return raw_ops.QueueSizeV2(handle=self.queue_ref, name=name or f"{self._short()}_Size")

    def __repr__(self):
        parts = [f"{d.name} {s}" for d, s in zip(self.dtypes, self.shapes)]
        if self.names:
            parts = [f"{name}: {part}" for name, part in zip(self.names, parts)]
        return f"<sluice.{type(self).__name__} {self.name!r} of {', '.join(parts)}>"


class FIFOQueue(Queue):
    """A queue that returns elements in the order in which they were put in.

    Args:
        capacity: The most elements, an int; negative: no limit.
        dtypes: Dtypes of an element's tensors, a dtype or a list of them.
        shapes: Shapes of an element's tensors, a list. None: any.
        names: Names of an element's tensors, a list of str: elements are dicts then. None: lists.
        shared_name: Name under which sessions of a cluster share the queue, a str. None: not
            shared.
        name: Name of the operation, a str.
        **more: container: name of the resource container.

    Example:
        >>> queue = sl.FIFOQueue(10, sl.int32, shapes=[[]])
        >>> put, get = queue.enqueue_many([[1, 2, 3]]), queue.dequeue()
        >>> with sl.Session() as session:
        ...     session.run(put)
        ...     print(session.run(get), session.run(get))
        1 2
    """

    _op = "FIFOQueueV2"
    _sizes_differ = False

    def __init__(self, capacity, dtypes, shapes=None, names=None, shared_name=None,
                 name="fifo_queue", **more):  # fmt: skip
        types = _dtypes_of(dtypes)
        shapes = _shapes_of(shapes, len(types))
        if any(dims is None for dims in shapes):
            raise ValueError(f"all shapes must have a known rank: {shapes}")
        if not self._sizes_differ and any(size in (None, -1) for dims in shapes for size in dims):
            raise ValueError(f"all shapes must be fully defined: {shapes}")
        handle = raw_ops.apply_op(
            self._op, name, component_types=types, shapes=shapes, capacity=capacity,
            shared_name=shared_name or "", **more,
        )  # fmt: skip
        super().__init__(handle, types, shapes, names)


class PaddingFIFOQueue(FIFOQueue):
    """A FIFOQueue of elements of different sizes; dequeue_many() pads them with zeros.

    Args:
        capacity: The most elements, an int; negative: no limit.
        dtypes: Dtypes of an element's tensors, a dtype or a list of them.
        shapes: Shapes of an element's tensors, a list. Sizes that differ are None.
        names: Names of an element's tensors, a list of str: elements are dicts then. None: lists.
        shared_name: Name under which sessions of a cluster share the queue, a str. None: not
            shared.
        name: Name of the operation, a str.
    """

    _op = "PaddingFIFOQueueV2"
    _sizes_differ = True

    def __init__(self, capacity, dtypes, shapes, names=None, shared_name=None,
                 name="padding_fifo_queue"):  # fmt: skip
        super().__init__(capacity, dtypes, shapes, names, shared_name, name)


class RandomShuffleQueue(FIFOQueue):
    """A queue that returns elements in random order.

    Args:
        capacity: The most elements, an int; negative: no limit.
        min_after_dequeue: How many elements stay in the queue, an int.
        dtypes: Dtypes of an element's tensors, a dtype or a list of them.
        shapes: Shapes of an element's tensors, a list. None: any.
        names: Names of an element's tensors, a list of str: elements are dicts then. None: lists.
        seed: Seed of the operation, an int. None: see set_random_seed().
        shared_name: Name under which sessions of a cluster share the queue, a str. None: not
            shared.
        name: Name of the operation, a str.
    """

    _op = "RandomShuffleQueueV2"

    def __init__(self, capacity, min_after_dequeue, dtypes, shapes=None, names=None, seed=None,
                 shared_name=None, name="random_shuffle_queue"):  # fmt: skip
        seed, seed2 = get_seed(seed)
        super().__init__(
            capacity, dtypes, shapes, names, shared_name, name,
            min_after_dequeue=min_after_dequeue, seed=seed, seed2=seed2,
        )  # fmt: skip


class PriorityQueue(FIFOQueue):
    """A queue that returns the element with the lowest priority, an int64 scalar that comes first
    in it.

    Args:
        capacity: The most elements, an int; negative: no limit.
        types: Dtypes of the tensors after the priority, a list.
        shapes: Shapes of the tensors after the priority, a list. None: any.
        names: Names of an element's tensors, a list of str: elements are dicts then. None: lists.
        shared_name: Name under which sessions of a cluster share the queue, a str. None: not
            shared.
        name: Name of the operation, a str.
    """

    _op = "PriorityQueueV2"

    def __init__(self, capacity, types, shapes=None, names=None, shared_name=None,
                 name="priority_queue"):  # fmt: skip
        types = _dtypes_of(types)
        shapes = _shapes_of(shapes, len(types))
        handle = raw_ops.PriorityQueueV2(
            component_types=types, shapes=shapes, capacity=capacity, shared_name=shared_name or "",
            name=name,
        )  # fmt: skip
        Queue.__init__(self, handle, [dtypes.int64, *types], [[], *shapes] if shapes else [], names)


__all__ = with_names(globals())
