# SPDX-License-Identifier: Apache-2.0
"""Staging areas, which keep what one run made for another, and barriers, which put elements
together under keys."""

import contextlib

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import colocate_with, get_default_graph
from ...graph.tensor_shape import TensorShape, dims_of
from .. import raw_ops
from ..building import with_names


class _Area:
    """A node of its own name on each task: all operations name it, and stand beside it."""

    def __init__(self, dtypes_, shapes, names, shared_name, capacity, memory_limit):
        self._dtypes = [dtypes.as_dtype(d) for d in dtypes_]
        count = len(self._dtypes)
        if shapes is not None and len(shapes) != count:
            raise ValueError(f"{count} dtypes, but {len(shapes)} shapes")
        if names is not None and len(names) != count:
            raise ValueError(f"{count} dtypes, but {len(names)} names")
        self._shapes = [TensorShape(s) for s in (shapes or [None] * count)]
        self._names = list(names) if names else None
        self._name = shared_name or get_default_graph().unique_name(type(self).__name__)
        self._capacity, self._memory_limit = capacity, memory_limit
        self._home = None

    @property
    def name(self):
        """The name of the area, a str."""
        return self._name

    @property
    def dtypes(self):
        """The dtypes of an element's tensors, a list."""
        return self._dtypes

    @property
    def shapes(self):
        """The shapes of an element's tensors, a list."""
        return self._shapes

    @property
    def names(self):
        """The names of an element's tensors, a list or None."""
        return self._names

    @property
    def capacity(self):
        """The most elements, an int; 0: no limit."""
        return self._capacity

    @property
    def memory_limit(self):
        """The most bytes, an int; 0: no limit."""
        return self._memory_limit

    def _apply(self, op, name, **arguments):
        with colocate_with(self._home) if self._home is not None else contextlib.nullcontext():
            made = raw_ops.apply_op(op, name, **{
                "dtypes": self._dtypes, "capacity": self._capacity, "shared_name": self._name,
                "memory_limit": self._memory_limit, **arguments,
            })  # fmt: skip
        first = made[0] if isinstance(made, (list, tuple)) and made else made
        if self._home is None:
            self._home = getattr(first, "op", first)
        return made

    def _values(self, values, places=None):
        """(tensors, their places) of a value, a list (at `places`), or a dict by names."""
        if isinstance(values, dict):
            unknown = [k for k in values if k not in (self._names or ())]
            if unknown:
                raise ValueError(f"{self._name} has the names {self._names}, not {unknown}")
            places = [i for i, n in enumerate(self._names) if n in values]
            values = [values[self._names[i]] for i in places]
        else:
            values = values if isinstance(values, (list, tuple)) else [values]
            places = list(range(len(values))) if places is None else places
        if len(values) > len(self._dtypes):
            raise ValueError(f"{self._name} has {len(self._dtypes)} parts, not {len(values)}")
        return [convert_to_tensor(v, self._dtypes[i]) for v, i in zip(values, places)], places

    def _result(self, tensors, places=None):
        places = list(range(len(self._dtypes))) if places is None else places
        for tensor, place in zip(tensors, places):
            tensor.set_shape(self._shapes[place])
        if self._names:
            return {self._names[p]: t for t, p in zip(tensors, places)}
        return tensors[0] if len(tensors) == 1 else list(tensors)


