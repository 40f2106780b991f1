"""What the client says while it works: at WARN and above until set_verbosity() says otherwise."""

import logging as _logging

DEBUG, INFO, WARN, ERROR, FATAL = 10, 20, 30, 40, 50

_logger = _logging.getLogger("sluice")
_logger.setLevel(WARN)

debug, info, warn, warning = _logger.debug, _logger.info, _logger.warning, _logger.warning
error, fatal, log = _logger.error, _logger.critical, _logger.log


def set_verbosity(v):
    """The lowest level that is said."""
    if v < WARN and not _logger.handlers:
        _logger.addHandler(_logging.StreamHandler())
    _logger.setLevel(v)


def get_verbosity():
    return _logger.getEffectiveLevel()


def get_logger():
    """Python's logger of the client."""
    return _logger


def log_if(level, msg, condition, *args):
    """Says it where the condition holds."""
    if condition:
        _logger.log(level, msg, *args)


def log_first_n(level, msg, n, *args):
    """Says it the first n times that it is called with this text."""
    _counts[msg] = _counts.get(msg, -1) + 1
    if _counts[msg] < n:
        _logger.log(level, msg, *args)


def flush():
    """Writes out what was said."""
    for handler in _logger.handlers:
        handler.flush()


def log_every_n(level, msg, n, *args):
    """Says every n-th time that it is called with this text."""
    _counts[msg] = _counts.get(msg, -1) + 1
    if _counts[msg] % n == 0:
        _logger.log(level, msg, *args)


_counts = {}

__all__ = """
    DEBUG ERROR FATAL INFO WARN debug error fatal flush get_logger get_verbosity info log
    log_every_n log_first_n log_if set_verbosity warn warning
""".split()
