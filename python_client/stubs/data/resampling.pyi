# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.types import TensorLike as TensorLike

def rejection_resample(class_func: _Callable[..., _Any], target_dist: TensorLike, initial_dist: _Optional[TensorLike] = ..., seed: _Optional[_b.int] = ...) -> _Callable[..., _Any]: ...
