# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def model_to_estimator(keras_model: _Any = ..., keras_model_path: _Optional[_b.str] = ..., custom_objects: _Optional[_b.dict[_Any, _Any]] = ..., model_dir: _Optional[_b.str] = ..., config: _Any = ..., checkpoint_format: _Optional[_b.str] = ...) -> _Any: ...
