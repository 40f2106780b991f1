# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class TestCase:
    def tearDown(self) -> None: ...
def run_with_all_model_types(test_or_class: _Any = ..., exclude_models: _Optional[_Sequence[_b.str]] = ...) -> _Any: ...
def run_all_keras_modes(test_or_class: _Any = ..., config: _Any = ..., always_skip_v1: _b.bool = ..., always_skip_eager: _Any = ...) -> _Any: ...
