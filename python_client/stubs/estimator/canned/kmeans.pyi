# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.estimator.base.estimator import Estimator as Estimator

class KMeansClustering(Estimator):
    def __init__(self, num_clusters: _b.int, model_dir: _Optional[_b.str] = ..., initial_clusters: _Any = ..., distance_metric: _Any = ..., seed: _Optional[_b.int] = ..., use_mini_batch: _b.bool = ..., mini_batch_steps_per_iteration: _b.int = ..., kmeans_plus_plus_num_retries: _b.int = ..., relative_tolerance: _Optional[_b.float] = ..., config: _Any = ..., feature_columns: _Any = ...) -> None: ...
    SQUARED_EUCLIDEAN_DISTANCE: _Any
    COSINE_DISTANCE: _Any
    RANDOM_INIT: _Any
    KMEANS_PLUS_PLUS_INIT: _Any
    SCORE: _Any
    CLUSTER_INDEX: _Any
    ALL_DISTANCES: _Any
    CLUSTER_CENTERS_VAR_NAME: _Any
    def predict_cluster_index(self, input_fn: _Any) -> _Any: ...
    def score(self, input_fn: _Any) -> _Any: ...
    def transform(self, input_fn: _Any) -> _Any: ...
    def cluster_centers(self) -> _Any: ...
class ContribKMeans(KMeansClustering):
    def __init__(self, num_clusters: _Any, model_dir: _Any = ..., initial_clusters: _Any = ..., distance_metric: _Any = ..., random_seed: _b.int = ..., use_mini_batch: _Any = ..., mini_batch_steps_per_iteration: _Any = ..., kmeans_plus_plus_num_retries: _Any = ..., relative_tolerance: _Any = ..., config: _Any = ..., feature_columns: _Any = ...) -> None: ...
