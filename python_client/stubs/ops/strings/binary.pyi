# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import DTypeLike as DTypeLike
from sluice.types import TensorLike as TensorLike

def encode_base64(input: TensorLike, pad: _b.bool = ..., name: _Optional[_b.str] = ...) -> Tensor: ...
def decode_base64(input: TensorLike, name: _Optional[_b.str] = ...) -> Tensor: ...
def decode_raw(input_bytes: _Optional[TensorLike] = ..., out_type: _Optional[DTypeLike] = ..., little_endian: _b.bool = ..., name: _Optional[_b.str] = ..., bytes: _Any = ...) -> Tensor: ...
