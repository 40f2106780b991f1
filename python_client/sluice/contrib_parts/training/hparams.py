# SPDX-License-Identifier: Apache-2.0
"""Hyperparameters: named values of known types."""

import json
import numbers

from .parsing import parse_values


def _fitting(name, kind, value):
    """The value as one of a class, where nothing is lost."""
    if isinstance(value, kind) or issubclass(kind, type(None)):
        return value
    text = issubclass(kind, (str, bytes)) and not isinstance(value, (str, bytes))
    flag = issubclass(kind, bool) != isinstance(value, bool)
    whole = issubclass(kind, numbers.Integral) and not isinstance(value, numbers.Integral)
    number = issubclass(kind, numbers.Number) and not isinstance(value, numbers.Number)
    if text or flag or whole or number:
        raise ValueError(f"Could not cast hparam '{name}' of type '{kind}' from value {value!r}")
    return kind(value)


class HParams:
    """Hyperparameters. They are attributes: HParams(rate=0.1).rate is 0.1.

    Args:
        hparam_def: None only.
        model_structure: Any object, which get_model_structure() returns.
        **kwargs: The hyperparameters: numbers, texts, and lists of these.

    Raises:
        ValueError: A name is that of an attribute, or a list is empty.

    Example:
        >>> h = sl.contrib.training.HParams(rate=0.1, sizes=[3, 4])
        >>> h.parse("rate=0.5,sizes=[1]").values()
        {'rate': 0.5, 'sizes': [1]}
    """

    _HAS_DYNAMIC_ATTRIBUTES = True

    def __init__(self, hparam_def=None, model_structure=None, **kwargs):
        self._hparam_types, self._model_structure = {}, model_structure
        if hparam_def is not None:
            raise NotImplementedError("HParams: hparam_def")
        for name, value in kwargs.items():
            self.add_hparam(name, value)

    def add_hparam(self, name, value):
        """Adds a hyperparameter.

        Args:
            name: The name, a str.
            value: The value, or a list of values.

        Raises:
            ValueError: The name is that of an attribute, or the list is empty.
        """
        if getattr(self, name, None) is not None:
            raise ValueError(f"Hyperparameter name is reserved: {name}")
        several = isinstance(value, (list, tuple))
        if several and not value:
            raise ValueError(f"Multi-valued hyperparameters cannot be empty: {name}")
        self._hparam_types[name] = type(value[0] if several else value), several
        setattr(self, name, value)

    def set_hparam(self, name, value):
        """Changes a hyperparameter.

        Args:
            name: The name, a str.
            value: The new value, or a list of values.

        Raises:
            KeyError: There is none of this name.
            ValueError: The value has another type.
        """
        kind, several = self._hparam_types[name]
        if isinstance(value, list):
            if not several:
                raise ValueError(f"Must not pass a list for single-valued parameter: {name}")
            setattr(self, name, [_fitting(name, kind, one) for one in value])
            return
        if several:
            raise ValueError(f"Must pass a list for multi-valued parameter: {name}.")
        setattr(self, name, _fitting(name, kind, value))

    def del_hparam(self, name):
        """Removes a hyperparameter, if it is there.

        Args:
            name: The name, a str.
        """
        if hasattr(self, name):
            delattr(self, name)
            del self._hparam_types[name]

    def parse(self, values):
        """Changes hyperparameters to the values of a text.

        Args:
            values: The text, as of parse_values().

        Returns:
            The object itself.

        Raises:
            ValueError: The text is malformed, or has an unknown name.
        """
        kinds = {name: kind for name, (kind, _) in self._hparam_types.items()}
        return self.override_from_dict(parse_values(values, kinds))

    def override_from_dict(self, values_dict):
        """Changes hyperparameters.

        Args:
            values_dict: A dict: name -> new value.

        Returns:
            The object itself.

        Raises:
            KeyError: There is none of a name.
            ValueError: A value has another type.
        """
        for name, value in values_dict.items():
            self.set_hparam(name, value)
        return self

    def set_from_map(self, values_map):
        """Older name of override_from_dict().

        Args:
            values_map: A dict: name -> new value.

        Returns:
            The object itself.
        """
        return self.override_from_dict(values_map)

    def set_model_structure(self, model_structure):
        """Changes the object that get_model_structure() returns.

        Args:
            model_structure: Any object.
        """
        self._model_structure = model_structure

    def get_model_structure(self):
        """Returns the object that was given.

        Returns:
            The object, or None.
        """
        return self._model_structure

    def to_json(self, indent=None, separators=None, sort_keys=False):
        """Writes all hyperparameters as JSON.

        Args:
            indent: Spaces of an indentation, an int. None: one line.
            separators: The texts between items and after keys, a tuple. None: (", ", ": ").
            sort_keys: Whether names are sorted. A bool.

        Returns:
            A str.
        """
        return json.dumps(self.values(), indent=indent, separators=separators, sort_keys=sort_keys)

    def parse_json(self, values_json):
        """Changes hyperparameters to the values of a JSON object.

        Args:
            values_json: The text, a str.

        Returns:
            The object itself.
        """
        return self.override_from_dict(json.loads(values_json))

    def values(self):
        """Returns all hyperparameters.

        Returns:
            A dict: name -> value.
        """
        return {name: getattr(self, name) for name in self._hparam_types}

    def get(self, key, default=None):
        """Returns a hyperparameter.

        Args:
            key: The name, a str.
            default: What is returned if there is none. None, or of the type of the value.

        Returns:
            The value.

        Raises:
            ValueError: The default has another type.
        """
        if key not in self._hparam_types:
            return default
        kind, several = self._hparam_types[key]
        if default is not None:
            if several != isinstance(default, list):
                raise ValueError(f"Hparam '{key}' is incompatible with default={default}")
            for one in default if several else [default]:
                _fitting(key, kind, one)
        return getattr(self, key)

    def __contains__(self, key):
        return key in self._hparam_types

    def __str__(self):
        return ",".join(f"{name}={value}" for name, value in self.values().items())

    def __repr__(self):
        return f"{type(self).__name__}({sorted(self.values().items())})"
