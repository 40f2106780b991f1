# SPDX-License-Identifier: Apache-2.0
"""Classes whose values run the loops over them by themselves."""

import typing

_loops = {}  # class -> its Loops


class Loops(typing.NamedTuple):
    """How converted code reads the values of a class.

    Args:
        run: Runs a loop, a function of (values, test, body, state). test is None or says whether
            the loop goes on; body is a function of an element; state is a loops.State.
        enumerated: enumerate(), a function of (values, start). None: it would never end.
        zipped: zip(), a function of a tuple of values. None: Python's zip().
    """

    run: typing.Callable
    enumerated: typing.Callable = None
    zipped: typing.Callable = None


def run_loops_of(cls, *functions):
    """Says how converted code reads the values of a class, by the functions of its Loops."""
    _loops[cls] = Loops(*functions)


def loops_of(values):
    """The Loops of some values; None if Python runs the loops over them."""
    return next((f for cls, f in _loops.items() if isinstance(values, cls)), None)
