# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor

class RegisterKL:
    def __init__(self, dist_cls_a: _Any, dist_cls_b: _Any) -> None: ...
    def __call__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
def kl_divergence(distribution_a: _Any, distribution_b: _Any, allow_nan_stats: _b.bool = ..., name: _Optional[_b.str] = ...) -> Tensor: ...
