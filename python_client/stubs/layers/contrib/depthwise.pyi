# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import TensorLike as TensorLike

def depthwise_convolution(inputs: TensorLike, windows: _Any, weights: _Any, biases: _Any, normalized: _Optional[_Callable[..., _Any]], activation_fn: _Optional[_Callable[..., _Any]], opened: _Any, collections: _Any) -> Tensor: ...
