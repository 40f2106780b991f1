# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.autograph.public import do_not_convert as do_not_convert
from sluice.autograph.public import to_code as to_code
from sluice.autograph.public import to_graph as to_graph
