# SPDX-License-Identifier: Apache-2.0
"""Which changes of graphs all programs know that may read them."""

import contextlib
import datetime

_horizon = [datetime.date(2019, 8, 21)]  # of TensorFlow 1.15


def forward_compatible(year, month, day):
    """Tests whether a graph may have what TensorFlow reads since a date.

    Args:
        year: The year, an int.
        month: The month, an int.
        day: The day, an int.

    Returns:
        A bool: whether the date is before the horizon.
    """
    return _horizon[0] > datetime.date(year, month, day)


@contextlib.contextmanager
def forward_compatibility_horizon(year, month, day):
    """Moves the horizon of forward_compatible() while the context is open.

    Args:
        year: The year, an int.
        month: The month, an int.
        day: The day, an int.

    Returns:
        A context manager.
    """
    before = _horizon[0]
    _horizon[0] = datetime.date(year, month, day)
    try:
        yield
    finally:
        _horizon[0] = before
