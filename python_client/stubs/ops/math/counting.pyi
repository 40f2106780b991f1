# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import DTypeLike as DTypeLike
from sluice.types import TensorLike as TensorLike

def histogram_fixed_width_bins(values: TensorLike, value_range: _Any, nbins: TensorLike = ..., dtype: DTypeLike = ..., name: _Optional[_b.str] = ...) -> Tensor: ...
def histogram_fixed_width(values: TensorLike, value_range: _Any, nbins: TensorLike = ..., dtype: DTypeLike = ..., name: _Optional[_b.str] = ...) -> Tensor: ...
def bincount(arr: TensorLike, weights: _Optional[TensorLike] = ..., minlength: _Optional[_b.int] = ..., maxlength: _Optional[_b.int] = ..., dtype: DTypeLike = ...) -> Tensor: ...
