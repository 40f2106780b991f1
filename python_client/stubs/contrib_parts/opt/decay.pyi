# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Operation as Operation
from sluice.training.optimizers import AdamOptimizer as AdamOptimizer
from sluice.training.optimizers import MomentumOptimizer as MomentumOptimizer
from sluice.types import TensorLike as TensorLike

class DecoupledWeightDecayExtension:
    def __init__(self, weight_decay: TensorLike, **kwargs: _Any) -> None: ...
    def minimize(self, loss: TensorLike, global_step: _Any = ..., var_list: _Any = ..., gate_gradients: _Any = ..., aggregation_method: _Any = ..., colocate_gradients_with_ops: _Any = ..., name: _Optional[_b.str] = ..., grad_loss: _Optional[TensorLike] = ..., decay_var_list: _Any = ...) -> Operation: ...
    def apply_gradients(self, grads_and_vars: _Any, global_step: _Any = ..., name: _Optional[_b.str] = ..., decay_var_list: _Any = ...) -> Operation: ...
def extend_with_decoupled_weight_decay(base_optimizer: _Any) -> _Any: ...
class MomentumWOptimizer(DecoupledWeightDecayExtension, MomentumOptimizer):
    def __init__(self, weight_decay: TensorLike, learning_rate: TensorLike, momentum: TensorLike, use_locking: _b.bool = ..., name: _b.str = ..., use_nesterov: _b.bool = ...) -> None: ...
class AdamWOptimizer(DecoupledWeightDecayExtension, AdamOptimizer):
    def __init__(self, weight_decay: TensorLike, learning_rate: TensorLike = ..., beta1: _b.float = ..., beta2: _b.float = ..., epsilon: _Any = ..., use_locking: _b.bool = ..., name: _b.str = ...) -> None: ...
