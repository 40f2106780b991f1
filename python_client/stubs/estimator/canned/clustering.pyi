# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.types import TensorLike as TensorLike

class KMeans:
    def __init__(self, inputs: TensorLike, num_clusters: TensorLike, initial_clusters: _Any = ..., distance_metric: _b.str = ..., use_mini_batch: _b.bool = ..., mini_batch_steps_per_iteration: _b.int = ..., random_seed: _b.int = ..., kmeans_plus_plus_num_retries: _b.int = ..., kmc2_chain_length: _b.int = ...) -> None: ...
    def training_graph(self) -> _b.tuple[_Any, ...]: ...
def check_choices(initial_clusters: _Any, distance_metric: _Any, known: _Any) -> None: ...
