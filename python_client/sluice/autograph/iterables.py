# SPDX-License-Identifier: Apache-2.0
"""Classes whose values run the loops over them by themselves."""

_loops = {}  # class -> the function that runs a loop


def run_loops_of(cls, function):
    """Says how a loop over the values of a class runs.

    Args:
        cls: The class. Its values have enumerate(), and the class has zip().
        function: A function of (values, test, body, state). test is None or says whether the loop
            goes on; body is a function of an element; state is a loops.State.
    """
    _loops[cls] = function


def loop_of(values):
    """The function that runs a loop over some values; None if Python does."""
    return next((f for cls, f in _loops.items() if isinstance(values, cls)), None)
