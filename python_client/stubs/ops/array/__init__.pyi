# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.array.arrays import Assert as Assert
from sluice.ops.array.arrays import Print as Print
from sluice.ops.array.arrays import batch_to_space_nd as batch_to_space_nd
from sluice.ops.array.arrays import bitcast as bitcast
from sluice.ops.array.arrays import boolean_mask as boolean_mask
from sluice.ops.array.arrays import broadcast_dynamic_shape as broadcast_dynamic_shape
from sluice.ops.array.arrays import broadcast_static_shape as broadcast_static_shape
from sluice.ops.array.arrays import broadcast_to as broadcast_to
from sluice.ops.array.arrays import cast as cast
from sluice.ops.array.arrays import check_numerics as check_numerics
from sluice.ops.array.arrays import concat as concat
from sluice.ops.array.arrays import dynamic_partition as dynamic_partition
from sluice.ops.array.arrays import dynamic_stitch as dynamic_stitch
from sluice.ops.array.arrays import ensure_shape as ensure_shape
from sluice.ops.array.arrays import expand_dims as expand_dims
from sluice.ops.array.arrays import fill as fill
from sluice.ops.array.arrays import gather as gather
from sluice.ops.array.arrays import gather_nd as gather_nd
from sluice.ops.array.arrays import group as group
from sluice.ops.array.arrays import guarantee_const as guarantee_const
from sluice.ops.array.arrays import identity as identity
from sluice.ops.array.arrays import identity_n as identity_n
from sluice.ops.array.arrays import linspace as linspace
from sluice.ops.array.arrays import meshgrid as meshgrid
from sluice.ops.array.arrays import no_op as no_op
from sluice.ops.array.arrays import one_hot as one_hot
from sluice.ops.array.arrays import ones as ones
from sluice.ops.array.arrays import ones_like as ones_like
from sluice.ops.array.arrays import pad as pad
from sluice.ops.array.arrays import parallel_stack as parallel_stack
from sluice.ops.array.arrays import placeholder_with_default as placeholder_with_default
from sluice.ops.array.arrays import range as range
from sluice.ops.array.arrays import rank as rank
from sluice.ops.array.arrays import reshape as reshape
from sluice.ops.array.arrays import reverse as reverse
from sluice.ops.array.arrays import reverse_sequence as reverse_sequence
from sluice.ops.array.arrays import roll as roll
from sluice.ops.array.arrays import saturate_cast as saturate_cast
from sluice.ops.array.arrays import scatter_nd as scatter_nd
from sluice.ops.array.arrays import searchsorted as searchsorted
from sluice.ops.array.arrays import searchsorted_left as searchsorted_left
from sluice.ops.array.arrays import searchsorted_right as searchsorted_right
from sluice.ops.array.arrays import sequence_mask as sequence_mask
from sluice.ops.array.arrays import setdiff1d as setdiff1d
from sluice.ops.array.arrays import shape as shape
from sluice.ops.array.arrays import shape_n as shape_n
from sluice.ops.array.arrays import size as size
from sluice.ops.array.arrays import slice as slice
from sluice.ops.array.arrays import space_to_batch_nd as space_to_batch_nd
from sluice.ops.array.arrays import split as split
from sluice.ops.array.arrays import squeeze as squeeze
from sluice.ops.array.arrays import stack as stack
from sluice.ops.array.arrays import stop_gradient as stop_gradient
from sluice.ops.array.arrays import strided_slice as strided_slice
from sluice.ops.array.arrays import tensor_scatter_add as tensor_scatter_add
from sluice.ops.array.arrays import tensor_scatter_sub as tensor_scatter_sub
from sluice.ops.array.arrays import tensor_scatter_update as tensor_scatter_update
from sluice.ops.array.arrays import tile as tile
from sluice.ops.array.arrays import transpose as transpose
from sluice.ops.array.arrays import tuple as tuple
from sluice.ops.array.arrays import unique as unique
from sluice.ops.array.arrays import unique_with_counts as unique_with_counts
from sluice.ops.array.arrays import unravel_index as unravel_index
from sluice.ops.array.arrays import unstack as unstack
from sluice.ops.array.arrays import where as where
from sluice.ops.array.arrays import where_v2 as where_v2
from sluice.ops.array.arrays import zeros as zeros
from sluice.ops.array.arrays import zeros_like as zeros_like


