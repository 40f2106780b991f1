# SPDX-License-Identifier: Apache-2.0
"""The state of Keras: of each graph its names, variables and learning phase; the session."""

import collections
import contextlib
import weakref

from ...graph.default_graph import get_default_graph, name_scope, reset_default_graph
from ...graph.defaults import get_default_session
from ...layers.layer import variables_of_layers
from ...ops.array import placeholder_with_default
from ...ops.functions.tracing import outermost
from ...ops.state.initializing import is_variable_initialized, variables_initializer
from ...session.session import Session


class _OfGraph:
    """The state of one graph."""

    def __init__(self):
        self.names = collections.defaultdict(int)  # a prefix -> how many names have it
        self.phase = None  # a number that set_learning_phase() was given
        self.placeholder = None  # of the phase
        self.initialized = weakref.WeakKeyDictionary()  # a session -> ids of variables


_graphs = weakref.WeakKeyDictionary()
_session = [None]
_manual = [False]


def of_graph():
    """The state of the default graph; inside of a function's body, of the program's graph."""
    return _graphs.setdefault(outermost(get_default_graph()), _OfGraph())


def get_uid(prefix=""):
    """Counts the uses of a prefix in the default graph.

    Args:
        prefix: The prefix, a str.

    Returns:
        1 at the first call with a prefix, then 2, ...
    """
    names = of_graph().names
    names[prefix] += 1
    return names[prefix]


def reset_uids():
    """Lets get_uid() begin anew in all graphs."""
    for state in _graphs.values():
        state.names.clear()


def unique_name(base, zero_based=False):
    """A name that no layer of the graph has: base_1, base_2; zero_based: base, base_1."""
    number = get_uid(base)
    if zero_based:
        return base if number == 1 else f"{base}_{number - 1}"
    return f"{base}_{number}"


def track_variable(variable):
    """Lets get_session() initialise a variable."""
    variables_of_layers().append(variable)


# ---- the session


def get_session(op_input_list=()):
    """Returns the session in which Keras runs: the default session if there is one, else one that
    lives as long as the default graph is the same.

    Args:
        op_input_list: Accepted. It has no effect.

    Returns:
        A Session. Variables that Keras made are initialised in it.
    """
    del op_input_list
    session = get_default_session()
    if session is None:
        graph = outermost(get_default_graph())
        if _session[0] is None or _session[0].graph is not graph:
            _session[0] = _made_for(variables_of_layers(), graph)
        session = _session[0]
    if not _manual[0]:
        with session.graph.as_default():
            _initialize(session)
    return session


def _made_for(variables, graph):
    """A session; of variables that a strategy made, with the strategy's devices and server."""
    owners = (getattr(v, "distribute_strategy", None) for v in variables)
    strategy = next((owner for owner in owners if owner is not None), None)
    if strategy is None:
        return Session(graph=graph)
    return Session(strategy.extended.target or "", graph, strategy.session_config())


def set_session(session):
    """Sets the session in which Keras runs.

    Args:
        session: The Session.
    """
    _session[0] = session


def manual_variable_initialization(value):
    """Sets whether programs initialise the variables that Keras makes.

    Args:
        value: Whether get_session() leaves them alone. A bool.
    """
    _manual[0] = bool(value)


def _initialize(session):
    """Initialises the variables that have no value yet."""
    state = of_graph()
    done = state.initialized.setdefault(session, set())
    unknown = [v for v in variables_of_layers() if id(v) not in done]
    if not unknown:
        return
    has_value = session.run([is_variable_initialized(v) for v in unknown])
    lacking = [v for v, has in zip(unknown, has_value) if not has]
    done.update(id(v) for v in unknown)
    if lacking:
        session.run(variables_initializer(lacking))


def are_initialized(variables):
    """Whether get_session() has given all of these variables of the default graph a value."""
    done = set().union(*of_graph().initialized.values())
    return all(id(v) in done for v in variables)


def clear_session():
    """Replaces the default graph and the session with new ones, and lets names begin anew."""
    reset_default_graph()
    if _session[0] is not None:
        _session[0].close()
    _session[0] = None
    _graphs.clear()
    phase_placeholder()  # as in TensorFlow, where it counts for the seeds of later operations


# ---- the learning phase


def learning_phase():
    """Returns whether it is training.

    Returns:
        A bool placeholder, which is False unless a step feeds it; or the number that
        set_learning_phase() was given.
    """
    phase = of_graph().phase
    return phase_placeholder() if phase is None else phase


def phase_placeholder():
    """The placeholder of the learning phase, also where a number is set."""
    state = of_graph()
    if state.placeholder is None:
        with outermost(get_default_graph()).as_default(), name_scope(""):
            state.placeholder = placeholder_with_default(False, [], "keras_learning_phase")
    return state.placeholder


def fed_phase():
    """The placeholder of the learning phase if a layer uses it, else None."""
    return of_graph().placeholder


def set_learning_phase(value):
    """Sets whether it is training, for all layers that are called from now on.

    Args:
        value: 0: it is not, 1: it is.

    Raises:
        ValueError: It is neither.
    """
    if value not in (0, 1):
        raise ValueError("Expected learning phase to be 0 or 1.")
    of_graph().phase = int(value)


@contextlib.contextmanager
def learning_phase_scope(value):
    """Sets whether it is training, for the layers that are called inside.

    Args:
        value: 0: it is not, 1: it is.

    Returns:
        A context manager.

    Raises:
        ValueError: It is neither.
    """
    state, before = of_graph(), of_graph().phase
    set_learning_phase(value)
    try:
        yield value
    finally:
        state.phase = before


def backend():
    """Returns the name of the system that Keras runs on.

    Returns:
        "tensorflow", whose graphs it makes.
    """
    return "tensorflow"
