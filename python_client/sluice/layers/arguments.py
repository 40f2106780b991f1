# SPDX-License-Identifier: Apache-2.0
"""Arguments of layers: names become objects, and objects become configurations again."""

import inspect

_kinds = {}  # the last word of an argument's name -> a module with get() and serialize()


def add_kinds(modules):
    """Says which modules know the names of objects.

    Args:
        modules: A dict: the last word of an argument's name, such as "initializer" -> a module with
            get() and serialize().
    """
    _kinds.update(modules)


def _kind(name):
    return _kinds.get(name.rpartition("_")[2])


def resolved(name, value):
    """The object that an argument of a layer stands for.

    Args:
        name: Name of the argument, a str such as "kernel_initializer".
        value: What the program gave.

    Raises:
        ValueError: It stands for nothing.
    """
    kind = _kind(name)
    return value if kind is None else kind.get(value)


def described(name, value):
    """What a configuration says of an argument."""
    kind = _kind(name)
    if kind is not None:
        return None if value is None else kind.serialize(value)
    return list(value) if name in ("axis",) and isinstance(value, tuple) else value


def keep(layer, **arguments):
    """Makes attributes of a layer of its arguments.

    Args:
        layer: The layer.
        **arguments: The arguments; names of functions become the functions.

    Raises:
        ValueError: A name is not known.
    """
    for name, value in arguments.items():
        setattr(layer, name, resolved(name, value))


class Configured:
    """Makes a configuration of the constructor's arguments, and a layer of a configuration."""

    arguments = None  # the names of the constructor's arguments that get_config() returns
    batch_input_shape = None
    dynamic = False  # layers run in graphs only

    def get_config(self):
        """Returns the arguments that make an equal layer.

        Returns:
            A dict.

        Raises:
            NotImplementedError: A class of the program takes arguments and does not define it.
        """
        own = inspect.signature(type(self).__init__).parameters
        own = [p.name for p in own.values() if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
        more = set(own) - {"self", "trainable", "name", "dtype", "dynamic"}
        if self.arguments is None and more and type(self).get_config is Configured.get_config:
            raise NotImplementedError(
                "Layers with arguments in `__init__` must override `get_config`."
            )
        config = {"name": self.name, "trainable": self.trainable}
        if self.batch_input_shape is not None:
            config["batch_input_shape"] = self.batch_input_shape
        config["dtype"] = getattr(self.dtype, "name", self.dtype)
        if self.dynamic:
            config["dynamic"] = True
        for name in self.arguments or ():
            if name not in config:
                config[name] = described(name, getattr(self, name))
        return config

    @classmethod
    def from_config(cls, config):
        """Makes a layer of what get_config() returned.

        Args:
            config: The dict.

        Returns:
            A layer.
        """
        return cls(**config)


def without_training(kwargs, call):
    """The arguments by name for a call(), without `training` unless it takes that. Programs pass it
    to all layers."""
    if "training" not in kwargs:
        return kwargs
    parameters = inspect.signature(call).parameters.values()
    if any(p.name == "training" or p.kind == p.VAR_KEYWORD for p in parameters):
        return kwargs
    return {name: value for name, value in kwargs.items() if name != "training"}


def arguments_by_name(call, args, kwargs):
    """The further arguments of a call() by name, a dict: those after the inputs, and kwargs."""
    names = list(inspect.signature(call).parameters)[1 : 1 + len(args)]
    return {**dict(zip(names, args)), **kwargs} if args else kwargs
