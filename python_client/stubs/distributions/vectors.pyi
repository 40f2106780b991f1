# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.distributions.distribution import Distribution as Distribution
from sluice.graph.elements import Tensor as Tensor
from sluice.types import TensorLike as TensorLike

class MultivariateNormalDiag(Distribution):
    def __init__(self, loc: _Optional[TensorLike] = ..., scale_diag: _Optional[TensorLike] = ..., scale_identity_multiplier: _Optional[TensorLike] = ..., validate_args: _b.bool = ..., allow_nan_stats: _b.bool = ..., name: _b.str = ...) -> None: ...
    @property
    def loc(self) -> Tensor: ...
    @property
    def scale(self) -> _Any: ...
class Independent(Distribution):
    def __init__(self, distribution: _Any, reinterpreted_batch_ndims: _Optional[_b.int] = ..., validate_args: _b.bool = ..., name: _Optional[_b.str] = ...) -> None: ...
    @property
    def distribution(self) -> _Any: ...
    @property
    def reinterpreted_batch_ndims(self) -> _Any: ...
