# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def unknown_shape(rank: _Optional[_b.int] = ..., **kwargs: _Any) -> None: ...
def normalize_cluster_spec(cluster_spec: _Any) -> None: ...
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
