# SPDX-License-Identifier: Apache-2.0
"""Which layers a model trains: compile() decides it, not what `trainable` is later."""

import contextlib
import sys

from ... import logging

_warned = set()  # the places of which the log has the warning already


def states(model):
    """Finds out which layers are trained.

    Args:
        model: The model.

    Returns:
        A list of pairs of a layer and whether it is trained: the model, its layers and theirs.
    """
    return [(layer, layer.trainable) for layer in model.family()]


@contextlib.contextmanager
def as_compiled(compiled):
    """Within it the layers are trained as when the model was compiled.

    Args:
        compiled: What states() returned.
    """
    now = [(layer, layer.trainable) for layer, _ in compiled]
    try:
        _set(compiled)
        yield
    finally:
        _set(now)


def _set(wanted):
    for layer, value in wanted:  # not by the property, which sets that of the layers inside too
        vars(layer)["_trainable" if "_trainable" in vars(layer) else "trainable"] = value


def warn_of_change(model, place):
    """Logs a warning, once for each place, if other variables are trainable than compile() found.

    Args:
        model: The model, compiled.
        place: What stands for the place, of any kind that a set can have.
    """
    compiled = model.compiled_weights()
    if compiled is None or len(compiled) == len(model.trained_weights) or place in _warned:
        return
    _warned.add(place)
    logging.warning(
        "Discrepancy between trainable weights and collected trainable weights, did you set "
        "`model.trainable` without calling `model.compile` after ?"
    )


def place_of_caller():
    """Finds the line of the program that called a function of the module that calls this one.

    Returns:
        A pair of the name of a file and the number of a line.
    """
    frame = sys._getframe(1)
    own = frame.f_code.co_filename
    while frame.f_back is not None and frame.f_code.co_filename == own:
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno
