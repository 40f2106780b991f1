# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Operation as Operation

class OpError(_b.Exception):
    error_code: _Any
    op: Operation
    message: _Any
    def __init__(self, node_def: _Any = ..., op: _Any = ..., message: _b.str = ..., error_code: _Optional[_b.int] = ...) -> None: ...
    code: _Any
    @property
    def node_def(self) -> _Any: ...
class CancelledError(OpError):
    code: _Any
class UnknownError(OpError):
    code: _Any
class InvalidArgumentError(OpError):
    code: _Any
class DeadlineExceededError(OpError):
    code: _Any
class NotFoundError(OpError):
    code: _Any
class AlreadyExistsError(OpError):
    code: _Any
class PermissionDeniedError(OpError):
    code: _Any
class ResourceExhaustedError(OpError):
    code: _Any
class FailedPreconditionError(OpError):
    code: _Any
class AbortedError(OpError):
    code: _Any
class OutOfRangeError(OpError):
    code: _Any
class UnimplementedError(OpError):
    code: _Any
class InternalError(OpError):
    code: _Any
class UnavailableError(OpError):
    code: _Any
class DataLossError(OpError):
    code: _Any
class UnauthenticatedError(OpError):
    code: _Any
OK: _Any
CANCELLED: _Any
UNKNOWN: _Any
INVALID_ARGUMENT: _Any
DEADLINE_EXCEEDED: _Any
NOT_FOUND: _Any
ALREADY_EXISTS: _Any
PERMISSION_DENIED: _Any
RESOURCE_EXHAUSTED: _Any
FAILED_PRECONDITION: _Any
ABORTED: _Any
OUT_OF_RANGE: _Any
UNIMPLEMENTED: _Any
INTERNAL: _Any
UNAVAILABLE: _Any
DATA_LOSS: _Any
UNAUTHENTICATED: _Any
def exception_type_from_error_code(error_code: _b.int) -> _Any: ...
def error_code_from_exception_type(cls: _Any) -> _b.int: ...
def raise_for_code(code: _Any, message: _Any) -> None: ...
