# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.ragged.combining import boolean_mask as boolean_mask
from sluice.ops.ragged.combining import stack as stack
from sluice.ops.ragged.combining import stack_dynamic_partitions as stack_dynamic_partitions
from sluice.ops.ragged.elementwise import map_flat_values as map_flat_values
from sluice.ops.ragged.making import constant as constant
from sluice.ops.ragged.making import constant_value as constant_value
from sluice.ops.ragged.making import placeholder as placeholder
from sluice.ops.ragged.making import range as range
from sluice.ops.ragged.ragged_value import RaggedTensorValue as RaggedTensorValue
from sluice.ops.ragged.rows import row_splits_to_segment_ids as row_splits_to_segment_ids
from sluice.ops.ragged.rows import segment_ids_to_row_splits as segment_ids_to_row_splits


