"""Sessions run graphs, in this process or on a cluster."""

from . import _sluice, messages, origins
from .cluster import server_of
from .defaults import _default, _graphs, _sessions
from .errors import OpError
from .fetches import Fetches, feeds_of
from .graph import Graph, get_default_graph
from .messages import ConfigProto, RunOptions


class DeviceAttributes:
    """A device of a cluster."""

    def __init__(self, name, device_type, memory_limit_bytes, incarnation):
        self.name, self.device_type = name, device_type
        self.memory_limit_bytes, self.incarnation = memory_limit_bytes, incarnation

    def __repr__(self):
        return (
            f"DeviceAttributes({self.name}, {self.device_type}, {self.memory_limit_bytes}, "
            f"{self.incarnation})"
        )


class BaseSession:
    """What all sessions do: run a graph.

    target: "" for this process, or "grpc://host:port" of any task of a cluster, which is then the
    master. config: a ConfigProto. Nothing is sent before the first run; what is added to the graph
    later goes with the next run. run() may be called from several threads. Ctrl-C cancels the step
    and raises KeyboardInterrupt; the session goes on. credentials: Credentials, by default those
    of the environment.
    """

    def __init__(self, target="", graph=None, config=None, credentials=None):
        self.graph = graph if graph is not None else get_default_graph()
        if not isinstance(self.graph, Graph):
            raise TypeError(f"graph must be a Graph, not {graph!r}")
        if not isinstance(target or "", str):
            raise TypeError(f'target must be a str such as "grpc://host:port", not {target!r}')
        self.target = target
        config = messages.take(ConfigProto, config or ConfigProto())
        cpus = config.device_count["CPU"] if "CPU" in config.device_count else 1
        sent = ConfigProto.FromString(config.SerializeToString())
        if not target:
            sent.ClearField("device_count")  # this task is made with as many
        self._core = _sluice.Session(
            self.graph._core,
            target or "",
            server_of(target),  # without the network where the task is in this process
            cpus,
            config.operation_timeout_in_ms,
            sent.SerializeToString(),
            credentials,
        )
        self._partial = {}  # handle -> what the next partial_run may still fetch
        self._closed = False

    @property
    def sess_str(self):
        return (self.target or "").encode()

    @property
    def graph_def(self):
        return self.graph.as_graph_def()

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        """Values of `fetches`: a tensor, operation, variable or name, or lists, tuples and dicts
        of them.

        Arrays for tensors, None for operations, in the same structure. feed_dict: tensor (or name)
        -> value; large contiguous arrays are read where they are, and must not change while the run
        lasts. options: RunOptions; run_metadata: a RunMetadata to fill.
        Raises the class of errors that the status has; its message names op, device and task.
        """
        self._check_open()
        wanted = Fetches(self, fetches)
        return wanted.values(self._run(wanted, feed_dict, options, run_metadata))

    def _run(self, wanted, feed_dict, options=None, run_metadata=None, partial_run=""):
        feeds = feeds_of(self.graph, feed_dict)
        options = messages.take(RunOptions, options) if options is not None else RunOptions()
        try:
            values, metadata = self._core.run(
                feeds,
                wanted.tensors,
                [] if partial_run else wanted.targets,
                options.timeout_in_ms,
                options.trace_level != RunOptions.NO_TRACE,
                options.output_partition_graphs,
                run_metadata is not None,
                partial_run,
            )
        except OpError as error:
            origins.complete(error, self.graph)
            raise
        if run_metadata is not None:
            run_metadata.ParseFromString(metadata)
        return values

    def _check_open(self):
        if self._closed:
            raise RuntimeError("the session is closed")

    def partial_run_setup(self, fetches, feeds=None):
        """A handle of a step whose `feeds` and `fetches` will come in several partial_runs."""
        self._check_open()
        wanted = Fetches(self, fetches)
        fed = [self.graph.as_graph_element(f, allow_operation=False).name for f in feeds or ()]
        try:
            handle = self._core.set_up_partial_run(fed, wanted.tensors, wanted.targets)
        except OpError as error:
            origins.complete(error, self.graph)
            raise
        self._partial[handle] = set(wanted.targets)
        return handle

    def partial_run(self, handle, fetches, feed_dict=None):
        """run() of a part of what partial_run_setup() was told: each feed and fetch once.

        InvalidArgumentError: it was not told of one, or had it already.
        """
        self._check_open()
        if handle not in self._partial:
            raise ValueError(f"partial_run_setup() gave no handle {handle!r}")
        wanted = Fetches(self, fetches)
        if wanted.targets:
            raise RuntimeError(f"partial_run() fetches tensors only, not {wanted.targets}")
        return wanted.values(self._run(wanted, feed_dict, partial_run=handle))

    def make_callable(self, fetches, feed_list=None, accept_options=False):
        """A function of the values of `feed_list`, in order, that gives those of `fetches`.

        accept_options: it takes options= and run_metadata= too.
        """
        self._check_open()
        wanted = Fetches(self, fetches)
        feed_list = [self.graph.as_graph_element(f, allow_operation=False) for f in feed_list or ()]

        def call(*values, options=None, run_metadata=None):
            if len(values) != len(feed_list):
                raise TypeError(f"{len(feed_list)} values must be fed, {len(values)} were given")
            self._check_open()
            feeds = dict(zip(feed_list, values))
            return wanted.values(self._run(wanted, feeds, options, run_metadata))

        return call if accept_options else lambda *values: call(*values)

    def list_devices(self):
        """The devices of the cluster."""
        return [DeviceAttributes(*d) for d in self._core.list_devices()]

    def close(self):
        """Ends the session; running steps are cancelled. What other sessions see of the variables
        stays."""
        self._closed = True
        self._core.close()

    def as_default(self):
        """A context in which Tensor.eval() and Operation.run() use this session; it is not
        closed."""
        return _default(_sessions(), self)


class Session(BaseSession):
    __doc__ = f"""A session that `with` closes.

    {BaseSession.__doc__.partition("    ")[2]}"""

    def __init__(self, target="", graph=None, config=None, credentials=None):
        super().__init__(target, graph, config, credentials)
        self._contexts = []

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

    @staticmethod
    def reset(target, containers=None, config=None):
        """Empties containers of a cluster, every one by default: their variables are gone, and
        sessions end. NotFoundError, UnavailableError: nobody is at `target`."""
        config = messages.take(ConfigProto, config or ConfigProto())
        _sluice.reset(target, list(containers or ()), list(config.device_filters))


class InteractiveSession(BaseSession):
    """A session that is the default one, and its graph the default graph, until close()."""

    def __init__(self, target="", graph=None, config=None, credentials=None):
        config = ConfigProto() if config is None else messages.take(ConfigProto, config)
        config.graph_options.place_pruned_graph = True
        super().__init__(target, graph, config, credentials)
        self._own_graph = graph
        _sessions().append(self)
        if graph is not None:
            _graphs().append(graph)

    def close(self):
        if not self._closed:
            super().close()
            if self in _sessions():
                _sessions().remove(self)
            if self._own_graph in _graphs():
                _graphs().remove(self._own_graph)
