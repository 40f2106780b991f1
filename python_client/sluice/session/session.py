# SPDX-License-Identifier: Apache-2.0
"""Sessions run graphs, in this process or on a cluster."""

import re

from .. import _sluice, messages
from ..errors import CancelledError, InvalidArgumentError, NotFoundError, OpError
from ..graph import failures
from ..graph.default_graph import get_default_graph
from ..graph.defaults import entered, stacks
from ..graph.graph import Graph
from ..graph.state import state_of
from ..messages import ConfigProto, RunOptions
from .cluster import server_of
from .devices import session_config
from .fetches import Fetches, feeds_of

_NO_OPTIONS = (0, False, False, b"")  # see BaseSession._options


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


def _join_reductions(config):
    """Joins small collective reductions, unless the config says whether to."""
    rewrites = config.graph_options.rewrite_options
    if not rewrites.scoped_allocator_optimization:
        rewrites.scoped_allocator_optimization = 1  # ON
        rewrites.scoped_allocator_opts.enable_op.append("CollectiveReduce")


def _check_target(target):
    """NotFoundError or InvalidArgumentError for a target that does not name a task."""
    scheme = "grpc://"
    if not target:
        return
    if not target.startswith(scheme):
        raise NotFoundError(
            None, None,
            f'No session factory registered for the given session options: {{target: "{target}"'
            '}: it must be "grpc://host:port", or "" for this process',
        )  # fmt: skip
    address = target[len(scheme) :]
    host, _, port = address.rpartition(":")
    if "/" in host or not re.fullmatch("[0-9]+", port) or int(port) >= 2**32:
        raise InvalidArgumentError(
            None, None, f'Could not interpret "{address}" as a host-port pair.'
        )


