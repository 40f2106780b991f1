# SPDX-License-Identifier: Apache-2.0
"""Errors of graphs and sessions: one class for each status code, 1 to 16."""


class OpError(Exception):
    """An error that the runtime reports: the base class of all others here.

    `message` is its text. Of a step it names op, device and task, and ends with the line of the
    program that made the op. `op` is the Operation of the session's graph that failed, `node_def`
    its NodeDef; they are None if no single one did. `error_code` is the status code.

    Args:
        node_def: The NodeDef of the operation; or the message, if it is the only argument.
        op: The Operation. None: it is not known.
        message: The text, a str.
        error_code: The status code, an int. None: that of the class.
    """

    code = 2

    def __init__(self, node_def=None, op=None, message="", error_code=None):
        if isinstance(node_def, str):  # the message alone
            node_def, message = None, node_def
        super().__init__(message)
        self._node_def, self.op, self.message = node_def, op, message
        self.error_code = self.code if error_code is None else error_code

    @property
    def node_def(self):
        """The NodeDef of the operation that failed; None if it is not known."""
        if self._node_def is None and self.op is not None:
            self._node_def = self.op.node_def
        return self._node_def


_BY_CODE = {}


def _error(name, code, doc):
    given = OpError.__doc__.partition("\n\n    Args:")[2]
    doc = f"{doc}\n\n    Args:{given}"
    cls = type(name, (OpError,), {"code": code, "__doc__": doc, "__module__": __name__})
    _BY_CODE[code] = cls
    return cls


CancelledError = _error("CancelledError", 1, "The step, or what it waited for, was cancelled.")
UnknownError = _error("UnknownError", 2, "An error without a better code.")
InvalidArgumentError = _error("InvalidArgumentError", 3, "An argument, feed or node does not fit.")
DeadlineExceededError = _error("DeadlineExceededError", 4, "The step took longer than its limit.")
NotFoundError = _error("NotFoundError", 5, "A named tensor, op, file or resource is not there.")
AlreadyExistsError = _error("AlreadyExistsError", 6, "The object to be made exists already.")
PermissionDeniedError = _error("PermissionDeniedError", 7, "The caller may not do this.")
ResourceExhaustedError = _error("ResourceExhaustedError", 8, "Memory or another limit is used up.")
FailedPreconditionError = _error(
    "FailedPreconditionError", 9, "The state does not allow it: an uninitialised variable."
)
AbortedError = _error("AbortedError", 10, "A task was restarted, or the session's work was lost.")
OutOfRangeError = _error("OutOfRangeError", 11, "The input ended.")
UnimplementedError = _error("UnimplementedError", 12, "No kernel or gradient for this op.")
InternalError = _error("InternalError", 13, "A defect of the runtime.")
UnavailableError = _error("UnavailableError", 14, "A task does not answer.")
DataLossError = _error("DataLossError", 15, "Data is damaged or cut off.")
UnauthenticatedError = _error("UnauthenticatedError", 16, "The caller did not say who it is.")


OK, CANCELLED, UNKNOWN, INVALID_ARGUMENT, DEADLINE_EXCEEDED, NOT_FOUND, ALREADY_EXISTS = range(7)
PERMISSION_DENIED, RESOURCE_EXHAUSTED, FAILED_PRECONDITION, ABORTED, OUT_OF_RANGE = range(7, 12)
UNIMPLEMENTED, INTERNAL, UNAVAILABLE, DATA_LOSS, UNAUTHENTICATED = range(12, 17)


def exception_type_from_error_code(error_code):
    """Returns the class of errors for a status code.

    Args:
        error_code: The status code, an int from 1 to 16.

    Returns:
        A subclass of OpError.

    Raises:
        KeyError: There is no such code.

    Example:
        >>> sl.errors.exception_type_from_error_code(sl.errors.NOT_FOUND).__name__
        'NotFoundError'
    """
    return _BY_CODE[error_code]


def error_code_from_exception_type(cls):
    """Returns the status code of a class of errors.

    Args:
        cls: A subclass of OpError.

    Returns:
        An int from 1 to 16.

    Raises:
        AttributeError: The class is not one of this module.
    """
    return cls.code


def raise_for_code(code, message):
    """Raises the class of a status code with the runtime's message (bytes)."""
    raise _BY_CODE.get(code, UnknownError)(message.decode("utf-8", "replace"))


__all__ = [
    "OpError", "error_code_from_exception_type", "exception_type_from_error_code",
    *(error.__name__ for error in _BY_CODE.values()),
    *(name for name in globals() if name.isupper() and not name.startswith("_")),
]  # fmt: skip
