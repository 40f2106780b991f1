# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def load_model(filepath: _Any, custom_objects: _Optional[_b.dict[_Any, _Any]] = ..., compile: _b.bool = ...) -> _Any: ...
def load_from_saved_model(saved_model_path: _b.str, custom_objects: _Optional[_b.dict[_Any, _Any]] = ...) -> _Any: ...
