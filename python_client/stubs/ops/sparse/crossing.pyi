# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.sparse.sparse_tensor import SparseTensor as SparseTensor
from sluice.types import TensorLike as TensorLike

def cross(inputs: _Sequence[TensorLike], name: _Optional[_b.str] = ...) -> SparseTensor: ...
def cross_hashed(inputs: _Sequence[TensorLike], num_buckets: _b.int = ..., hash_key: _Optional[_b.int] = ..., name: _Optional[_b.str] = ...) -> SparseTensor: ...
