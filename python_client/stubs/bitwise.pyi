# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.math.bitwise import bitwise_and as bitwise_and
from sluice.ops.math.bitwise import bitwise_or as bitwise_or
from sluice.ops.math.bitwise import bitwise_xor as bitwise_xor
from sluice.ops.math.bitwise import invert as invert
from sluice.ops.math.bitwise import left_shift as left_shift
from sluice.ops.math.bitwise import population_count as population_count
from sluice.ops.math.bitwise import right_shift as right_shift


