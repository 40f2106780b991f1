# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import TensorLike as TensorLike

def tile_batch(t: TensorLike, multiplier: _b.int, name: _Optional[_b.str] = ...) -> Tensor: ...
def gather_tree(step_ids: TensorLike, parent_ids: TensorLike, max_sequence_lengths: TensorLike, end_token: TensorLike, name: _Optional[_b.str] = ...) -> Tensor: ...
def gather_tree_from_array(t: TensorLike, parent_ids: TensorLike, sequence_length: TensorLike) -> Tensor: ...
