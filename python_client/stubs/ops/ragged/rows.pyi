# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import DTypeLike as DTypeLike
from sluice.types import TensorLike as TensorLike

def as_splits(value: _Any, name: _Any) -> None: ...
def row_splits_to_segment_ids(splits: TensorLike, name: _Optional[_b.str] = ..., out_type: _Optional[DTypeLike] = ...) -> Tensor: ...
def segment_ids_to_row_splits(segment_ids: TensorLike, num_segments: _Optional[TensorLike] = ..., out_type: _Optional[DTypeLike] = ..., name: _Optional[_b.str] = ...) -> Tensor: ...
