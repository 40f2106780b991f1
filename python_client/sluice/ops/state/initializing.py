# SPDX-License-Identifier: Apache-2.0
"""Initialisation of variables."""

import numpy as np

from ...graph.convert import constant, convert_to_tensor, is_resource_variable
from ...graph.default_graph import colocate_with, device, get_default_graph, name_scope
from .. import array as arrays
from .. import math, raw_ops
from ..control_flow.grouping import group
from .listing import global_variables, local_variables


def local_variables_initializer():
    """Adds an operation that gives every local variable its initial value.

    Returns:
        The Operation.
    """
    return variables_initializer(local_variables())


def initialize_all_variables():
    """Adds an operation that initialises global variables. Older form of
    global_variables_initializer().

    Returns:
        The Operation.
    """
    return global_variables_initializer()


def variables_initializer(var_list, name="init"):
    """Adds an operation that gives variables their initial values.

    Args:
        var_list: A list of variables.
        name: Name of the operation, a str.

    Returns:
        The Operation.
    """
    return group(*[v.initializer for v in var_list], name=name)


def global_variables_initializer():
    """Adds an operation that gives every global variable its initial value.

    Returns:
        The Operation.

    Example:
        >>> v = sl.Variable(3)
        >>> with sl.Session() as session:
        ...     session.run(sl.global_variables_initializer())
        ...     print(session.run(v))
        3
    """
    return variables_initializer(global_variables())


def is_variable_initialized(variable, name=None):
    """Tests whether a variable has a value.

    Args:
        variable: The variable.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A bool scalar.
    """
    if is_resource_variable(variable):
        return raw_ops.VarIsInitializedOp(resource=variable.handle, name=name)
    return raw_ops.IsVariableInitialized(ref=variable, name=name)


def report_uninitialized_variables(var_list=None, name="report_uninitialized_variables"):
    """Returns the names of the variables that have no value.

    Args:
        var_list: A list of variables. None: all global and local ones.
        name: Name of the operation, a str.

    Returns:
        A string vector.
    """
    var_list = global_variables() + local_variables() if var_list is None else list(var_list)
    with name_scope(name):
        if not var_list:
            return constant(np.array([], np.object_))
        flags = []
        for v in var_list:
            with colocate_with(v.op, ignore_existing=True):
                flags.append(is_variable_initialized(v))
        with device("/cpu:0"):
            missing = math.logical_not(arrays.stack(flags))
            return arrays.boolean_mask(constant([v.op.name for v in var_list]), missing)


def assert_variables_initialized(var_list=None):
    """Returns a tensor that fails while a variable has no value.

    Args:
        var_list: A list of variables. None: all global and local ones. Where there is none, all
            reference variables of the graph.

    Returns:
        A tensor; None if there are no variables.

    Raises:
        errors.FailedPreconditionError: In run(): a variable has no value.
    """
    var_list = global_variables() + local_variables() if var_list is None else list(var_list)
    if not var_list:  # those of no collection
        ops = get_default_graph().get_operations()
        var_list = [op.outputs[0] for op in ops if op.type in ("Variable", "VariableV2")]
    if not var_list:
        return None
    ranks = [raw_ops.Rank(input=convert_to_tensor(v)) for v in var_list]  # none is folded
    return ranks[0] if len(ranks) == 1 else arrays.stack(ranks)
