# SPDX-License-Identifier: Apache-2.0
"""How contrib makes variables."""

from ...graph.default_graph import device as on_device
from ...graph.default_graph import get_default_graph
from ...graph.keys import GraphKeys
from ...layers.contrib.scopes import add_arg_scope
from ...ops.state.variable_scope import get_variable
from ...ops.state.variables import Variable


def add_model_variable(var):
    """Adds a variable to the collection MODEL_VARIABLES, if it is not there.

    Args:
        var: The variable.
    """
    graph = get_default_graph()
    if not any(var is one for one in graph.get_collection(GraphKeys.MODEL_VARIABLES)):
        graph.add_to_collection(GraphKeys.MODEL_VARIABLES, var)


def global_variable(initial_value, validate_shape=True, name=None, use_resource=None):
    """Makes a global variable that optimizers do not change by default.

    Args:
        initial_value: The first value, a tensor or a function that returns one.
        validate_shape: Whether the shape of the value must be known. A bool.
        name: Name of the variable, a str. None: a default name.
        use_resource: Kind of the variable, a bool. None: the usual one.

    Returns:
        A Variable.
    """
    return _made(initial_value, GraphKeys.GLOBAL_VARIABLES, validate_shape, name, use_resource)


def local_variable(initial_value, validate_shape=True, name=None, use_resource=None):
    """Makes a local variable.

    Args:
        initial_value: The first value, a tensor or a function that returns one.
        validate_shape: Whether the shape of the value must be known. A bool.
        name: Name of the variable, a str. None: a default name.
        use_resource: Kind of the variable, a bool. None: the usual one.

    Returns:
        A Variable.
    """
    return _made(initial_value, GraphKeys.LOCAL_VARIABLES, validate_shape, name, use_resource)


def _made(value, collection, validate_shape, name, use_resource):
    return Variable(
        value, trainable=False, collections=[collection], validate_shape=validate_shape, name=name,
        use_resource=use_resource,
    )  # fmt: skip


@add_arg_scope
def variable(name, shape=None, dtype=None, initializer=None, regularizer=None, trainable=True,
             collections=None, caching_device=None, device=None, partitioner=None,
             custom_getter=None, use_resource=None):  # fmt: skip
    """Finds or makes a variable: see get_variable().

    Args:
        name: Name of the variable, a str.
        shape: Shape of the variable, a list of ints.
        dtype: Dtype of the variable. None: that of the scope, else float32.
        initializer: A function of (shape, dtype), or a value. None: that of the scope.
        regularizer: A function of the variable that returns a loss. None: that of the scope.
        trainable: Whether optimizers change it by default. A bool.
        collections: Collections that get it, a list of str. None: GLOBAL_VARIABLES.
        caching_device: Device that keeps values that were read, a str. None: that of the scope.
        device: Device of the variable, a str. None: any.
        partitioner: A function of (shape, dtype) that returns in how many parts each dimension is
            cut. None: that of the scope.
        custom_getter: A function that is called in place of the one that makes variables.
        use_resource: Kind of the variable, a bool. None: that of the scope.

    Returns:
        A Variable.
    """
    given = [GraphKeys.GLOBAL_VARIABLES] if collections is None else collections
    with on_device(device or ""):
        return get_variable(
            name, shape, dtype, initializer, regularizer, trainable, list(dict.fromkeys(given)),
            caching_device, partitioner, use_resource=use_resource, custom_getter=custom_getter,
        )  # fmt: skip
