# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.distributions.distribution import Distribution as Distribution
from sluice.distributions.numbers import DistributionOfNumbers as DistributionOfNumbers
from sluice.distributions.numbers import ReparameterizedNumbers as ReparameterizedNumbers
from sluice.distributions.parts import OfConcentration as OfConcentration
from sluice.graph.elements import Tensor as Tensor
from sluice.types import ShapeLike as ShapeLike
from sluice.types import TensorLike as TensorLike

class Gamma(ReparameterizedNumbers):
    def __init__(self, concentration: _Union[ShapeLike, Tensor], rate: TensorLike, validate_args: _b.bool = ..., allow_nan_stats: _b.bool = ..., name: _b.str = ...) -> None: ...
    @property
    def concentration(self) -> Tensor: ...
    @property
    def rate(self) -> Tensor: ...
class Exponential(Gamma):
    def __init__(self, rate: TensorLike, validate_args: _b.bool = ..., allow_nan_stats: _b.bool = ..., name: _b.str = ...) -> None: ...
class Beta(DistributionOfNumbers):
    def __init__(self, concentration1: _Optional[TensorLike] = ..., concentration0: _Optional[TensorLike] = ..., validate_args: _b.bool = ..., allow_nan_stats: _b.bool = ..., name: _b.str = ...) -> None: ...
    @property
    def concentration1(self) -> Tensor: ...
    @property
    def concentration0(self) -> Tensor: ...
    @property
    def total_concentration(self) -> Tensor: ...
class Dirichlet(OfConcentration, Distribution):
    def __init__(self, concentration: TensorLike, validate_args: _b.bool = ..., allow_nan_stats: _b.bool = ..., name: _b.str = ...) -> None: ...
