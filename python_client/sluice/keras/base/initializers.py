# SPDX-License-Identifier: Apache-2.0
"""Initializers: objects that make the initial value of a variable, of (shape, dtype)."""

import inspect

from ... import dtypes
from ...ops.state import initializers as functions
from .serializing import deserialize_keras_object, find, serialize_keras_object

_WORDS = {
    "value": "A number, or an array with the values.",
    "verify_shape": "Whether an array must have the shape of the variable. A bool.",
    "minval": "The low end, a number.",
    "maxval": "The high end, a number.",
    "mean": "The mean, a number.",
    "stddev": "The standard deviation, a number.",
    "scale": "The factor, a float.",
    "mode": 'The meaning of n: "fan_in": inputs, "fan_out": outputs, "fan_avg": the mean of both.',
    "distribution": '"truncated_normal" (or "normal"), "untruncated_normal" or "uniform".',
    "gain": "A factor, a float.",
    "seed": "Seed of the operation, an int. None: see set_random_seed().",
    "dtype": "Dtype of the variable, if nothing else says it.",
}


class Initializer:
    """Makes the initial value of a variable. It is the base class of all initializers."""

    def __call__(self, shape, dtype=None, partition_info=None):
        raise NotImplementedError(f"{type(self).__name__} does not say what it returns")

    def get_config(self):
        """Returns the arguments that make an equal initializer.

        Returns:
            A dict.
        """
        return {}

    @classmethod
    def from_config(cls, config):
        """Makes an initializer of what get_config() returned.

        Args:
            config: The dict.

        Returns:
            An initializer.
        """
        return cls(**{k: v for k, v in config.items() if k in inspect.signature(cls).parameters})


class _Made(Initializer):
    """An initializer that calls a function of sluice.initializers."""

    function = signature = None

    def __init__(self, *args, **kwargs):
        given = self.signature.bind(*args, **kwargs)
        given.apply_defaults()
        self.function(**given.arguments)  # checks them
        vars(self).update(given.arguments)
        self.dtype = dtypes.as_dtype(self.dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        config = {**self._config(), "dtype": self.dtype}
        initial = type(self).function(**config)
        more = {} if partition_info is None else {"partition_info": partition_info}
        return initial(list(shape), dtype=dtypes.as_dtype(dtype or self.dtype), **more)

    def _config(self):
        return {name: getattr(self, name) for name in self.signature.parameters}

    def get_config(self):
        config = {**self._config(), "dtype": self.dtype.name}
        config.pop("verify_shape", None)  # as in TensorFlow
        return config


def _made(name, function, summary, **defaults):
    """The class of a function of sluice.initializers.

    Args:
        name: Name of the class, a str.
        function: The function, which takes arguments and returns a function of (shape, dtype).
        summary: What it does, a str.
        **defaults: Defaults that differ from those of the function.
    """
    parameters = [
        p.replace(default=defaults.get(p.name, p.default))
        for p in inspect.signature(function).parameters.values()
    ]
    signature = inspect.Signature(parameters)
    lines = [f"    {p.name}: {_WORDS[p.name]}" for p in parameters]
    doc = "\n".join([summary, "", "Args:", *lines])
    more = {"function": staticmethod(function), "signature": signature, "__doc__": doc}
    cls = type(name, (_Made,), {**more, "__module__": __name__})
    cls.__signature__ = signature
    return cls


Zeros = zeros = _made("Zeros", functions.zeros, "Makes zeros.")
Ones = ones = _made("Ones", functions.ones, "Makes ones.")
Constant = constant = _made("Constant", functions.constant, "Makes given values.")
RandomNormal = random_normal = normal = _made(
    "RandomNormal", functions.random_normal, "Draws numbers from a normal distribution.",
    stddev=0.05,
)  # fmt: skip
RandomUniform = random_uniform = uniform = _made(
    "RandomUniform", functions.random_uniform, "Draws numbers evenly in [minval, maxval).",
    minval=-0.05, maxval=0.05,
)  # fmt: skip
TruncatedNormal = truncated_normal = _made(
    "TruncatedNormal", functions.truncated_normal,
    "Draws numbers from a normal distribution within two standard deviations.", stddev=0.05,
)  # fmt: skip
VarianceScaling = _made(
    "VarianceScaling", functions.variance_scaling, "Draws numbers of variance scale / n."
)
Orthogonal = orthogonal = _made(
    "Orthogonal", functions.orthogonal, "Draws matrices with orthonormal rows or columns."
)
Identity = identity = _made("Identity", functions.identity, "Makes the identity matrix.")
GlorotUniform = glorot_uniform = _made(
    "GlorotUniform", functions.glorot_uniform,
    "Draws numbers evenly within sqrt(6 / (inputs + outputs)) of zero.",
)  # fmt: skip
GlorotNormal = glorot_normal = _made(
    "GlorotNormal", functions.glorot_normal,
    "Draws truncated normal numbers of variance 2 / (inputs + outputs).",
)  # fmt: skip


def he_normal(seed=None):
    """Makes an initializer that draws truncated normal numbers of variance 2 / inputs.

    Args:
        seed: Seed of the operation, an int. None: see set_random_seed().

    Returns:
        An initializer.
    """
    return VarianceScaling(2.0, "fan_in", "truncated_normal", seed)


def he_uniform(seed=None):
    """Makes an initializer that draws numbers evenly, of variance 2 / inputs.

    Args:
        seed: Seed of the operation, an int. None: see set_random_seed().

    Returns:
        An initializer.
    """
    return VarianceScaling(2.0, "fan_in", "uniform", seed)


def lecun_normal(seed=None):
    """Makes an initializer that draws truncated normal numbers of variance 1 / inputs.

    Args:
        seed: Seed of the operation, an int. None: see set_random_seed().

    Returns:
        An initializer.
    """
    return VarianceScaling(1.0, "fan_in", "truncated_normal", seed)


def lecun_uniform(seed=None):
    """Makes an initializer that draws numbers evenly, of variance 1 / inputs.

    Args:
        seed: Seed of the operation, an int. None: see set_random_seed().

    Returns:
        An initializer.
    """
    return VarianceScaling(1.0, "fan_in", "uniform", seed)


_KNOWN = {
    name: thing for name, thing in globals().items()
    if not name.startswith("_") and getattr(thing, "__module__", None) == __name__
}  # fmt: skip
_NAMED = {**_KNOWN, "zero": Zeros, "one": Ones}  # the module has neither of the last two


def serialize(initializer):
    """Describes an initializer.

    Args:
        initializer: The initializer.

    Returns:
        A dict of "class_name" and "config".
    """
    return serialize_keras_object(initializer)


def deserialize(config, custom_objects=None):
    """Makes the initializer that serialize() described.

    Args:
        config: The dict, or a name.
        custom_objects: A dict: name -> class, of the program. None: none.

    Returns:
        An initializer.

    Raises:
        ValueError: The name is not known.
    """
    return deserialize_keras_object(config, _NAMED, custom_objects, "initializer")


def get(identifier):
    """Returns the initializer that an argument stands for.

    Args:
        identifier: A name, a dict of serialize(), a function, or None.

    Returns:
        An initializer; None for None.

    Raises:
        ValueError: It stands for nothing.
    """
    if isinstance(identifier, str) and identifier in ("he_normal", "he_uniform", "lecun_normal",
                                                      "lecun_uniform"):  # fmt: skip
        return _NAMED[identifier]()
    return find(identifier, _NAMED, "initializer")


__all__ = [n for n in [*_KNOWN, "deserialize", "get", "serialize"]
           if n not in ("GlorotUniform", "GlorotNormal")]  # fmt: skip
