# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.types import TensorLike as TensorLike

def choose_from_datasets(datasets: _Any, choice_dataset: _Any) -> _Any: ...
def sample_from_datasets(datasets: _Any, weights: _Optional[TensorLike] = ..., seed: _Optional[_b.int] = ...) -> _Any: ...
def mapped_in_line(dataset: _Any, function: _Any) -> None: ...
