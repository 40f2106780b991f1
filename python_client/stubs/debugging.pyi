# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.debug.checks import Assert as Assert
from sluice.ops.debug.assertions import verify_tensor_all_finite as _ops_debug_assertions_verify_tensor_all_finite
assert_all_finite = _ops_debug_assertions_verify_tensor_all_finite
from sluice.ops.debug.assertions import assert_equal as assert_equal
from sluice.ops.debug.assertions import assert_greater as assert_greater
from sluice.ops.debug.assertions import assert_greater_equal as assert_greater_equal
from sluice.ops.debug.assertions import assert_integer as assert_integer
from sluice.ops.debug.assertions import assert_less as assert_less
from sluice.ops.debug.assertions import assert_less_equal as assert_less_equal
from sluice.ops.debug.assertions import assert_near as assert_near
from sluice.ops.debug.assertions import assert_negative as assert_negative
from sluice.ops.debug.assertions import assert_non_negative as assert_non_negative
from sluice.ops.debug.assertions import assert_non_positive as assert_non_positive
from sluice.ops.debug.assertions import assert_none_equal as assert_none_equal
from sluice.ops.debug.assertions import assert_positive as assert_positive
from sluice.ops.debug.assertions import assert_proper_iterable as assert_proper_iterable
from sluice.ops.debug.assertions import assert_rank as assert_rank
from sluice.ops.debug.assertions import assert_rank_at_least as assert_rank_at_least
from sluice.ops.debug.assertions import assert_rank_in as assert_rank_in
from sluice.ops.debug.assertions import assert_same_float_dtype as assert_same_float_dtype
from sluice.ops.debug.assertions import assert_scalar as assert_scalar
from sluice.ops.debug.shape_assertions import assert_shapes as assert_shapes
from sluice.ops.debug.assertions import assert_type as assert_type
from sluice.ops.debug.checks import check_numerics as check_numerics
from sluice.ops.math.comparison import is_finite as is_finite
from sluice.ops.math.comparison import is_inf as is_inf
from sluice.ops.math.comparison import is_nan as is_nan
from sluice.ops.math.ranking import is_non_decreasing as is_non_decreasing
from sluice.ops.debug.assertions import is_numeric_tensor as is_numeric_tensor
from sluice.ops.math.ranking import is_strictly_increasing as is_strictly_increasing
