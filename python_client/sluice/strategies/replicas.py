# SPDX-License-Identifier: Apache-2.0
"""A function is called once for each replica; merge_call() brings the replicas together.

Each replica has a thread. One thread runs at a time: it runs until its function returns or calls
merge_call(), and then the next thread runs. Each has its own scopes of the graph.
"""

import collections
import contextlib
import re
import threading

from .. import nest
from ..graph.convert import constant, convert_to_tensor
from ..graph.default_graph import device, get_default_graph, name_scope
from ..graph.defaults import stacks
from ..graph.elements import IndexedSlices
from ..graph.state import state_of
from ..ops.state.custom_gradients import with_gradient
from ..ops.state.variable_scope import scopes_of, variable_scope
from . import contexts
from .reductions import reduce_op as checked_op
from .values import regroup, select_replica

# The settings of a graph that belong to the thread that adds to it.
_SETTINGS = (
    "scope", "devices", "colocation", "control", "container", "branch", "together", "creators",
)  # fmt: skip


class ReplicaContext:
    """The replica that operations are made for.

    Args:
        strategy: The Strategy.
        number: The number of the replica in this process, an int.
        first: The number of the first replica of this process among those of all, an int.
        call: What is running, or None: there is no merge_call() then.
    """

    def __init__(self, strategy, number, first=0, call=None):
        self._strategy, self.number, self._first, self._call = strategy, number, first, call

    @property
    def strategy(self):
        """The Strategy."""
        return self._strategy

    @property
    def num_replicas_in_sync(self):
        """How many replicas there are, in all processes together."""
        return self._strategy.num_replicas_in_sync

    @property
    def replica_id_in_sync_group(self):
        """The number of the replica among all, an int32 scalar."""
        return constant(self._first + self.number, name="replica_id_in_sync_group")

    @property
    def devices(self):
        """The devices of the replica, a tuple of str."""
        return (self._strategy.extended.worker_devices[self.number],)

    def merge_call(self, merge_fn, args=(), kwargs=None):
        """Calls a function once for all replicas. All replicas must call it.

        Args:
            merge_fn: A function of the strategy and of the arguments, which are PerReplica where
                those of the replicas differ.
            args: Its further arguments, a tuple.
            kwargs: Its further arguments by name, a dict.

        Returns:
            The part of this replica of what it returned.
        """
        kwargs = kwargs or {}
        if self._call is not None:
            return self._call.merge(merge_fn, args, kwargs)
        with contexts.entered(self._strategy, None):
            return merge_fn(self._strategy, *args, **kwargs)

    def all_reduce(self, reduce_op, value, options=None):
        """Combines the values of all replicas. All replicas must call it.

        Args:
            reduce_op: ReduceOp.SUM or ReduceOp.MEAN.
            value: A tensor, or a nested structure of tensors.
            options: Accepted. It has no effect.

        Returns:
            The combined value, in the structure of value.
        """
        del options
        op = checked_op(reduce_op)
        flat = nest.flatten(value)
        if any(isinstance(v, IndexedSlices) for v in flat) or self.num_replicas_in_sync == 1:
            return self._reduced(op, value)
        inputs = [convert_to_tensor(v) for v in flat]

        def of_inputs(_, *grads):
            replica = contexts.get_replica_context()
            if replica is None:
                raise RuntimeError("gradients of all_reduce() must be made in a replica")
            return replica.all_reduce(op, list(grads[: len(inputs)]))

        reduced = self._reduced(op, inputs)
        made = with_gradient(get_default_graph(), reduced, inputs, of_inputs)
        return nest.pack_sequence_as(value, made)

    def _reduced(self, op, value):
        def merged(strategy, structure):
            def reduced(value):
                if isinstance(value, (list, tuple)):
                    return type(value)([reduced(v) for v in value])
                if isinstance(value, dict):
                    return {key: reduced(v) for key, v in value.items()}
                return strategy.extended.reduce_to(op, value, value)

            return reduced(structure)

        return self.merge_call(merged, args=(value,))

    def __repr__(self):
        return f"<sluice.distribute.ReplicaContext {self.number} of {self._strategy!r}>"


class _Abandoned(BaseException):
    """Ends the thread of a replica because another one failed."""


