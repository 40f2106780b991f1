# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import TensorLike as TensorLike

def decode_proto(bytes: TensorLike, message_type: _b.str, field_names: _Sequence[_b.str], output_types: _Any, descriptor_source: _Any = ..., message_format: _b.str = ..., sanitize: _b.bool = ..., name: _Optional[_b.str] = ...) -> _b.tuple[_Any, ...]: ...
def encode_proto(sizes: TensorLike, values: TensorLike, field_names: _Sequence[_b.str], message_type: _b.str, descriptor_source: _Any = ..., name: _Optional[_b.str] = ...) -> Tensor: ...
