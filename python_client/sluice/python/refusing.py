# SPDX-License-Identifier: Apache-2.0
"""Functions that programs import, and that fail when they are called."""


def refused(name, reason):
    """Makes a function that fails.

    Args:
        name: Its name, a str.
        reason: Why it is not there, a str.

    Returns:
        The function. It raises NotImplementedError.
    """

    def function(*args, **kwargs):
        del args, kwargs
        raise NotImplementedError(f"{name}() is not there: {reason}")

    function.__name__ = name
    return function
