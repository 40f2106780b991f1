# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.fitting.optimizers import Optimizer as Optimizer
from sluice.types import TensorLike as TensorLike

class SGD(Optimizer):
    nesterov: _Any
    def __init__(self, learning_rate: TensorLike = ..., momentum: _b.float = ..., nesterov: _b.bool = ..., name: _b.str = ..., **kwargs: _Any) -> None: ...
    hypers: _Any
    options: _Any
class RMSprop(Optimizer):
    epsilon: _Any
    centered: _Any
    def __init__(self, learning_rate: TensorLike = ..., rho: _b.float = ..., momentum: _b.float = ..., epsilon: _Any = ..., centered: _b.bool = ..., name: _b.str = ..., **kwargs: _Any) -> None: ...
    hypers: _Any
    options: _Any
class Adagrad(Optimizer):
    initial_accumulator_value: _Any
    epsilon: _Any
    def __init__(self, learning_rate: TensorLike = ..., initial_accumulator_value: _b.float = ..., epsilon: _Any = ..., name: _b.str = ..., **kwargs: _Any) -> None: ...
    hypers: _Any
    options: _Any
    @classmethod
    def from_config(cls, config: _Any, custom_objects: _Any = ...) -> _Any: ...
class Adadelta(Optimizer):
    epsilon: _Any
    def __init__(self, learning_rate: TensorLike = ..., rho: _b.float = ..., epsilon: _Any = ..., name: _b.str = ..., **kwargs: _Any) -> None: ...
    hypers: _Any
    options: _Any
class Adam(Optimizer):
    amsgrad: _Any
    def __init__(self, learning_rate: TensorLike = ..., beta_1: _b.float = ..., beta_2: _b.float = ..., epsilon: _Any = ..., amsgrad: _b.bool = ..., name: _b.str = ..., **kwargs: _Any) -> None: ...
    hypers: _Any
    options: _Any
class Adamax(Optimizer):
    def __init__(self, learning_rate: TensorLike = ..., beta_1: _b.float = ..., beta_2: _b.float = ..., epsilon: _Any = ..., name: _b.str = ..., **kwargs: _Any) -> None: ...
    hypers: _Any
    options: _Any
class Nadam(Optimizer):
    def __init__(self, learning_rate: _b.float = ..., beta_1: _b.float = ..., beta_2: _b.float = ..., epsilon: _Any = ..., name: _b.str = ..., **kwargs: _Any) -> None: ...
    hypers: _Any
    options: _Any
class Ftrl(Optimizer):
    initial_accumulator_value: _Any
    l2_shrinkage_regularization_strength: _Any
    def __init__(self, learning_rate: TensorLike = ..., learning_rate_power: _b.float = ..., initial_accumulator_value: _b.float = ..., l1_regularization_strength: _b.float = ..., l2_regularization_strength: _b.float = ..., name: _b.str = ..., l2_shrinkage_regularization_strength: _b.float = ..., **kwargs: _Any) -> None: ...
    hypers: _Any
    options: _Any
def serialize(optimizer: _Any) -> _Any: ...
def deserialize(config: _Any, custom_objects: _Optional[_b.dict[_Any, _Any]] = ...) -> _Any: ...
def get(identifier: _Any) -> _Any: ...
