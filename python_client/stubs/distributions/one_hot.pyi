# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.distributions.distribution import Distribution as Distribution
from sluice.distributions.numbers import DistributionOfNumbers as DistributionOfNumbers
from sluice.distributions.parts import OfLogits as OfLogits
from sluice.graph.elements import Tensor as Tensor
from sluice.types import DTypeLike as DTypeLike
from sluice.types import TensorLike as TensorLike

class OneHotCategorical(OfLogits, Distribution):
    def __init__(self, logits: _Optional[TensorLike] = ..., probs: _Optional[TensorLike] = ..., dtype: DTypeLike = ..., validate_args: _b.bool = ..., allow_nan_stats: _b.bool = ..., name: _b.str = ...) -> None: ...
    @property
    def event_size(self) -> _Any: ...
class RelaxedOneHotCategorical(OfLogits, Distribution):
    def __init__(self, temperature: TensorLike, logits: _Optional[TensorLike] = ..., probs: _Optional[TensorLike] = ..., dtype: _Optional[DTypeLike] = ..., validate_args: _b.bool = ..., allow_nan_stats: _b.bool = ..., name: _b.str = ...) -> None: ...
    @property
    def event_size(self) -> _Any: ...
    @property
    def temperature(self) -> _Any: ...
class Poisson(DistributionOfNumbers):
    def __init__(self, rate: _Optional[TensorLike] = ..., log_rate: _Any = ..., validate_args: _b.bool = ..., allow_nan_stats: _b.bool = ..., name: _b.str = ...) -> None: ...
    @property
    def rate(self) -> Tensor: ...
    @property
    def log_rate(self) -> Tensor: ...
