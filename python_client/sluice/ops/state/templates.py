# SPDX-License-Identifier: Apache-2.0
"""Templates: functions that find their variables again."""

import functools

from ...graph.default_graph import get_default_graph
from ...graph.keys import GraphKeys
from .variable_scope import variable_scope


class Template:
    """A function with a variable scope of its own, as make_template() returns it.

    Args:
        name: Name of the scope, a str. It is made unique.
        func: The function.
        create_scope_now: Whether the scope is made now, not by the first call. A bool.
        unique_name: Name of the scope as it is, a str. None: name counts.
        custom_getter: A custom getter for the scope. None: that of the outer scope.
    """

    def __init__(self, name, func, create_scope_now=False, unique_name=None, custom_getter=None):
        self.name, self.func = name, func
        self.variable_scope = None  # the VariableScope; None: it is not made yet
        self._was_called = False
        self._new_scope = functools.partial(
            variable_scope, unique_name, name, custom_getter=custom_getter
        )
        if create_scope_now:
            with self._new_scope(auxiliary_name_scope=False) as self.variable_scope:
                pass

    def __call__(self, *args, **kwargs):
        """Calls the function in the scope. Only the first call makes variables.

        Args:
            *args: Arguments of the function.
            **kwargs: Arguments of the function.

        Returns:
            What the function returns.

        Raises:
            ValueError: A later call makes a variable that is trained.
        """
        if self.variable_scope is not None:
            with variable_scope(self.variable_scope, reuse=self._was_called):
                return self._call(args, kwargs)
        with self._new_scope() as self.variable_scope:
            return self._call(args, kwargs)

    def _call(self, args, kwargs):
        trained = get_default_graph().get_collection_ref(GraphKeys.TRAINABLE_VARIABLES)
        before = len(trained)
        result = self.func(*args, **kwargs)
        if self._was_called and len(trained) > before:
            raise ValueError(
                "Trainable variable created when calling a template after the first time, perhaps"
                f" you used tf.Variable when you meant tf.get_variable: {trained[before:]}"
            )
        self._was_called = True
        return result

    @property
    def var_scope(self):
        """Older name of variable_scope."""
        return self.variable_scope

    @property
    def variable_scope_name(self):
        """The prefix of the names of its variables, with a slash, a str. None: no scope is made."""
        if self.variable_scope is None:
            return None
        name = self.variable_scope.name
        return name if not name or name.endswith("/") else name + "/"

    @property
    def variables(self):
        """The global and the local variables, a list."""
        return self.global_variables + self.local_variables

    @property
    def weights(self):
        """Another name of variables."""
        return self.variables

    @property
    def trainable_variables(self):
        """The variables that are trained, a list."""
        return self._collected(GraphKeys.TRAINABLE_VARIABLES)

    @property
    def trainable_weights(self):
        """Another name of trainable_variables."""
        return self.trainable_variables

    @property
    def non_trainable_variables(self):
        """The variables that are not trained, a list."""
        trained = {id(variable) for variable in self.trainable_variables}
        return [variable for variable in self.variables if id(variable) not in trained]

    @property
    def non_trainable_weights(self):
        """Another name of non_trainable_variables."""
        return self.non_trainable_variables

    @property
    def global_variables(self):
        """The global variables, a list."""
        return self._collected(GraphKeys.GLOBAL_VARIABLES)

    @property
    def local_variables(self):
        """The local variables, a list."""
        return self._collected(GraphKeys.LOCAL_VARIABLES)

    def _collected(self, key):
        if not self._was_called:
            return []
        return get_default_graph().get_collection(key, self.variable_scope_name)


def make_template(name_, func_, create_scope_now_=False, unique_name_=None, custom_getter_=None,
                  **kwargs):  # fmt: skip
    """Makes a function that uses a variable scope of its own: the first call makes variables, later
    calls find them.

    Args:
        name_: Name of the scope, a str. It is made unique.
        func_: The function to call.
        create_scope_now_: Whether the scope is made now, not by the first call. A bool.
        unique_name_: Name of the scope as it is, a str. None: name_ counts.
        custom_getter_: A custom getter for the scope.
        **kwargs: Arguments that every call of func_ gets.

    Returns:
        A Template: call it as func_. It has the attributes name, variable_scope and variables.

    Raises:
        ValueError: name_ is None.

    Example:
        >>> layer = sl.make_template("layer", lambda x: x * sl.get_variable("w", []))
        >>> _ = layer(1.0), layer(2.0)
        >>> [v.name for v in layer.variables]
        ['layer/w:0']
    """
    if name_ is None:
        raise ValueError("name cannot be None.")
    if kwargs:
        func_ = functools.partial(func_, **kwargs)
    return Template(name_, func_, create_scope_now_, unique_name_, custom_getter_)


__all__ = ["make_template"]
