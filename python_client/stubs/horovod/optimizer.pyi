# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def DistributedOptimizer(optimizer: _Any, name: _Optional[_b.str] = ..., use_locking: _b.bool = ..., device_dense: _b.str = ..., device_sparse: _Any = ..., compression: _Any = ..., sparse_as_dense: _Any = ..., backward_passes_per_step: _b.int = ..., op: _Any = ..., gradient_predivide_factor: _Any = ..., average_aggregated_gradients: _b.bool = ..., num_groups: _Any = ..., groups: _Any = ..., process_set: _Any = ...) -> _Any: ...
def DistributedGradientTape(gradtape: _Any, device_dense: _b.str = ..., device_sparse: _Any = ..., compression: _Any = ..., sparse_as_dense: _Any = ..., op: _Any = ..., gradient_predivide_factor: _Any = ..., num_groups: _Any = ..., groups: _Any = ..., process_set: _Any = ...) -> _Any: ...
def load_model(filepath: _b.str, custom_optimizers: _Any = ..., custom_objects: _Optional[_b.dict[_Any, _Any]] = ..., compression: _Any = ...) -> _Any: ...
