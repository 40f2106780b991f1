"""Sessions run graphs, in this process or on a cluster."""

from . import _sluice
from .cluster import server_of
from .graph import IndexedSlices, Operation, _default, _sessions, get_default_graph
from .sparse import SparseTensor, SparseTensorValue


class ConfigProto:
    """Options of a session. `device_count={"CPU": n}` counts for the task of a local session."""

    def __init__(self, allow_soft_placement=False, log_device_placement=False,
                 isolate_session_state=False, operation_timeout_in_ms=0, device_filters=(),
                 device_count=None):  # fmt: skip
        self.allow_soft_placement = allow_soft_placement
        self.log_device_placement = log_device_placement
        self.isolate_session_state = isolate_session_state
        self.operation_timeout_in_ms = operation_timeout_in_ms
        self.device_filters = list(device_filters)
        self.device_count = dict(device_count or {})


class RunOptions:
    """Options of one run."""

    def __init__(self, timeout_in_ms=0):
        self.timeout_in_ms = timeout_in_ms


class DeviceAttributes:
    """A device of a cluster."""

    def __init__(self, name, device_type, memory_limit_bytes, incarnation):
        self.name, self.device_type = name, device_type
        self.memory_limit_bytes, self.incarnation = memory_limit_bytes, incarnation

    def __repr__(self):
        return f"DeviceAttributes({self.name}, {self.device_type})"


class Session:
    """Runs a graph.

    target: "" for this process, or "grpc://host:port" of any task of a cluster, which is then the
    master.
    Nothing is sent before the first run; what is added to the graph later goes with the next run.
    run() may be
    called from several threads. Ctrl-C cancels the step and raises KeyboardInterrupt; the session
    goes on.
    """

    def __init__(self, target="", graph=None, config=None):
        self.graph = graph if graph is not None else get_default_graph()
        self.target = target
        config = config or ConfigProto()
        self._core = _sluice.Session(
            self.graph._core,
            target or "",
            server_of(target),  # without the network where the task is in this process
            config.device_count.get("CPU", 1),
            config.allow_soft_placement,
            config.log_device_placement,
            config.isolate_session_state,
            config.operation_timeout_in_ms,
            config.device_filters,
            b"",
        )
        self._contexts = []
        self._closed = False

    def run(self, fetches, feed_dict=None, options=None):
        """Values of `fetches`: a tensor, operation, variable or name, or lists, tuples and dicts
        of them.

        Arrays for tensors, None for operations, in the same structure. feed_dict: tensor (or name)
        -> value; large
        contiguous arrays are read where they are, and must not change while the run lasts.
        Raises the class of errors that the status has; its message names op, device and task.
        """
        if self._closed:
            raise RuntimeError("the session is closed")
        feeds = []
        for key, value in _single_feeds(feed_dict or {}):
            tensor = self.graph.as_graph_element(key)
            if isinstance(tensor, Operation):
                raise TypeError(f"{key!r} is an operation: only tensors can be fed")
            if hasattr(value, "graph"):
                raise TypeError(
                    f"the value fed for {tensor.name} is a tensor: feed a number or array"
                )
            _check_feed(tensor, value)
            feeds.append((tensor.name, value, int(tensor.dtype)))
        tensors, targets = {}, {}
        rebuild = self._collect(fetches, tensors, targets)
        timeout = options.timeout_in_ms if options else 0
        values = self._core.run(feeds, list(tensors), list(targets), timeout)
        return rebuild(dict(zip(tensors, values)))

    def _collect(self, item, tensors, targets):
        """Notes what to fetch, and gives a function from the values to the item's structure."""
        if isinstance(item, dict):
            parts = {k: self._collect(v, tensors, targets) for k, v in item.items()}
            return lambda values: {k: part(values) for k, part in parts.items()}
        if isinstance(item, (list, tuple)):
            parts = [self._collect(v, tensors, targets) for v in item]
            if hasattr(item, "_fields"):
                return lambda values: type(item)(*[part(values) for part in parts])
            return lambda values: type(item)([part(values) for part in parts])
        if isinstance(item, IndexedSlices):
            parts = self._collect([item.values, item.indices], tensors, targets)
            return lambda values: IndexedSlices(*parts(values))
        if isinstance(item, SparseTensor):
            parts = self._collect([item.indices, item.values, item.dense_shape], tensors, targets)
            return lambda values: SparseTensorValue(*parts(values))
        element = self.graph.as_graph_element(item)
        if isinstance(element, Operation):
            targets[element.name] = None
            return lambda values: None
        tensors[element.name] = None
        return lambda values: values[element.name]

    def list_devices(self):
        """The devices of the cluster."""
        return [DeviceAttributes(*d) for d in self._core.list_devices()]

    def make_callable(self, fetches, feed_list=()):
        """A function of the fed values that gives the fetched ones."""
        return lambda *values: self.run(fetches, dict(zip(feed_list, values)))

    def close(self):
        """Ends the session; running steps are cancelled. What other sessions see of the variables
        stays."""
        self._closed = True
        self._core.close()

    def as_default(self):
        """A context in which Tensor.eval() and Operation.run() use this session; it is not
        closed."""
        return _default(_sessions(), self)

    def __enter__(self):
        contexts = (self.graph.as_default(), self.as_default())
        for context in contexts:
            context.__enter__()
        self._contexts.append(contexts)
        return self

    def __exit__(self, kind, value, trace):
        for context in reversed(self._contexts.pop()):
            context.__exit__(None, None, None)
        try:
            self.close()
        except Exception:
            if kind is None:
                raise


def _single_feeds(feed_dict):
    """Pairs (tensor, value); of a SparseTensor three."""
    for key, value in feed_dict.items():
        if isinstance(key, SparseTensor):
            yield from zip((key.indices, key.values, key.dense_shape), value)
        else:
            yield key, value


def _check_feed(tensor, value):
    want = tensor.shape
    have = getattr(value, "shape", None)
    if want.ndims is None or have is None:
        return
    sizes = want.as_list()
    fits = len(sizes) == len(have) and all(w in (None, h) for w, h in zip(sizes, have))
    if not fits:
        raise ValueError(
            f"cannot feed a value of shape {tuple(have)} for {tensor.name} of shape {want}"
        )
