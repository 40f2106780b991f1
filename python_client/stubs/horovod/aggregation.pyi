# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class LocalGradients:
    def __init__(self, passes: _Any, average: _Any, name: _Any, process_set: _Any) -> None: ...
    def added(self, pairs: _Any, reduce: _Any) -> None: ...
    def applied(self, optimizer: _Any, pairs: _Any, global_step: _Any, name: _Any) -> None: ...
