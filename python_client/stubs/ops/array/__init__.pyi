# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.array.casting import bitcast as bitcast
from sluice.ops.array.casting import cast as cast
from sluice.ops.array.casting import saturate_cast as saturate_cast
from sluice.ops.array.cutting import dynamic_partition as dynamic_partition
from sluice.ops.array.cutting import slice as slice
from sluice.ops.array.cutting import split as split
from sluice.ops.array.cutting import strided_slice as strided_slice
from sluice.ops.array.cutting import unstack as unstack
from sluice.ops.array.filling import fill as fill
from sluice.ops.array.filling import meshgrid as meshgrid
from sluice.ops.array.filling import ones as ones
from sluice.ops.array.filling import ones_like as ones_like
from sluice.ops.array.filling import zeros as zeros
from sluice.ops.array.filling import zeros_like as zeros_like
from sluice.ops.array.indexing import gather as gather
from sluice.ops.array.indexing import gather_nd as gather_nd
from sluice.ops.array.indexing import scatter_nd as scatter_nd
from sluice.ops.array.indexing import tensor_scatter_add as tensor_scatter_add
from sluice.ops.array.indexing import tensor_scatter_sub as tensor_scatter_sub
from sluice.ops.array.indexing import tensor_scatter_update as tensor_scatter_update
from sluice.ops.array.indexing import unravel_index as unravel_index
from sluice.ops.array.joining import concat as concat
from sluice.ops.array.joining import dynamic_stitch as dynamic_stitch
from sluice.ops.array.joining import parallel_stack as parallel_stack
from sluice.ops.array.joining import stack as stack
from sluice.ops.array.moving import batch_to_space_nd as batch_to_space_nd
from sluice.ops.array.moving import invert_permutation as invert_permutation
from sluice.ops.array.moving import reverse as reverse
from sluice.ops.array.moving import reverse_sequence as reverse_sequence
from sluice.ops.array.moving import roll as roll
from sluice.ops.array.moving import space_to_batch_nd as space_to_batch_nd
from sluice.ops.array.passing import guarantee_const as guarantee_const
from sluice.ops.array.passing import identity as identity
from sluice.ops.array.passing import identity_n as identity_n
from sluice.ops.array.passing import placeholder_with_default as placeholder_with_default
from sluice.ops.array.passing import stop_gradient as stop_gradient
from sluice.ops.array.ranges import linspace as linspace
from sluice.ops.array.ranges import range as range
from sluice.ops.array.searching import searchsorted as searchsorted
from sluice.ops.array.searching import searchsorted_left as searchsorted_left
from sluice.ops.array.searching import searchsorted_right as searchsorted_right
from sluice.ops.array.searching import setdiff1d as setdiff1d
from sluice.ops.array.searching import unique as unique
from sluice.ops.array.searching import unique_with_counts as unique_with_counts
from sluice.ops.array.selecting import boolean_mask as boolean_mask
from sluice.ops.array.selecting import one_hot as one_hot
from sluice.ops.array.selecting import sequence_mask as sequence_mask
from sluice.ops.array.selecting import where as where
from sluice.ops.array.selecting import where_v2 as where_v2
from sluice.ops.array.shapes import broadcast_dynamic_shape as broadcast_dynamic_shape
from sluice.ops.array.shapes import broadcast_static_shape as broadcast_static_shape
from sluice.ops.array.shapes import ensure_shape as ensure_shape
from sluice.ops.array.shapes import rank as rank
from sluice.ops.array.shapes import shape as shape
from sluice.ops.array.shapes import shape_n as shape_n
from sluice.ops.array.shapes import size as size
from sluice.ops.array.shaping import broadcast_to as broadcast_to
from sluice.ops.array.shaping import expand_dims as expand_dims
from sluice.ops.array.shaping import pad as pad
from sluice.ops.array.shaping import reshape as reshape
from sluice.ops.array.shaping import squeeze as squeeze
from sluice.ops.array.shaping import tile as tile
from sluice.ops.array.shaping import transpose as transpose


