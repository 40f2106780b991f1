# SPDX-License-Identifier: Apache-2.0
"""Arguments of layers: names become objects, and objects become configurations again."""

import numpy as np

from . import activations, constraints, initializers, regularizers, settings

_KINDS = {
    "activation": activations, "initializer": initializers, "regularizer": regularizers,
    "constraint": constraints,
}  # fmt: skip


def _kind(name):
    return _KINDS.get(name.rpartition("_")[2])


def resolved(name, value):
    """The object that an argument of a layer stands for.

    Args:
        name: Name of the argument, a str such as "kernel_initializer".
        value: What the program gave.

    Raises:
        ValueError: It stands for nothing.
    """
    if name == "data_format":
        return settings.image_data_format() if value is None else value
    kind = _kind(name)
    return value if kind is None else kind.get(value)


def drawn_seed(seed=None):
    """The seed of a random operation of the backend.

    Args:
        seed: What the program gave, an int. None: NumPy draws it, so that its seed decides.
    """
    return np.random.randint(10**7) if seed is None else seed


def described(name, value):
    """What a configuration says of an argument."""
    kind = _kind(name)
    if kind is not None:
        return None if value is None else kind.serialize(value)
    return list(value) if name in ("axis",) and isinstance(value, tuple) else value