class BaseSession:
    """The common part of all sessions: they run a graph.

    target: "" for this process, or "grpc://host:port" of any task of a cluster, which is then the
    master. config: a ConfigProto. Nothing is sent before the first run; what is added to the graph
    later goes with the next run. run() may be called from several threads. Ctrl-C cancels the step
    and raises KeyboardInterrupt; the session goes on. credentials: Credentials, by default those
    of the environment.

    The first run waits for tasks that are not up, and says so every 5 s on stderr. After 30 s it
    raises UnavailableError, or AbortedError where the target waits for another task: the error
    names the task and its address. config.connect_timeout_in_ms, or the variable
    SLUICE_CONNECT_TIMEOUT in seconds, sets another time. Without a target the session has threads
    of its own, as many as the config says (intra_op_parallelism_threads,
    inter_op_parallelism_threads, session_inter_op_thread_pool); 0: as many as cores.
    """

    def __init__(self, target="", graph=None, config=None, credentials=None):
        self.graph = graph if graph is not None else get_default_graph()
        if not isinstance(self.graph, Graph):
            raise TypeError(f"graph must be a tf.Graph, but got {type(graph)}")
        if not isinstance(target or "", str):
            raise TypeError(f"target must be a string, but got {type(target)}")
        _check_target(target)
        self.target = target
        config = session_config() if config is None else config
        if config and not hasattr(config, "SerializeToString"):
            raise TypeError(f"config must be a tf.ConfigProto, but got {type(config)}")
        config = messages.take(ConfigProto, config or ConfigProto())
        cpus = config.device_count["CPU"] if "CPU" in config.device_count else 1
        sent = ConfigProto.FromString(config.SerializeToString())
        _join_reductions(sent)
        if not target:
            if "CPU" in sent.device_count:
                del sent.device_count["CPU"]  # this task is made with as many
        self._core = _sluice.Session(
            state_of(self.graph).core,
            target or "",
            server_of(target),  # without the network where the task is in this process
            cpus,
            config.operation_timeout_in_ms,
            sent.SerializeToString(),
            credentials,
        )
        self._pools = len(config.session_inter_op_thread_pool) or 1
        self._partial = {}  # handle -> what the next partial_run may still fetch
        self._closed = False

    @property
    def sess_str(self):
        """The target, bytes."""
        return (self.target or "").encode()

    @property
    def graph_def(self):
        """The graph as a GraphDef."""
        return self.graph.as_graph_def()

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        """Runs a step: computes tensors and runs operations, with all that they depend on.

        Several threads may call it. Large contiguous arrays that are fed are read in place, and
        must not change during the run. Ctrl-C cancels the step and raises KeyboardInterrupt; the
        session stays usable.

        Args:
            fetches: A tensor, Operation, variable or name, or a list, tuple or dict of them,
                nested.
            feed_dict: A dict: tensor, variable or name -> the value to feed.
            options: RunOptions: timeout, tracing. None: the defaults.
            run_metadata: A RunMetadata that the run fills. None: none.

        Returns:
            The values in the structure of fetches: an array for a tensor, None for an Operation.

        Raises:
            RuntimeError: The session is closed.
            TypeError: Something cannot be fetched or fed.
            ValueError: A name is not in the graph, or a value has a wrong shape.
            errors.OpError: The step fails: a subclass for each status; its message names op, device
                and task.

        Example:
            >>> x = sl.placeholder(sl.float32, [])
            >>> session = sl.Session()
            >>> session.run({"double": x * 2, "square": x * x}, {x: 3.0})
            {'double': 6.0, 'square': 9.0}
        """
        self._check_open()
        if self.graph.version == 0:
            raise RuntimeError(
                "The Session graph is empty.  Add operations to the graph before calling run()."
            )
        wanted = Fetches(self, fetches)
        return wanted.values(self._run(wanted, feed_dict, options, run_metadata))

    def _run(self, wanted, feed_dict, options=None, run_metadata=None, partial_run="",
             any_shape=False):  # fmt: skip
        feeds = feeds_of(self.graph, feed_dict, any_shape)
        given = {name: value for name, value, _ in feeds}
        computed = [name for name in wanted.tensors if name not in given]
        if not (computed or wanted.targets or partial_run):
            return [given[name] for name in wanted.tensors]  # as in TensorFlow, nothing runs
        if self.target:
            state_of(self.graph).tell_places()
        try:
            values, metadata = self._core.run(
                feeds,
                computed,
                [] if partial_run else wanted.targets,
                *(_NO_OPTIONS if options is None else self._options(options)),
                run_metadata is not None,
                partial_run,
            )
        except OpError as error:
            failures.complete(error, self.graph)
            raise
        if run_metadata is not None:
            run_metadata.ParseFromString(metadata)
        found = dict(zip(computed, values))
        return [given[name] if name in given else found[name] for name in wanted.tensors]

    def _options(self, options):
        """The parts of RunOptions that the module takes: time limit in ms, trace, partition graphs,
        the bytes of debug_options."""
        options = messages.take(RunOptions, options)
        if not self.target and not -1 <= options.inter_op_thread_pool < self._pools:
            raise InvalidArgumentError(
                f"Invalid inter_op_thread_pool: {options.inter_op_thread_pool}; the session has "
                f"{self._pools}"
            )
        watched = options.HasField("debug_options")
        return (
            options.timeout_in_ms,
            options.trace_level != RunOptions.NO_TRACE,
            options.output_partition_graphs,
            options.debug_options.SerializeToString() if watched else b"",
        )

    def _check_open(self):
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")

    def partial_run_setup(self, fetches, feeds=None):
        """Prepares a step whose feeds and fetches come in several calls of partial_run().

        Args:
            fetches: A tensor, Operation, variable or name, or a list, tuple or dict of them,
                nested.
            feeds: The tensors that will be fed, a list.

        Returns:
            A handle for partial_run(), a str.

        Raises:
            RuntimeError: The session is closed.
        """
        self._check_open()
        wanted = Fetches(self, fetches)
        fed = [self.graph.as_graph_element(f, allow_operation=False).name for f in feeds or ()]
        if self.target:
            state_of(self.graph).tell_places()
        try:
            handle = self._core.set_up_partial_run(fed, wanted.tensors, wanted.targets)
        except OpError as error:
            failures.complete(error, self.graph)
            raise
        self._partial[handle] = set(wanted.targets)
        return handle

    def partial_run(self, handle, fetches, feed_dict=None):
        """Runs a part of a step that partial_run_setup() prepared. Each feed and fetch may occur
        once.

        Args:
            handle: The result of partial_run_setup().
            fetches: A tensor, Operation, variable or name, or a list, tuple or dict of them,
                nested.
            feed_dict: A dict: tensor, variable or name -> the value to feed.

        Returns:
            The values in the structure of fetches.

        Raises:
            errors.InvalidArgumentError: The handle is unknown. A feed or fetch was not prepared, or
                occurs again.
        """
        self._check_open()
        if handle not in self._partial:
            raise InvalidArgumentError(
                None, None, f"Must run 'setup' before performing partial runs, not with {handle!r}"
            )
        wanted = Fetches(self, fetches)
        if wanted.targets:
            raise RuntimeError(f"partial_run() fetches tensors only, not {wanted.targets}")
        return wanted.values(self._run(wanted, feed_dict, partial_run=handle))

    def make_callable(self, fetches, feed_list=None, accept_options=False):
        """Makes a function that runs a step with fixed fetches. It is quicker than run().

        Args:
            fetches: A tensor, Operation, variable or name, or a list, tuple or dict of them,
                nested.
            feed_list: The tensors whose values are the arguments, a list.
            accept_options: Whether the function takes options and run_metadata. A bool.

        Returns:
            A function of the values of feed_list that returns the values of fetches.

        Raises:
            errors.CancelledError: The session is closed.
        """
        return callable_of(self, fetches, feed_list, accept_options)

    def _callable(self, fetches, feed_list, accept_options, any_shape):
        if self._closed:
            raise CancelledError(None, None, "Session has been closed.")
        wanted = Fetches(self, fetches)
        feed_list = [self.graph.as_graph_element(f, allow_operation=False) for f in feed_list or ()]

        def call(*values, options=None, run_metadata=None):
            if self._closed:
                raise CancelledError(None, None, "Session has been closed.")
            feeds = dict(zip(feed_list, values))
            return wanted.values(
                self._run(wanted, feeds, options, run_metadata, any_shape=any_shape)
            )

        return call if accept_options else lambda *values: call(*values)

    def list_devices(self):
        """Returns the devices of the cluster.

        Returns:
            A list of objects with name, device_type, memory_limit_bytes and incarnation.

        Raises:
            errors.CancelledError: The session is closed.
        """
        if self._closed:
            raise CancelledError(None, None, "Session has been closed.")
        return [DeviceAttributes(*d) for d in self._core.list_devices()]

    def close(self):
        """Ends the session, and cancels its steps. Variables that other sessions share stay."""
        self._closed = True
        self._core.close()

    def as_default(self):
        """Makes it the default session of this thread for Tensor.eval() and Operation.run(). It is
        not closed at the end.

        Returns:
            A context manager.
        """
        return entered(stacks.sessions, self)

    def __repr__(self):
        where = f"at {self.target}" if self.target else "in this process"
        state = ", closed" if self._closed else ""
        return f"<sluice.{type(self).__name__} {where} of {self.graph!r}{state}>"


