# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def strategy_of(model: _Any) -> None: ...
def common_random(model: _Any) -> _Any: ...
def training(model: _Any, outputs: _Any, strategy: _Any) -> _Any: ...
