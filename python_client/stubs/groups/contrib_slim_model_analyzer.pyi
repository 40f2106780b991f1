# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.contrib_parts.slim.model_analyzer import analyze_ops as analyze_ops
from sluice.contrib_parts.slim.model_analyzer import analyze_vars as analyze_vars
from sluice.contrib_parts.slim.model_analyzer import tensor_description as tensor_description
