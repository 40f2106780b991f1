# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import TensorLike as TensorLike

def contrastive_loss(labels: _b.bool, embeddings_anchor: TensorLike, embeddings_positive: TensorLike, margin: _b.float = ...) -> Tensor: ...
def triplet_semihard_loss(labels: TensorLike, embeddings: TensorLike, margin: _b.float = ...) -> Tensor: ...
def npairs_loss(labels: TensorLike, embeddings_anchor: TensorLike, embeddings_positive: TensorLike, reg_lambda: _b.float = ..., print_losses: _b.bool = ...) -> Tensor: ...
