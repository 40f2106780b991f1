# SPDX-License-Identifier: Apache-2.0
"""Arguments of layers of Keras: names become objects."""

import numpy as np

from ...layers import arguments
from . import activations, constraints, initializers, regularizers, settings

arguments.add_kinds({
    "activation": activations, "initializer": initializers, "regularizer": regularizers,
    "constraint": constraints,
})  # fmt: skip


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
    return arguments.resolved(name, value)


def drawn_seed(seed=None):
    """The seed of a random operation of the backend.

    Args:
        seed: What the program gave, an int. None: NumPy draws it, so that its seed decides.
    """
    return np.random.randint(10**7) if seed is None else seed
