# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.sparse.sets import difference as difference
from sluice.ops.sparse.sets import intersection as intersection
from sluice.ops.sparse.sets import size as size
from sluice.ops.sparse.sets import union as union


