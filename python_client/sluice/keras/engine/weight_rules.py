# SPDX-License-Identifier: Apache-2.0
"""What add_weight() of a layer accepts."""

from ...ops.state.kinds import VariableSynchronization

_OTHERS = ("getter", "collections", "experimental_autocast")


def is_trainable(name, trainable, synchronization, partitioner, others):
    """Checks arguments of add_weight().

    Args:
        name, trainable, synchronization, partitioner: As add_weight() has them.
        others: Names of further arguments.

    Returns:
        Whether optimizers change the variable. A bool.

    Raises:
        TypeError: A further argument is unknown.
        ValueError: The variable is trainable and ON_READ, or has a partitioner.
    """
    for key in others:
        if key not in _OTHERS:
            raise TypeError("Unknown keyword argument:", key)
    if partitioner is not None:
        raise ValueError(f"{name}: layers of Keras have no partitioned variables")
    if synchronization != VariableSynchronization.ON_READ:
        return trainable is None or bool(trainable)
    if trainable:
        raise ValueError(
            "Synchronization value can be set to VariableSynchronization.ON_READ only for "
            "non-trainable variables. You have specified trainable=True and "
            "synchronization=VariableSynchronization.ON_READ."
        )
    return False


def initializer_of(name, dtype, layer):
    """The initializer of a variable that has none. A str.

    Raises:
        ValueError: The dtype has none.
    """
    if dtype.is_floating:
        return "glorot_uniform"
    if dtype.is_integer or dtype.is_bool:
        return "zeros"
    raise ValueError(
        f"An initializer for variable {name} of type {dtype.base_dtype} is required for layer "
        f"{layer.name}"
    )
