# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def clone_by(function: _Any) -> None: ...
class DistributedCopy:
    def __init__(self, model: _Any, strategy: _Any, arguments: _Any) -> None: ...
    @staticmethod
    def forget(model: _Any) -> None: ...
