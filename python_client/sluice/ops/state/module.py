# SPDX-License-Identifier: Apache-2.0
"""Module: an object that has variables and other modules as attributes."""

import functools
import re

from ... import nest
from ...graph.default_graph import name_scope
from .variables import Variable


class _Scope:
    """The scope of a module, which can be entered again and again."""

    def __init__(self, name):
        self.name, self._entered = name, []

    def __enter__(self):
        self._entered.append(name_scope(self.name))
        return self._entered[-1].__enter__()

    def __exit__(self, *error):
        return self._entered.pop().__exit__(*error)


class Module:
    """An object with variables and other modules as attributes, also in lists and dicts. Layers of
    Keras are modules.

    Args:
        name: Name of the module, a str. None: that of the class, in lower case.

    Raises:
        ValueError: The name is not an identifier of Python.

    Example:
        >>> class Scaled(sl.Module):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.factor = sl.Variable(2.0, name="factor")
        >>> [v.name for v in Scaled().variables]
        ['factor:0']
    """

    _TF_MODULE_IGNORED_PROPERTIES = frozenset()  # of attributes that are not parts

    def __init__(self, name=None):
        if name is None:
            name = _snake_case(type(self).__name__)
        elif not name.isidentifier():
            raise ValueError(
                f"{name!r} is not a valid module name. Module names must be valid Python "
                "identifiers (e.g. a valid class name)."
            )
        self._name = name
        with name_scope(name) as self._scope_name:
            pass

    @property
    def name(self):
        """The name, a str."""
        return self._name

    @property
    def name_scope(self):
        """The name scope of the module, a context manager."""
        return _Scope(self._scope_name)

    @property
    def variables(self):
        """The variables of the module and of the modules in it, a tuple."""
        return tuple(self._flatten(predicate=lambda value: isinstance(value, Variable)))

    @property
    def trainable_variables(self):
        """Those of `variables` that optimizers change, a tuple."""
        return tuple(v for v in self.variables if v.trainable)

    @property
    def submodules(self):
        """The modules in this one, and those in them, a tuple."""
        return tuple(self._flatten(predicate=lambda value: isinstance(value, Module)))

    def _flatten(self, recursive=True, predicate=None):
        """The attributes that a predicate selects, each once: of a module before those of the
        modules in it."""
        seen, waiting = {id(self)}, [self]
        while waiting:
            inner = []
            for value in _parts(waiting.pop(0)):
                if id(value) in seen:
                    continue
                seen.add(id(value))
                if predicate is None or predicate(value):
                    yield value
                if recursive and isinstance(value, Module):
                    inner.append(value)
            waiting = inner + waiting

    def _no_dependency(self, value):
        """The value. (In TensorFlow: as an attribute that checkpoints do not have.)"""
        return value

    def checkpoint_children(self):
        """Returns what a checkpoint saves of the module: its attributes.

        Returns:
            A list of pairs of a name and an object.
        """
        kinds = (Variable, Module, list, tuple, dict)
        found = [(k, v) for k, v in sorted(vars(self).items()) if isinstance(v, kinds)]
        return [(k, v) for k, v in found if isinstance(v, (Variable, Module)) or v]

    @classmethod
    def with_name_scope(cls, method):
        """Lets a method of the class enter the name scope of the module.

        Args:
            method: The method.

        Returns:
            The method.
        """

        @functools.wraps(method)
        def in_scope(self, *args, **kwargs):
            with self.name_scope:
                return method(self, *args, **kwargs)

        return in_scope


def _snake_case(name):
    return re.sub(r"((?<=[a-z0-9])[A-Z]|(?!^)[A-Z](?=[a-z]))", r"_\1", name).lower()


def _parts(module):
    """The attributes of a module, those in lists and dicts one by one."""
    ignored = module._TF_MODULE_IGNORED_PROPERTIES
    kept = [value for name, value in sorted(vars(module).items()) if name not in ignored]
    return [part for value in kept for part in _leaves(value)]


def _leaves(value):
    try:
        return nest.flatten(value)
    except (TypeError, ValueError):  # a dict whose keys cannot be sorted
        return list(value.values()) if isinstance(value, dict) else []
