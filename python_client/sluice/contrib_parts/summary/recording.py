# SPDX-License-Identifier: Apache-2.0
"""Whether a step writes its summaries, and which writer writes them."""

import contextlib
import threading

from ...graph.default_graph import device
from ...ops import math
from ...training.global_step import get_or_create_global_step


class _Choice(threading.local):
    """The writer, and the condition of a thread: a bool, a bool scalar, or None."""

    writer = condition = None


current = _Choice()


@contextlib.contextmanager
def changed(**values):
    """Gives `current` other values inside."""
    before = {name: getattr(current, name) for name in values}
    vars(current).update(values)
    try:
        yield
    finally:
        vars(current).update(before)


def always_record_summaries():
    """Lets every step write the summaries that are made inside.

    Returns:
        A context manager.
    """
    return changed(condition=True)


def never_record_summaries():
    """Lets no step write the summaries that are made inside.

    Returns:
        A context manager.
    """
    return changed(condition=False)


def record_summaries_every_n_global_steps(n, global_step=None):
    """Lets some steps write the summaries that are made inside.

    Args:
        n: Those whose number is a multiple of this, an int.
        global_step: Variable that counts steps. None: that of the graph.

    Returns:
        A context manager.
    """
    if global_step is None:
        global_step = get_or_create_global_step()
    with device("cpu:0"):
        return changed(condition=math.equal(math.mod(global_step, n), 0))


def should_record_summaries():
    """Returns whether steps write summaries here.

    Returns:
        A bool, or a bool scalar.
    """
    return False if current.condition is None else current.condition


__all__ = """
    always_record_summaries never_record_summaries record_summaries_every_n_global_steps
    should_record_summaries
""".split()
