"""Staging areas, which keep what one run made for another, and barriers, which put elements
together under keys."""

from . import dtypes, raw_ops
from .building import with_names
from .convert import convert_to_tensor
from .graph import colocate_with, get_default_graph
from .tensor_shape import TensorShape


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

    name = property(lambda self: self._name)
    dtypes = property(lambda self: self._dtypes)
    shapes = property(lambda self: self._shapes)
    names = property(lambda self: self._names)
    capacity = property(lambda self: self._capacity)
    memory_limit = property(lambda self: self._memory_limit)

    def _apply(self, op, name, **arguments):
        with colocate_with(self._home):
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
    """Tensors in the order in which they came. capacity, memory_limit (bytes): beyond it put()
    waits; 0: no bound. get() waits for an element."""

    def __init__(self, dtypes, shapes=None, names=None, shared_name=None, capacity=0,
                 memory_limit=0):  # fmt: skip
        super().__init__(dtypes, shapes, names, shared_name, capacity, memory_limit)

    def put(self, values, name=None):
        """An operation that puts an element in: a value, a list, or a dict by names."""
        tensors, places = self._values(values)
        if len(places) != len(self._dtypes):
            raise ValueError(f"{self._name} has {len(self._dtypes)} parts, not {len(places)}")
        for tensor, shape in zip(tensors, self._shapes):
            tensor.shape.assert_is_compatible_with(shape)
        return self._apply("Stage", name, values=tensors)

    def get(self, name=None):
        """The oldest element, which is taken out."""
        return self._result(self._apply("Unstage", name))

    def peek(self, index, name=None):
        """The element at `index`, which stays."""
        return self._result(self._apply("StagePeek", name, index=index))

    def size(self, name=None):
        return self._apply("StageSize", name)

    def clear(self, name=None):
        """An operation that takes everything out."""
        return self._apply("StageClear", name)


class MapStagingArea(_Area):
    """Tensors by int64 keys; parts of an element may come one by one. ordered: get() without a key
    gives the smallest key's."""

    def __init__(self, dtypes, shapes=None, names=None, shared_name=None, ordered=False, capacity=0,
                 memory_limit=0):  # fmt: skip
        super().__init__(dtypes, shapes, names, shared_name, capacity, memory_limit)
        self._prefix = "OrderedMap" if ordered else "Map"

    def put(self, key, vals, indices=None, name=None):
        """An operation that puts the parts `indices` (all) of the element `key` in."""
        places = None if indices is None else [self._place(i) for i in indices]
        tensors, places = self._values(vals, places)
        return self._apply(
            self._prefix + "Stage", name, key=convert_to_tensor(key, dtypes.int64),
            indices=convert_to_tensor(places, dtypes.int32), values=tensors,
        )  # fmt: skip

    def _place(self, index):
        return self._names.index(index) if isinstance(index, str) else index

    def get(self, key=None, indices=None, name=None):
        """(key, element) that is taken out: of any key, or the parts of that key's."""
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
        """The element of a key, which stays."""
        places = [self._place(i) for i in indices or range(len(self._dtypes))]
        found = self._apply(
            self._prefix + "Peek", name, key=convert_to_tensor(key, dtypes.int64),
            indices=convert_to_tensor(places, dtypes.int32),
            dtypes=[self._dtypes[p] for p in places],
        )  # fmt: skip
        return self._result(found, places)

    def size(self, name=None):
        """How many elements are complete."""
        return self._apply(self._prefix + "Size", name)

    def incomplete_size(self, name=None):
        return self._apply(self._prefix + "IncompleteSize", name)

    def clear(self, name=None):
        """An operation that takes everything out."""
        return self._apply(self._prefix + "Clear", name)


class Barrier:
    """Elements by string keys, whose components come one by one; those that are complete can be
    taken, in the order in which their first component came."""

    def __init__(self, types, shapes=None, shared_name=None, name="barrier"):
        self._types = [dtypes.as_dtype(t) for t in types]
        self._shapes = [TensorShape(s) for s in shapes or ()]
        if shapes is not None and len(shapes) != len(self._types):
            raise ValueError(f"{len(self._types)} types, but {len(shapes)} shapes")
        self.barrier_ref = raw_ops.Barrier(
            component_types=self._types, shapes=[s._dims for s in self._shapes],
            shared_name=shared_name or "", name=name,
        )  # fmt: skip
        self.name = self.barrier_ref.op.name

    def insert_many(self, component_index, keys, values, name=None):
        """An operation that sets this component of the elements `keys` [n] to values [n, ...]."""
        return raw_ops.BarrierInsertMany(
            handle=self.barrier_ref, keys=keys,
            values=convert_to_tensor(values, self._types[component_index]),
            component_index=component_index, name=name or f"{self.name}_BarrierInsertMany",
        )  # fmt: skip

    def take_many(self, num_elements, allow_small_batch=False, timeout=None, name=None):
        """(when each began, keys, [components]) of this many complete elements."""
        return raw_ops.BarrierTakeMany(
            handle=self.barrier_ref, num_elements=num_elements, component_types=self._types,
            allow_small_batch=allow_small_batch, timeout_ms=-1 if timeout is None else timeout,
            name=name or f"{self.name}_BarrierTakeMany",
        )  # fmt: skip

    def close(self, cancel_pending_enqueues=False, name=None):
        """An operation after which no new keys may come."""
        return raw_ops.BarrierClose(
            handle=self.barrier_ref, cancel_pending_enqueues=cancel_pending_enqueues,
            name=name or f"{self.name}_BarrierClose",
        )  # fmt: skip

    def ready_size(self, name=None):
        return raw_ops.BarrierReadySize(handle=self.barrier_ref, name=name)

    def incomplete_size(self, name=None):
        return raw_ops.BarrierIncompleteSize(handle=self.barrier_ref, name=name)


__all__ = with_names(globals())
