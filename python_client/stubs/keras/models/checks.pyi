# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def check_static(model: _Any) -> None: ...
def check_batch(inputs: _Any, targets: _Any, weights: _Any, outputs: _Any) -> None: ...
def batch_size_of(model: _Any, given: _Optional[_b.int], count: _Optional[_b.int]) -> _Any: ...
