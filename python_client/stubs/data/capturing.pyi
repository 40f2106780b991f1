# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.functions.tracing import Body as Body

class ByValue(Body):
    def __init__(self, outer: _Any) -> None: ...
    def capture(self, tensor: _Any) -> None: ...