def callable_of(session, fetches, feed_list, accept_options, any_shape=False):
    """Makes a function that runs a step.

    Args:
        session: The session.
        fetches: As of make_callable().
        feed_list: As of make_callable().
        accept_options: As of make_callable().
        any_shape: Whether values may have other shapes than their tensors. A bool.

    Returns:
        The function.
    """
    return session._callable(fetches, feed_list, accept_options, any_shape)


class Session(BaseSession):
    """A session runs a graph, in this process or on a cluster. `with` closes it at the end.

    Operations that are added later are sent with the next run.

    Args:
        target: "" for this process; or "grpc://host:port" of a task, which becomes the master.
        graph: The Graph to run. None: the default graph.
        config: A ConfigProto. None: the defaults.
        credentials: Credentials. None: those of the environment.

    Example:
        >>> with sl.Session() as session:
        ...     print(session.run(sl.constant(1) + 2))
        3
    """

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
        """Empties resource containers of a cluster: their variables are lost, and its sessions end.

        Args:
            target: "grpc://host:port" of a task.
            containers: Names of containers, a list of str. None: all.
            config: A ConfigProto. None: the defaults. operation_timeout_in_ms is the longest time
                that the call may take; 0: 30 s.

        Raises:
            errors.InvalidArgumentError: The target is not an address.
            errors.NotFoundError: There is no such container, or the target is not a "grpc://" one.
            errors.UnavailableError: There is no server at the target.
            errors.DeadlineExceededError: A task did not answer in time.
        """
        config = messages.take(ConfigProto, config or ConfigProto())
        _check_target(target)
        _sluice.reset(
            target, list(containers or ()), list(config.device_filters),
            config.operation_timeout_in_ms,
        )  # fmt: skip


class InteractiveSession(BaseSession):
    """A session that is the default session until close(), for shells and notebooks. If a graph is
    given, it is the default graph.

    Args:
        target: "" for this process; or "grpc://host:port" of a task, which becomes the master.
        graph: The Graph to run. None: the default graph.
        config: A ConfigProto. None: the defaults.
        credentials: Credentials. None: those of the environment.

    Example:
        >>> session = sl.InteractiveSession()
        >>> (sl.constant(1) + 2).eval()
        3
        >>> session.close()
    """

    def __init__(self, target="", graph=None, config=None, credentials=None):
        config = ConfigProto() if config is None else messages.take(ConfigProto, config)
        config.graph_options.place_pruned_graph = True
        super().__init__(target, graph, config, credentials)
        self._own_graph = graph
        stacks.sessions.append(self)
        if graph is not None:
            stacks.graphs.append(graph)

    def close(self):
        """Ends the session. It is no longer the default session."""
        if not self._closed:
            super().close()
            if self in stacks.sessions:
                stacks.sessions.remove(self)
            if self._own_graph in stacks.graphs:
                stacks.graphs.remove(self._own_graph)
