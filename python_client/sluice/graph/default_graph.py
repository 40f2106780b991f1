# SPDX-License-Identifier: Apache-2.0
"""The default graph of each thread, and the scopes that new operations are made in."""

from .defaults import stacks
from .graph import Graph
from .other_graphs import graph_of_values
from .scopes import NameScope


def get_default_graph():
    """Returns the default graph of this thread.

    Returns:
        The graph of the innermost `with graph.as_default():`, or the thread's own.

    Example:
        >>> with sl.Graph().as_default() as graph:
        ...     print(sl.get_default_graph() is graph)
        True
    """
    graphs = stacks.graphs
    if graphs:
        return graphs[-1]
    if stacks.outermost is None:
        stacks.outermost = Graph()
    return stacks.outermost


def reset_default_graph():
    """Replaces the own default graph of this thread with a new one.

    Raises:
        AssertionError: It is called inside of `with graph.as_default():`.
    """
    if stacks.graphs:
        raise AssertionError(
            "Do not use tf.reset_default_graph() to clear nested graphs. If you need a cleared "
            "graph, exit the nesting and create a new graph."
        )
    stacks.outermost = Graph()


def leave_graphs():
    """Leaves the contexts of all graphs in this thread, whose blocks an error may have ended."""
    stacks.graphs.clear()


def device(device_name_or_function):
    """Sets the device of operations that are made inside.

    Args:
        device_name_or_function: A device name such as "/job:ps/task:0", whose missing parts come
            from outer scopes; a DeviceSpec; a function that takes an Operation and returns a name;
            or None, which drops outer scopes.

    Returns:
        A context manager.

    Raises:
        ValueError: The name is not a device name.

    Example:
        >>> with sl.device("/job:worker/task:1"):
        ...     x = sl.constant(1)
        >>> x.device
        '/job:worker/task:1'
    """
    return get_default_graph().device(device_name_or_function)


def op_scope(values, name, default_name=None):
    """Enters a name scope. Older form of name_scope() with another order of arguments.

    Args:
        values: Accepted. It has no effect.
        name: The name, a str.
        default_name: The name if `name` is None.

    Returns:
        A context manager, whose value is the prefix.
    """
    return name_scope(name, default_name, values)


def name_scope(name, default_name=None, values=None):
    """Puts a prefix before the names of operations that are made inside.

    Args:
        name: The name, a str. It is made unique; "name/" enters a scope again.
        default_name: The name if `name` is None.
        values: Tensors, a list: their graph is the default graph inside. None: none.

    Returns:
        A context manager, whose value is the prefix, which ends with "/".

    Raises:
        TypeError: default_name is not a str.
        ValueError: The name has characters that names cannot have. There are values, but no name.
            The values are of several graphs.

    Example:
        >>> with sl.name_scope("layer"):
        ...     x = sl.constant(1, name="x")
        >>> x.name
        'layer/x:0'
    """
    if not isinstance(default_name, (str, type(None))):
        raise TypeError(
            f"`default_name` type ({type(default_name)}) is not a string type. You likely meant to"
            " pass this into the `values` kwarg."
        )
    found = name if name is not None else default_name
    if values is None:
        return NameScope(get_default_graph, found)
    if found is None:
        raise ValueError(
            f"At least one of name ({name}) and default_name ({default_name}) must be provided."
        )
    return _ScopeOfValues(found, values)


def get_name_scope():
    """Returns the current name scope of the default graph.

    Returns:
        A str without "/" at its end; "" outside of all scopes.
    """
    return get_default_graph().get_name_scope()


class _ScopeOfValues(NameScope):
    """The name scope of a function of some tensors, which works in their graph."""

    def __init__(self, name, values):
        super().__init__(get_default_graph, name)
        self._values, self._graphs = list(values), []

    def __enter__(self):
        graph = get_default_graph()
        home = graph_of_values(graph, self._values)
        self._graphs.append(None if home is graph else home.as_default())
        if home is not graph:
            self._graphs[-1].__enter__()
        return super().__enter__()

    def __exit__(self, *error):
        super().__exit__(*error)
        graph = self._graphs.pop()
        if graph is not None:
            graph.__exit__(*error)


def control_dependencies(control_inputs):
    """Lets operations that are made inside run after others.

    Args:
        control_inputs: A list of operations, tensors or variables. None: outer dependencies are
            dropped.

    Returns:
        A context manager.

    Example:
        >>> v = sl.Variable(1)
        >>> with sl.control_dependencies([v.assign(5)]):
        ...     read = v.read_value()
        >>> with sl.Session() as session:
        ...     session.run(v.initializer)
        ...     print(session.run(read))
        5
    """
    return get_default_graph().control_dependencies(control_inputs)


def colocate_with(op, ignore_existing=False):
    """Puts operations that are made inside on the device of another.

    Args:
        op: The operation or tensor. None: no restriction.
        ignore_existing: Whether outer scopes are dropped. A bool.

    Returns:
        A context manager.
    """
    return get_default_graph().colocate_with(op, ignore_existing)


def container(container_name):
    """Sets the resource container of stateful operations that are made inside.

    Args:
        container_name: Its name, a str. Session.reset() can empty it.

    Returns:
        A context manager.
    """
    return get_default_graph().container(container_name)


def add_to_collection(name, value):
    """Adds an item to a collection of the default graph.

    Args:
        name: Name of the collection, a str.
        value: The item.

    Example:
        >>> sl.add_to_collection("mine", 1)
        >>> sl.get_collection("mine")
        [1]
    """
    get_default_graph().add_to_collection(name, value)


def add_to_collections(names, value):
    """Adds an item to several collections of the default graph.

    Args:
        names: Name of a collection, or a list of names.
        value: The item.
    """
    get_default_graph().add_to_collections(names, value)


def get_collection(key, scope=None):
    """Returns the items of a collection of the default graph.

    Args:
        key: Name of the collection, a str.
        scope: A regular expression that the names of items must begin with. None: all items.

    Returns:
        A list, which is a copy.
    """
    return get_default_graph().get_collection(key, scope)


def get_collection_ref(key):
    """Returns a collection of the default graph itself, to be changed.

    Args:
        key: Name of the collection, a str.

    Returns:
        The list.
    """
    return get_default_graph().get_collection_ref(key)
