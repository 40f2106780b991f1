# SPDX-License-Identifier: Apache-2.0
"""Variables that get the values of arrays or of a checkpoint."""

from ... import logging
from ...graph.convert import placeholder
from ...graph.default_graph import get_default_graph
from ...graph.keys import GraphKeys
from ...ops.control_flow.grouping import group
from ...training.checkpoints.reader import NewCheckpointReader
from ...training.saver import Saver
from .selecting import get_variable_full_name


def _assignment(variable, value, feed):
    """An operation that assigns a value, which is added to a feed_dict."""
    given = placeholder(variable.dtype, variable.shape, name="placeholder/" + variable.op.name)
    feed[given] = value
    return variable.assign(given)


def _named(name):
    found = get_default_graph().get_collection(GraphKeys.GLOBAL_VARIABLES, name)
    if not found:
        raise ValueError(f"Variable {name} wasn't found")
    exact = found if len(found) == 1 else [v for v in found if v.op.name == name]
    if not exact:
        raise ValueError(f"Variable {name} doesn't uniquely identify a variable")
    return exact[0]


def assign_from_values(var_names_to_values):
    """Makes an operation that assigns arrays to variables.

    Args:
        var_names_to_values: A dict: name of a variable -> array.

    Returns:
        A tuple: the Operation, and the feed_dict that it is run with.

    Raises:
        ValueError: A variable is not there.
    """
    feed, assignments = {}, []
    for name, value in var_names_to_values.items():
        variable = _named(name)
        value = value.reshape(variable.shape.as_list())
        assignments.append(_assignment(variable, value, feed))
    return group(*assignments), feed


def assign_from_values_fn(var_names_to_values):
    """Makes a function that assigns arrays to variables.

    Args:
        var_names_to_values: A dict: name of a variable -> array.

    Returns:
        A function of a session.

    Raises:
        ValueError: A variable is not there.
    """
    assignment, feed = assign_from_values(var_names_to_values)
    return lambda session: session.run(assignment, feed)


def assign_from_checkpoint(model_path, var_list, ignore_missing_vars=False):
    """Makes an operation that assigns the values of a checkpoint to variables.

    Args:
        model_path: Path of the checkpoint, a str.
        var_list: A list of variables; or a dict: name in the checkpoint -> variable, or a list of
            the parts of one.
        ignore_missing_vars: Whether variables that the checkpoint lacks are left out. A bool.

    Returns:
        A tuple: the Operation, and the feed_dict that it is run with.

    Raises:
        ValueError: The checkpoint lacks a variable, or has another shape.
    """
    groups = {}
    if isinstance(var_list, (tuple, list)):
        for variable in var_list:
            groups.setdefault(get_variable_full_name(variable), []).append(variable)
    else:
        for name, value in var_list.items():
            groups[name] = value if isinstance(value, (tuple, list)) else [value]
    reader, feed, assignments = NewCheckpointReader(model_path), {}, []
    for name, variables in groups.items():
        if not reader.has_tensor(name):
            if not ignore_missing_vars:
                raise ValueError(f"Checkpoint is missing variable [{name}]")
            logging.warning("Checkpoint is missing variable [%s]", name)
            continue
        whole = reader.get_tensor(name)
        for variable in variables:
            value = _part_for(variable, whole, name)
            assignments.append(_assignment(variable, value, feed))
    return group(*assignments), feed


def _part_for(variable, whole, name):
    info = getattr(variable, "_save_slice_info", None)
    if info:
        ends = zip(info.var_offset, info.var_shape)
        return whole[tuple(slice(start, start + size) for start, size in ends)]
    if list(whole.shape) != variable.shape.as_list():
        raise ValueError(
            f"Total size of new array must be unchanged for {name} lh_shape: [{whole.shape}], "
            f"rh_shape: [{variable.shape}]"
        )
    return whole


def assign_from_checkpoint_fn(model_path, var_list, ignore_missing_vars=False,
                              reshape_variables=False):  # fmt: skip
    """Makes a function that restores variables from a checkpoint.

    Args:
        model_path: Path of the checkpoint, a str.
        var_list: A list of variables; or a dict: name in the checkpoint -> variable.
        ignore_missing_vars: Whether variables that the checkpoint lacks are left out. A bool.
        reshape_variables: Whether variables may have another shape. A bool.

    Returns:
        A function of a session. None: the checkpoint has none of the variables.

    Raises:
        ValueError: There are no variables.
    """
    if not var_list:
        raise ValueError("var_list cannot be empty")
    if ignore_missing_vars:
        reader, wanted = NewCheckpointReader(model_path), var_list
        if not isinstance(wanted, dict):
            wanted = {variable.op.name: variable for variable in var_list}
        var_list = {name: v for name, v in wanted.items() if reader.has_tensor(name)}
        for name in wanted.keys() - var_list.keys():
            logging.warning("Variable %s missing in checkpoint %s", name, model_path)
    if not var_list:
        logging.warning("No Variables to restore")
        return None
    saver = Saver(var_list, reshape=reshape_variables)
    return lambda session: saver.restore(session, model_path)
