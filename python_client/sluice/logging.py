# SPDX-License-Identifier: Apache-2.0
"""Log messages of the client: of WARN and above, until set_verbosity() sets another level."""

import logging as _logging

DEBUG, INFO, WARN, ERROR, FATAL = 10, 20, 30, 40, 50

_logger = _logging.getLogger("sluice")
_logger.setLevel(WARN)

debug, info, warn, warning = _logger.debug, _logger.info, _logger.warning, _logger.warning
error, fatal, log = _logger.error, _logger.critical, _logger.log


def set_verbosity(v):
    """Sets the lowest level that is logged.

    Args:
        v: The level: DEBUG, INFO, WARN, ERROR or FATAL, or the name of one.
    """
    _logger.setLevel(v)
    if _logger.level < WARN and not _logger.handlers:
        _logger.addHandler(_logging.StreamHandler())


def get_verbosity():
    """Returns the lowest level that is logged.

    Returns:
        An int.
    """
    return _logger.getEffectiveLevel()


def get_logger():
    """Returns Python's logger of the client.

    Returns:
        A logging.Logger.
    """
    return _logger


def log_if(level, msg, condition, *args):
    """Logs a text if a condition holds.

    Args:
        level: The level: DEBUG, INFO, WARN, ERROR or FATAL.
        msg: The text, a str with places for args in the form of %.
        condition: The condition, a bool.
        *args: Values for the text.
    """
    if condition:
        _logger.log(level, msg, *args)


def log_first_n(level, msg, n, *args):
    """Logs a text the first times that it is called with it.

    Args:
        level: The level: DEBUG, INFO, WARN, ERROR or FATAL.
        msg: The text, a str with places for args in the form of %.
        n: How many times, an int.
        *args: Values for the text.
    """
    _counts[msg] = _counts.get(msg, -1) + 1
    if _counts[msg] < n:
        _logger.log(level, msg, *args)


def flush():
    """Writes buffered texts."""
    for handler in _logger.handlers:
        handler.flush()


def log_every_n(level, msg, n, *args):
    """Logs a text at every n-th call with it.

    Args:
        level: The level: DEBUG, INFO, WARN, ERROR or FATAL.
        msg: The text, a str with places for args in the form of %.
        n: How many calls, an int.
        *args: Values for the text.
    """
    _counts[msg] = _counts.get(msg, -1) + 1
    if _counts[msg] % n == 0:
        _logger.log(level, msg, *args)


def vlog(level, msg, *args):
    """Logs a text for developers: the higher the level, the less it is shown.

    Args:
        level: The level, an int. 0 is INFO, 1 DEBUG.
        msg: The text, a str with places for args in the form of %.
        *args: Values for the text.
    """
    _logger.log(max(INFO - 10 * level, 1), msg, *args)


def TaskLevelStatusMessage(msg):  # noqa: N802
    """Logs the state of a task, as an error.

    Args:
        msg: The text, a str.
    """
    error(msg)


_counts = {}

__all__ = """
    DEBUG ERROR FATAL INFO TaskLevelStatusMessage WARN debug error fatal flush get_logger
    get_verbosity info log log_every_n log_first_n log_if set_verbosity vlog warn warning
""".split()
