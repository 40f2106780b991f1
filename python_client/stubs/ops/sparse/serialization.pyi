# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.ops.sparse.sparse_tensor import SparseTensor as SparseTensor
from sluice.types import DTypeLike as DTypeLike
from sluice.types import TensorLike as TensorLike

def serialize_sparse(sp_input: SparseTensor, name: _Optional[_b.str] = ..., out_type: DTypeLike = ...) -> Tensor: ...
def serialize_many_sparse(sp_input: SparseTensor, name: _Optional[_b.str] = ..., out_type: DTypeLike = ...) -> Tensor: ...
def deserialize_many_sparse(serialized_sparse: TensorLike, dtype: DTypeLike, rank: _Any = ..., name: _Optional[_b.str] = ...) -> SparseTensor: ...
