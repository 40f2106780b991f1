# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def enable_resource_variables() -> None: ...
def disable_resource_variables() -> None: ...
def resource_variables_enabled() -> _b.bool: ...
def choose_kind_by(function: _Any) -> None: ...
def is_resource(use_resource: _Any) -> None: ...
class VariableSynchronization:
    AUTO: _Any
    NONE: _Any
    ON_WRITE: _Any
    ON_READ: _Any
class VariableAggregation:
    NONE: _Any
    SUM: _Any
    MEAN: _Any
    ONLY_FIRST_REPLICA: _Any
