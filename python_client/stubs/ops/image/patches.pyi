# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import TensorLike as TensorLike

def extract_image_patches(images: TensorLike, ksizes: _Optional[_b.int] = ..., strides: _Optional[_b.int] = ..., rates: _Optional[_b.int] = ..., padding: _Any = ..., name: _Optional[_b.str] = ..., sizes: _Any = ...) -> Tensor: ...
def extract_volume_patches(input: TensorLike, ksizes: _b.int, strides: _b.int, padding: _Any, name: _Optional[_b.str] = ...) -> Tensor: ...
def extract_patches(images: TensorLike, sizes: _Any, strides: _Any, rates: _Any, padding: _b.str, name: _Optional[_b.str] = ...) -> Tensor: ...
