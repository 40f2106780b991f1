# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.data_flow.accumulators import SparseConditionalAccumulator as SparseConditionalAccumulator
from sluice.ops.sparse.arithmetic import edit_distance as edit_distance
from sluice.ops.sparse.arithmetic import maximum as maximum
from sluice.ops.sparse.arithmetic import minimum as minimum
from sluice.ops.sparse.arithmetic import reduce_max as reduce_max
from sluice.ops.sparse.arithmetic import reduce_max_sparse as reduce_max_sparse
from sluice.ops.sparse.arithmetic import reduce_sum as reduce_sum
from sluice.ops.sparse.arithmetic import reduce_sum_sparse as reduce_sum_sparse
from sluice.ops.sparse.arithmetic import softmax as softmax
from sluice.ops.sparse.arithmetic import sparse_dense_matmul as _ops_sparse_arithmetic_sparse_dense_matmul
matmul = _ops_sparse_arithmetic_sparse_dense_matmul
from sluice.ops.sparse.arithmetic import sparse_dense_matmul as sparse_dense_matmul
from sluice.ops.sparse.crossing import cross as cross
from sluice.ops.sparse.crossing import cross_hashed as cross_hashed
from sluice.ops.sparse.rearranging import concat as concat
from sluice.ops.sparse.rearranging import expand_dims as expand_dims
from sluice.ops.sparse.rearranging import fill_empty_rows as fill_empty_rows
from sluice.ops.sparse.rearranging import mask as mask
from sluice.ops.sparse.rearranging import merge as merge
from sluice.ops.sparse.rearranging import reorder as reorder
from sluice.ops.sparse.rearranging import reset_shape as reset_shape
from sluice.ops.sparse.rearranging import reshape as reshape
from sluice.ops.sparse.rearranging import retain as retain
from sluice.ops.sparse.rearranging import slice as slice
from sluice.ops.sparse.rearranging import split as split
from sluice.ops.sparse.rearranging import transpose as transpose
from sluice.ops.sparse.segments import segment_mean as segment_mean
from sluice.ops.sparse.segments import segment_sqrt_n as segment_sqrt_n
from sluice.ops.sparse.segments import segment_sum as segment_sum
from sluice.ops.sparse.sparse_tensor import SparseTensor as SparseTensor
from sluice.ops.sparse.sparse_tensor import SparseTensorValue as SparseTensorValue
from sluice.ops.sparse.sparse_tensor import add as add
from sluice.ops.sparse.sparse_tensor import eye as eye
from sluice.ops.sparse.sparse_tensor import from_dense as from_dense
from sluice.ops.sparse.sparse_tensor import placeholder as placeholder
from sluice.ops.sparse.sparse_tensor import to_dense as to_dense
from sluice.ops.sparse.sparse_tensor import to_indicator as to_indicator


