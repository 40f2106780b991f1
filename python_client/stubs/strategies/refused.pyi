# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class TPUStrategy:
    def __init__(self, *args: _Any, **kwargs: _Any) -> None: ...
    use: _Any
class TPUClusterResolver:
    def __init__(self, *args: _Any, **kwargs: _Any) -> None: ...
    use: _Any
class GCEClusterResolver:
    def __init__(self, *args: _Any, **kwargs: _Any) -> None: ...
    use: _Any
