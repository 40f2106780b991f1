# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.estimator.base.estimator import Estimator as Estimator
from sluice.types import TensorLike as TensorLike

class TPUEstimatorSpec(_b.tuple[_Any, ...]):
    def __init__(self, mode: _Any, predictions: _Any = ..., loss: _Any = ..., train_op: _Any = ..., eval_metrics: _Optional[TensorLike] = ..., export_outputs: _Any = ..., scaffold_fn: _Optional[_Callable[..., _Any]] = ..., host_call: _Any = ..., training_hooks: _Any = ..., evaluation_hooks: _Any = ..., prediction_hooks: _Any = ...) -> None: ...
    def as_estimator_spec(self) -> _Any: ...
class TPUEstimator(Estimator):
    def __init__(self, model_fn: _Any = ..., model_dir: _Any = ..., config: _Any = ..., params: _Any = ..., use_tpu: _Any = ..., train_batch_size: _Optional[_b.int] = ..., eval_batch_size: _Any = ..., predict_batch_size: _Any = ..., batch_axis: _Any = ..., eval_on_tpu: _Any = ..., export_to_tpu: _Any = ..., export_to_cpu: _Any = ..., warm_start_from: _Any = ..., embedding_config_spec: _Any = ..., export_saved_model_api_version: _Any = ...) -> None: ...
