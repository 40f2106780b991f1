# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.types import TensorLike as TensorLike

class LinearSDCA:
    adaptive: _Any
    example_id_column: _Any
    num_loss_partitions: _Any
    l1: _Any
    l2: _Any
    def __init__(self, example_id_column: TensorLike, num_loss_partitions: _b.int = ..., num_table_shards: _Any = ..., symmetric_l1_regularization: _b.float = ..., symmetric_l2_regularization: _b.float = ..., adaptive: _b.bool = ...) -> None: ...
def check_use(optimizer: _Any, size: _b.int, sparse_combiner: _b.str, of_classes: _b.bool) -> None: ...
def estimator_spec(sdca: _Any, head: _Any, columns: _Any, features: TensorLike, labels: TensorLike, mode: _Any) -> None: ...
