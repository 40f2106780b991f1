# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def classifier_parse_example_spec(feature_columns: _Any, label_key: _b.str, label_dtype: _Any = ..., label_default: _Any = ..., weight_column: _Any = ...) -> _Any: ...
def regressor_parse_example_spec(feature_columns: _Any, label_key: _b.str, label_dtype: _Any = ..., label_default: _Any = ..., label_dimension: _b.int = ..., weight_column: _Any = ...) -> _Any: ...
def add_metrics(estimator: _Any, metric_fn: _Callable[..., _Any]) -> _Any: ...
