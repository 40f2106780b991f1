# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.linalg.linalg import adjoint as adjoint
from sluice.ops.linalg.linalg import band_part as band_part
from sluice.ops.linalg.linalg import cholesky as cholesky
from sluice.ops.linalg.linalg import cholesky_solve as cholesky_solve
from sluice.ops.linalg.linalg import cross as cross
from sluice.ops.linalg.linalg import det as det
from sluice.ops.linalg.linalg import diag as diag
from sluice.ops.linalg.linalg import diag_part as diag_part
from sluice.ops.linalg.linalg import eigh as eigh
from sluice.ops.linalg.linalg import eigvalsh as eigvalsh
from sluice.ops.linalg.linalg import einsum as einsum
from sluice.ops.linalg.linalg import expm as expm
from sluice.ops.linalg.linalg import eye as eye
from sluice.ops.linalg.linalg import inv as inv
from sluice.ops.linalg.linalg import l2_normalize as l2_normalize
from sluice.ops.linalg.linalg import logdet as logdet
from sluice.ops.linalg.linalg import logm as logm
from sluice.ops.linalg.linalg import lstsq as lstsq
from sluice.ops.linalg.linalg import lu as lu
from sluice.ops.linalg.linalg import matmul as matmul
from sluice.ops.linalg.linalg import matrix_rank as matrix_rank
from sluice.ops.linalg.linalg import matvec as matvec
from sluice.ops.linalg.linalg import norm as norm
from sluice.ops.linalg.linalg import normalize as normalize
from sluice.ops.linalg.linalg import pinv as pinv
from sluice.ops.linalg.linalg import qr as qr
from sluice.ops.linalg.linalg import set_diag as set_diag
from sluice.ops.linalg.linalg import slogdet as slogdet
from sluice.ops.linalg.linalg import solve as solve
from sluice.ops.linalg.linalg import sparse_matmul as sparse_matmul
from sluice.ops.linalg.linalg import sqrtm as sqrtm
from sluice.ops.linalg.linalg import svd as svd
from sluice.ops.linalg.linalg import tensor_diag as tensor_diag
from sluice.ops.linalg.linalg import tensor_diag_part as tensor_diag_part
from sluice.ops.linalg.linalg import tensordot as tensordot
from sluice.ops.linalg.linalg import trace as trace
from sluice.ops.linalg.linalg import transpose as _ops_linalg_linalg_transpose
matrix_transpose = _ops_linalg_linalg_transpose
from sluice.ops.linalg.linalg import transpose as transpose
from sluice.ops.linalg.linalg import triangular_solve as triangular_solve
from sluice.ops.linalg.linalg import tridiagonal_matmul as tridiagonal_matmul
from sluice.ops.linalg.linalg import tridiagonal_solve as tridiagonal_solve
from sluice.ops.math.clipping import global_norm as global_norm


