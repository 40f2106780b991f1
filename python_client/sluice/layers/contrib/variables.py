# SPDX-License-Identifier: Apache-2.0
"""Variables of models: they are in the collection MODEL_VARIABLES."""

import contextlib

from ...graph.default_graph import device as on_device
from ...graph.default_graph import get_default_graph
from ...graph.keys import GraphKeys
from ...ops.state.partitioned import PartitionedVariable
from ...ops.state.variable_scope import get_variable, variable_scope
from .scopes import add_arg_scope


@add_arg_scope
def model_variable(name, shape=None, dtype=None, initializer=None, regularizer=None,
                   trainable=True, collections=None, caching_device=None, device=None,
                   partitioner=None, custom_getter=None, use_resource=None):  # fmt: skip
    """Finds or makes a variable of a model: see get_variable().

    Args:
        name: Name of the variable, a str.
        shape: Shape of the variable, a list of ints.
        dtype: Dtype of the variable. None: that of the scope, else float32.
        initializer: A function of (shape, dtype), or a value. None: that of the scope.
        regularizer: A function of the variable that returns a loss. None: that of the scope.
        trainable: Whether optimizers change it by default. A bool.
        collections: Further collections that get it, a list of str.
        caching_device: Device that keeps values that were read, a str. None: that of the scope.
        device: Device of the variable, a str. None: any.
        partitioner: A function of (shape, dtype) that returns in how many parts each dimension is
            cut. None: that of the scope.
        custom_getter: A function that is called in place of the one that makes variables.
        use_resource: Kind of the variable, a bool. None: that of the scope.

    Returns:
        A Variable.

    Raises:
        ValueError: The variable exists and must not, or does not exist and must.
    """
    with on_device(device or ""):
        return get_variable(
            name, shape, dtype, initializer, regularizer, trainable, of_model(collections),
            caching_device, partitioner, use_resource=use_resource, custom_getter=custom_getter,
        )  # fmt: skip


def of_model(collections):
    """Collections with those that variables of models are in."""
    own = [GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES]
    return list(dict.fromkeys([*(collections or []), *own]))


def collections_of(variables_collections, name):
    """The collections of a variable, where they may depend on its name."""
    if isinstance(variables_collections, dict):
        return variables_collections.get(name)
    return variables_collections


@contextlib.contextmanager
def layer_scope(scope, default_name, reuse, **names):
    """The variable scope of a layer whose variables have other names: kernel="weights"."""

    def getter(make, name, *args, **kwargs):
        head, slash, last = name.rpartition("/")
        kwargs["collections"] = of_model(kwargs.get("collections"))
        return make(head + slash + names.get(last, last), *args, **kwargs)

    with variable_scope(scope, default_name, reuse=reuse, custom_getter=getter) as opened:
        yield opened


def collect_variable(variable, variables_collections, name):
    """Adds a variable to the collections that a program asks for."""
    graph = get_default_graph()
    parts = list(variable) if isinstance(variable, PartitionedVariable) else [variable]
    for key in collections_of(variables_collections, name) or []:
        for part in parts:
            if not any(part is item for item in graph.get_collection(key)):
                graph.add_to_collection(key, part)


def collect_output(outputs, collections, scope):
    """Adds the output of a layer to collections, and notes the layer's name."""
    if collections:
        alias = scope[:-1] if scope.endswith("/") else scope
        outputs.aliases = [*getattr(outputs, "aliases", []), alias]
        get_default_graph().add_to_collections(collections, outputs)
    return outputs


def get_variables(scope=None, suffix=None, collection=GraphKeys.GLOBAL_VARIABLES):
    """Lists variables.

    Args:
        scope: The beginning of their names, a str. None: any.
        suffix: The end of their names, a str. None: any.
        collection: Name of the collection, a str.

    Returns:
        A list of variables.
    """
    scope = getattr(scope, "name", scope)
    if suffix is not None:
        suffix = suffix if ":" in suffix else suffix + ":0"
        scope = (scope or "") + ".*" + suffix
    return get_default_graph().get_collection(collection, scope)


def get_model_variables(scope=None, suffix=None):
    """Lists variables of models.

    Args:
        scope: The beginning of their names, a str. None: any.
        suffix: The end of their names, a str. None: any.

    Returns:
        A list of variables.
    """
    return get_variables(scope, suffix, GraphKeys.MODEL_VARIABLES)
