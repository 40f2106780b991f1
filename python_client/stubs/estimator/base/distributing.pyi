# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def trained(strategy: _Any, call_input_fn: _Any, call_model_fn: _Any, seed: _Optional[_b.int]) -> _Any: ...
def measured(strategy: _Any, call_input_fn: _Any, call_model_fn: _Any) -> _Any: ...
