# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class ChiefServer:
    port: _Any
    def __init__(self, host: _Any, port: _Any, token: _Any, others: _Any) -> None: ...
    def end(self, status: _Any, grace: _Any) -> None: ...
def wait_for_chief(address: _Any, token: _Any, name: _Any, stays: _Any, again: _Any) -> None: ...
