# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.feature_column.columns import CategoricalColumn as CategoricalColumn

class CrossedColumn(CategoricalColumn):
    @property
    def name(self) -> _b.str: ...
    @property
    def num_buckets(self) -> _Any: ...
    @property
    def parse_example_spec(self) -> _Any: ...
    def transform(self, features: _Any) -> None: ...
def crossed_column(keys: _Any, hash_bucket_size: _b.int, hash_key: _Optional[_b.int] = ...) -> _Any: ...