class _Replica(threading.Thread):
    """The call of the function for one replica."""

    def __init__(self, calls, number, graph, function):
        super().__init__(daemon=True, name=f"replica {number}")
        self._graph, self._function, self._sessions = graph, function, list(stacks.sessions)
        self._mine, self._others = threading.Semaphore(0), threading.Semaphore(0)
        self.context = ReplicaContext(calls.strategy, number, calls.first, self)
        self.merge_request = self.merged = self.result = self.error = None
        self.ended = self._abandoned = False
        self._settings = _settings(graph)

    def advance(self):
        """Runs until merge_call() or the end."""
        before = _settings(self._graph)
        _set(self._graph, self._settings)
        self.merge_request = None
        (self.start if self.ident is None else self._mine.release)()
        self._others.acquire()
        self._settings = _settings(self._graph)
        _set(self._graph, before)

    def abandon(self):
        """Ends the thread, which waits in merge_call()."""
        if self.ident is not None and not self.ended:
            self._abandoned = True
            self.advance()

    def run(self):
        stacks.sessions.extend(self._sessions)
        try:
            with self._graph.as_default():
                self.result = self._function(self.context)
        except _Abandoned:
            pass
        except BaseException as error:
            self.error = error
        self.ended = True
        self._others.release()

    def merge(self, merge_fn, args, kwargs):
        """merge_call() of this replica."""
        if get_default_graph() is not self._graph:
            raise RuntimeError(
                "`merge_call` called while defining a new graph or a function, such as the body of "
                "a loop: call it outside"
            )
        self.merge_request = merge_fn, args, kwargs
        self._others.release()
        self._mine.acquire()
        if self._abandoned:
            raise _Abandoned
        return self.merged

    @contextlib.contextmanager
    def in_its_scopes(self):
        """The name scope and the control dependencies in which it called merge_call()."""
        before = _settings(self._graph)
        values, *scopes = self._settings
        kept = {name: before[0][name] for name in ("devices", "creators")}
        _set(self._graph, ({**values, **kept}, *scopes))
        try:
            with contexts.entered(self.context.strategy, None):
                yield
        finally:
            _set(self._graph, before)


def _settings(graph):
    state, scopes = state_of(graph), scopes_of(graph)
    return {name: getattr(state, name) for name in _SETTINGS}, scopes.scope, scopes.opened


def _set(graph, settings):
    values, scope, opened = settings
    vars(state_of(graph)).update(values)
    scopes = scopes_of(graph)
    scopes.scope, scopes.opened = scope, opened


def _plain_name(name):
    """A name without the numbers of one digit that make it unique: replicas differ in these."""
    return re.sub(r"_\d(?=/|$)", "", name or "Variable")


class _Calls:
    """The calls of one function for all replicas."""

    def __init__(self, strategy, first):
        self.strategy, self.first = strategy, first
        self._made = collections.defaultdict(list)  # plain name -> what the first replica made

    def creator(self, number):
        """The function that makes variables: later replicas find those of the first, in the order
        of those of the same name. (get_variable() finds its own without this function.)"""
        counts = collections.Counter()

        def create(next_creator, **kwargs):
            name = _plain_name(kwargs["name"])
            at, made = counts[name], self._made[name]
            counts[name] += 1
            if number == 0:
                made.append(next_creator(**kwargs))
            elif at >= len(made):
                raise RuntimeError(
                    f"replica {number} makes the variable {kwargs['name']!r} where the first "
                    "replica made another or none: all replicas must make the same variables"
                )
            return made[at]

        return create


def call_for_each(strategy, devices, function, args, kwargs, first=0):
    """Calls a function for each replica.

    Args:
        strategy: The Strategy.
        devices: The devices of the replicas, a list.
        function: The function.
        args: Its arguments; distributed values among them give each replica its part.
        kwargs: Its arguments by name.
        first: The number of the first replica among those of all processes.

    Returns:
        The values that it returned, regrouped.

    Raises:
        RuntimeError: Some replicas call merge_call() and others do not; a replica calls this
            function; or another strategy's scope is entered.
    """
    contexts.require_cross_replica(strategy)
    graph, calls = get_default_graph(), _Calls(strategy, first)
    outer = f"{graph.get_name_scope()}/".lstrip("/")  # each call goes on in the replicas' scopes

    def of_replica(number):
        def run(context):
            names = name_scope(f"{outer}replica_{number}/") if number else contextlib.nullcontext()
            own_args = select_replica(number, args)
            own_kwargs = select_replica(number, kwargs)
            creators = [*state_of(graph).creators, calls.creator(number)]
            with contexts.entered(strategy, context), device(devices[number]), names:
                scope = scopes_of(graph).scope
                reuse = number > 0 or scope.reuse
                with state_of(graph).within(creators=creators), variable_scope(
                    scope, reuse=reuse or None, auxiliary_name_scope=False
                ):
                    return function(*own_args, **own_kwargs)

        return run

    if len(devices) == 1:
        return of_replica(0)(ReplicaContext(strategy, 0, first))
    replicas = [_Replica(calls, n, graph, of_replica(n)) for n in range(len(devices))]
    try:
        while not all(r.ended for r in replicas):
            _advance_all(replicas)
            _merge(replicas)
    finally:
        for replica in replicas:
            replica.abandon()
    return regroup([r.result for r in replicas])


def _advance_all(replicas):
    for replica in replicas:
        replica.advance()
        if replica.error is not None:
            raise replica.error


def _merge(replicas):
    """Serves merge_call() of all replicas."""
    if all(r.ended for r in replicas):
        return
    if any(r.ended for r in replicas):
        raise RuntimeError("Some replicas called merge_call() and others did not")
    function = replicas[0].merge_request[0]
    args = regroup([r.merge_request[1] for r in replicas])
    kwargs = regroup([r.merge_request[2] for r in replicas])
    with replicas[0].in_its_scopes():
        result = function(replicas[0].context.strategy, *args, **kwargs)
    for number, replica in enumerate(replicas):
        replica.merged = select_replica(number, result)
