# SPDX-License-Identifier: Apache-2.0
"""Variables by their names."""

import re

from ...graph.keys import GraphKeys
from ...layers.contrib.variables import get_variables


def get_local_variables(scope=None, suffix=None):
    """Lists local variables.

    Args:
        scope: The beginning of their names, a str. None: any.
        suffix: The end of their names, a str. None: any.

    Returns:
        A list of variables.
    """
    return get_variables(scope, suffix, GraphKeys.LOCAL_VARIABLES)


def get_trainable_variables(scope=None, suffix=None):
    """Lists variables that optimizers change by default.

    Args:
        scope: The beginning of their names, a str. None: any.
        suffix: The end of their names, a str. None: any.

    Returns:
        A list of variables.
    """
    return get_variables(scope, suffix, GraphKeys.TRAINABLE_VARIABLES)


def get_variables_by_suffix(suffix, scope=None):
    """Lists variables.

    Args:
        suffix: The end of their names, a str.
        scope: The beginning of their names, a str. None: any.

    Returns:
        A list of variables.
    """
    return get_variables(scope, suffix)


def get_variables_by_name(given_name, scope=None):
    """Lists variables of a name, in any scope.

    Args:
        given_name: The last part of their names, a str.
        scope: The beginning of their names, a str. None: any.

    Returns:
        A list of variables.
    """
    return get_variables(scope, f"/{given_name}:|^{given_name}:")


def get_unique_variable(var_op_name):
    """Finds a variable.

    Args:
        var_op_name: Its name, a str without ":0".

    Returns:
        A Variable.

    Raises:
        ValueError: There is none.
    """
    candidates = get_variables(var_op_name)
    if not candidates:
        raise ValueError(f"Couldn't find variable {var_op_name}")
    for candidate in candidates:
        if candidate.op.name == var_op_name:
            return candidate
    raise ValueError(f"Variable {var_op_name} does not uniquely identify a variable")


def get_variable_full_name(var):
    """Returns the name of a variable in checkpoints.

    Args:
        var: The variable; it may be a part of a partitioned one.

    Returns:
        A str.
    """
    info = getattr(var, "_save_slice_info", None)
    return info.full_name if info else var.op.name


def _of_scopes(what, scopes):
    if not isinstance(scopes, (list, tuple)):
        raise TypeError(f"{what} is provided but is not a list or a tuple.")
    return [variable for scope in scopes for variable in get_variables(scope)]


def get_variables_to_restore(include=None, exclude=None):
    """Lists variables of scopes.

    Args:
        include: The scopes, a list of str. None: all variables.
        exclude: Scopes whose variables are left out, a list of str. None: none.

    Returns:
        A list of variables.

    Raises:
        TypeError: An argument is not a list.
    """
    chosen = get_variables() if include is None else _of_scopes("include", include)
    left_out = {id(v) for v in _of_scopes("exclude", exclude)} if exclude is not None else ()
    return [variable for variable in chosen if id(variable) not in left_out]


def filter_variables(var_list, include_patterns=None, exclude_patterns=None, reg_search=True):
    """Chooses variables by patterns of their names.

    Args:
        var_list: The variables, a list.
        include_patterns: Regular expressions, one of which fits, a list of str. None: any name.
        exclude_patterns: Regular expressions, none of which fits, a list of str. None: none.
        reg_search: Whether a pattern fits anywhere in a name. False: at its beginning. A bool.

    Returns:
        A list of variables.
    """
    fits = re.search if reg_search else re.match

    def any_of(patterns, variable):
        return any(fits(pattern, variable.name) for pattern in patterns)

    return [
        variable for variable in var_list
        if (include_patterns is None or any_of(include_patterns, variable))
        and (exclude_patterns is None or not any_of(exclude_patterns, variable))
    ]  # fmt: skip
