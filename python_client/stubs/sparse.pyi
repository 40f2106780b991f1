# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.data_flow.accumulators import SparseConditionalAccumulator as SparseConditionalAccumulator
from sluice.ops.sparse.sparse import SparseTensor as SparseTensor
from sluice.ops.sparse.sparse import SparseTensorValue as SparseTensorValue
from sluice.ops.sparse.sparse import add as add
from sluice.ops.sparse.sparse import concat as concat
from sluice.ops.sparse.sparse import edit_distance as edit_distance
from sluice.ops.sparse.sparse import expand_dims as expand_dims
from sluice.ops.sparse.sparse import eye as eye
from sluice.ops.sparse.sparse import fill_empty_rows as fill_empty_rows
from sluice.ops.sparse.sparse import from_dense as from_dense
from sluice.ops.sparse.sparse import mask as mask
from sluice.ops.sparse.sparse import maximum as maximum
from sluice.ops.sparse.sparse import merge as merge
from sluice.ops.sparse.sparse import minimum as minimum
from sluice.ops.sparse.sparse import placeholder as placeholder
from sluice.ops.sparse.sparse import reduce_max as reduce_max
from sluice.ops.sparse.sparse import reduce_max_sparse as reduce_max_sparse
from sluice.ops.sparse.sparse import reduce_sum as reduce_sum
from sluice.ops.sparse.sparse import reduce_sum_sparse as reduce_sum_sparse
from sluice.ops.sparse.sparse import reorder as reorder
from sluice.ops.sparse.sparse import reset_shape as reset_shape
from sluice.ops.sparse.sparse import reshape as reshape
from sluice.ops.sparse.sparse import retain as retain
from sluice.ops.sparse.sparse import segment_mean as segment_mean
from sluice.ops.sparse.sparse import segment_sqrt_n as segment_sqrt_n
from sluice.ops.sparse.sparse import segment_sum as segment_sum
from sluice.ops.sparse.sparse import slice as slice
from sluice.ops.sparse.sparse import softmax as softmax
from sluice.ops.sparse.sparse import sparse_dense_matmul as _ops_sparse_sparse_sparse_dense_matmul
matmul = _ops_sparse_sparse_sparse_dense_matmul
from sluice.ops.sparse.sparse import sparse_dense_matmul as sparse_dense_matmul
from sluice.ops.sparse.sparse import split as split
from sluice.ops.sparse.sparse import to_dense as to_dense
from sluice.ops.sparse.sparse import to_indicator as to_indicator
from sluice.ops.sparse.sparse import transpose as transpose


