# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class PredictionKeys:
    CLASSES: _Any
    CLASS_IDS: _Any
    LOGISTIC: _Any
    LOGITS: _Any
    ALL_CLASSES: _Any
    ALL_CLASS_IDS: _Any
    PREDICTIONS: _Any
    PROBABILITIES: _Any
    TOP_K: _Any
class MetricKeys:
    LOSS: _Any
    LOSS_MEAN: _Any
    LOSS_REGULARIZATION: _Any
    ACCURACY: _Any
    ACCURACY_BASELINE: _Any
    PRECISION: _Any
    RECALL: _Any
    AUC: _Any
    AUC_PR: _Any
    LABEL_MEAN: _Any
    PREDICTION_MEAN: _Any
    ACCURACY_AT_THRESHOLD: _Any
    PRECISION_AT_THRESHOLD: _Any
    RECALL_AT_THRESHOLD: _Any
    PRECISION_AT_RECALL: _Any
    PROBABILITY_MEAN_AT_CLASS: _Any
    AUC_AT_CLASS: _Any
    AUC_PR_AT_CLASS: _Any
    PROBABILITY_MEAN_AT_NAME: _Any
    AUC_AT_NAME: _Any
    AUC_PR_AT_NAME: _Any
def get_optimizer_instance(opt: _Callable[..., _Any], learning_rate: _Optional[_b.float] = ...) -> _Any: ...
def multi_class_head(n_classes: _Any, weight_column: _Any = ..., label_vocabulary: _Any = ..., loss_reduction: _Any = ..., loss_fn: _Any = ..., name: _Any = ...) -> None: ...
def binary_head(weight_column: _Any = ..., thresholds: _Any = ..., label_vocabulary: _Any = ..., loss_reduction: _Any = ..., loss_fn: _Any = ..., name: _Any = ...) -> None: ...
def head_of_classes(n_classes: _Any, weight_column: _Any, label_vocabulary: _Any, loss_reduction: _Any) -> None: ...
def regression_head(weight_column: _Any = ..., label_dimension: _Any = ..., loss_reduction: _Any = ..., loss_fn: _Any = ..., inverse_link_fn: _Any = ..., name: _Any = ...) -> None: ...
def dnn_model_fn(features: _Any, labels: _Any, mode: _Any, head: _Any, hidden_units: _Any, feature_columns: _Any, optimizer: _Any = ..., activation_fn: _Any = ..., dropout: _Any = ..., input_layer_partitioner: _Any = ..., config: _Any = ..., use_tpu: _Any = ..., batch_norm: _Any = ...) -> None: ...
def linear_model_fn(features: _Any, labels: _Any, mode: _Any, head: _Any, feature_columns: _Any, optimizer: _Any, partitioner: _Any, config: _Any, sparse_combiner: _Any = ...) -> None: ...