class StagingArea(_Area):
    """A buffer of a task that returns elements in the order in which they were put in.

    Args:
        dtypes: Dtypes of an element's tensors, a list.
        shapes: Shapes of an element's tensors, a list. None: any.
        names: Names of an element's tensors, a list of str: elements are dicts then. None: lists.
        shared_name: Name of the area on each task, a str. None: a unique name.
        capacity: The most elements, an int. 0: no limit.
        memory_limit: The most bytes, an int. 0: no limit.

    Raises:
        ValueError: The numbers of dtypes, shapes and names differ.
    """

    def __init__(self, dtypes, shapes=None, names=None, shared_name=None, capacity=0,
                 memory_limit=0):  # fmt: skip
        super().__init__(dtypes, shapes, names, shared_name, capacity, memory_limit)

    def put(self, values, name=None):
        """Adds an operation that puts an element in. It waits while the area is full.

        Args:
            values: A tensor, a list of tensors, or with names a dict.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The Operation.
        """
        tensors, places = self._values(values)
        if len(places) != len(self._dtypes):
            raise ValueError(f"{self._name} has {len(self._dtypes)} parts, not {len(places)}")
        for tensor, shape in zip(tensors, self._shapes):
            tensor.shape.assert_is_compatible_with(shape)
        return self._apply("Stage", name, values=tensors)

    def get(self, name=None):
        """Takes the oldest element out. It waits while the area is empty.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            A tensor, a list of tensors, or with names a dict.
        """
        return self._result(self._apply("Unstage", name))

    def peek(self, index, name=None):
        """Returns an element that stays.

        Args:
            index: Its place, an int or an int32 scalar.
            name: Name of the operation, a str. None: a default name.

        Returns:
            A tensor, a list of tensors, or with names a dict.
        """
        return self._result(self._apply("StagePeek", name, index=index))

    def size(self, name=None):
        """Returns how many elements there are.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            An int32 scalar.
        """
        return self._apply("StageSize", name)

    def clear(self, name=None):
        """Adds an operation that removes all elements.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            The Operation.
        """
        return self._apply("StageClear", name)


class MapStagingArea(_Area):
    """A buffer of a task with elements by keys, whose tensors may be put in one by one.

    Args:
        dtypes: Dtypes of an element's tensors, a list.
        shapes: Shapes of an element's tensors, a list. None: any.
        names: Names of an element's tensors, a list of str: elements are dicts then. None: lists.
        shared_name: Name of the area on each task, a str. None: a unique name.
        ordered: Whether get() without a key returns the smallest key. A bool.
        capacity: The most elements, an int. 0: no limit.
        memory_limit: The most bytes, an int. 0: no limit.

    Raises:
        ValueError: The numbers of dtypes, shapes and names differ.
    """

    def __init__(self, dtypes, shapes=None, names=None, shared_name=None, ordered=False, capacity=0,
                 memory_limit=0):  # fmt: skip
        super().__init__(dtypes, shapes, names, shared_name, capacity, memory_limit)
        self._prefix = "OrderedMap" if ordered else "Map"

    def put(self, key, vals, indices=None, name=None):
        """Adds an operation that puts tensors of an element in.

        Args:
            key: The key, an int64 scalar.
            vals: The tensors, a list, or with names a dict.
            indices: Which of the element's tensors they are, a list of ints. None: all.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The Operation.
        """
        places = None if indices is None else [self._place(i) for i in indices]
        tensors, places = self._values(vals, places)
        return self._apply(
            self._prefix + "Stage", name, key=convert_to_tensor(key, dtypes.int64),
            indices=convert_to_tensor(places, dtypes.int32), values=tensors,
        )  # fmt: skip

    def _place(self, index):
        return self._names.index(index) if isinstance(index, str) else index

    def get(self, key=None, indices=None, name=None):
        """Takes an element out. It waits until it is complete.

        Args:
            key: The key, an int64 scalar. None: any key.
            indices: Which of the element's tensors are taken, a list of ints. None: all.
            name: Name of the operation, a str. None: a default name.

        Returns:
            A tuple: the key and the element; with a key the element alone.
        """
        places = [self._place(i) for i in indices or range(len(self._dtypes))]
        where = convert_to_tensor(places, dtypes.int32)
        types = [self._dtypes[p] for p in places]
        if key is None:
            found = self._apply(self._prefix + "UnstageNoKey", name, indices=where, dtypes=types)
            return found.key, self._result(found.values, places)
        key = convert_to_tensor(key, dtypes.int64)
        found = self._apply(self._prefix + "Unstage", name, key=key, indices=where, dtypes=types)
        return key, self._result(found, places)

    def peek(self, key, indices=None, name=None):
        """Returns an element that stays.

        Args:
            key: The key, an int64 scalar.
            indices: Which of the element's tensors are returned, a list of ints. None: all.
            name: Name of the operation, a str. None: a default name.

        Returns:
            A tensor, a list of tensors, or with names a dict.
        """
        places = [self._place(i) for i in indices or range(len(self._dtypes))]
        found = self._apply(
            self._prefix + "Peek", name, key=convert_to_tensor(key, dtypes.int64),
            indices=convert_to_tensor(places, dtypes.int32),
            dtypes=[self._dtypes[p] for p in places],
        )  # fmt: skip
        return self._result(found, places)

    def size(self, name=None):
        """Returns how many elements are complete.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            An int32 scalar.
        """
        return self._apply(self._prefix + "Size", name)

    def incomplete_size(self, name=None):
        """Returns how many elements are not complete.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            An int32 scalar.
        """
        return self._apply(self._prefix + "IncompleteSize", name)

    def clear(self, name=None):
        """Adds an operation that removes all elements.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            The Operation.
        """
        return self._apply(self._prefix + "Clear", name)


class Barrier:
    """Elements by string keys, whose components are put in one by one. Complete elements are
    returned in the order in which they began.

    Args:
        types: Dtypes of the components, a list.
        shapes: Shapes of an element's tensors, a list. None: any.
        shared_name: Name of the area on each task, a str. None: a unique name.
        name: Name of the operation, a str.

    Raises:
        ValueError: The numbers of types and shapes differ.
    """

    def __init__(self, types, shapes=None, shared_name=None, name="barrier"):
        self._types = [dtypes.as_dtype(t) for t in types]
        self._shapes = [TensorShape(s) for s in shapes or ()]
        if shapes is not None and len(shapes) != len(self._types):
            raise ValueError(f"{len(self._types)} types, but {len(shapes)} shapes")
        self.barrier_ref = raw_ops.Barrier(
            component_types=self._types, shapes=[dims_of(s) for s in self._shapes],
            shared_name=shared_name or "", name=name,
        )  # fmt: skip
        self.name = self.barrier_ref.op.name

    def insert_many(self, component_index, keys, values, name=None):
        """Adds an operation that sets a component of several elements.

        Args:
            component_index: Number of the component, an int.
            keys: The keys, a string vector [n].
            values: The components, a tensor [n, ...].
            name: Name of the operation, a str. None: a default name.

        Returns:
            The Operation.
        """
        return raw_ops.BarrierInsertMany(
            handle=self.barrier_ref, keys=keys,
            values=convert_to_tensor(values, self._types[component_index]),
            component_index=component_index, name=name or f"{self.name}_BarrierInsertMany",
        )  # fmt: skip

    def take_many(self, num_elements, allow_small_batch=False, timeout=None, name=None):
        """Takes complete elements out. It waits until there are enough.

        Args:
            num_elements: How many, an int or an int32 scalar.
            allow_small_batch: Whether there may be fewer if the barrier is closed. A bool.
            timeout: The most milliseconds to wait, an int. None: no limit.
            name: Name of the operation, a str. None: a default name.

        Returns:
            A tuple: when each element began, an int64 vector; the keys; a list of the components.
        """
        return raw_ops.BarrierTakeMany(
            handle=self.barrier_ref, num_elements=num_elements, component_types=self._types,
            allow_small_batch=allow_small_batch, timeout_ms=-1 if timeout is None else timeout,
            name=name or f"{self.name}_BarrierTakeMany",
        )  # fmt: skip

    def close(self, cancel_pending_enqueues=False, name=None):
        """Adds an operation after which there can be no new keys.

        Args:
            cancel_pending_enqueues: Whether incomplete elements cannot be completed either. A bool.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The Operation.
        """
        return raw_ops.BarrierClose(
            handle=self.barrier_ref, cancel_pending_enqueues=cancel_pending_enqueues,
            name=name or f"{self.name}_BarrierClose",
        )  # fmt: skip

    def ready_size(self, name=None):
        """Returns how many elements are complete.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            An int32 scalar.
        """
        return raw_ops.BarrierReadySize(handle=self.barrier_ref, name=name)

    def incomplete_size(self, name=None):
        """Returns how many elements are not complete.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            An int32 scalar.
        """
        return raw_ops.BarrierIncompleteSize(handle=self.barrier_ref, name=name)


__all__ = with_names(globals())
