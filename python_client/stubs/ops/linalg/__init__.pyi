# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.array.diagonals import band_part as band_part
from sluice.ops.array.diagonals import diag as diag
from sluice.ops.array.diagonals import diag_part as diag_part
from sluice.ops.array.diagonals import eye as eye
from sluice.ops.array.diagonals import set_diag as set_diag
from sluice.ops.array.diagonals import tensor_diag as tensor_diag
from sluice.ops.array.diagonals import tensor_diag_part as tensor_diag_part
from sluice.ops.linalg.contraction import tensordot as tensordot
from sluice.ops.linalg.decompositions import cholesky as cholesky
from sluice.ops.linalg.decompositions import eigh as eigh
from sluice.ops.linalg.decompositions import eigvalsh as eigvalsh
from sluice.ops.linalg.decompositions import lu as lu
from sluice.ops.linalg.decompositions import matrix_rank as matrix_rank
from sluice.ops.linalg.decompositions import pinv as pinv
from sluice.ops.linalg.decompositions import qr as qr
from sluice.ops.linalg.decompositions import svd as svd
from sluice.ops.linalg.functions import det as det
from sluice.ops.linalg.functions import expm as expm
from sluice.ops.linalg.functions import logdet as logdet
from sluice.ops.linalg.functions import logm as logm
from sluice.ops.linalg.functions import slogdet as slogdet
from sluice.ops.linalg.functions import sqrtm as sqrtm
from sluice.ops.linalg.functions import trace as trace
from sluice.ops.linalg.norms import l2_normalize as l2_normalize
from sluice.ops.linalg.norms import norm as norm
from sluice.ops.linalg.norms import normalize as normalize
from sluice.ops.linalg.products import einsum as einsum
from sluice.ops.linalg.solving import cholesky_solve as cholesky_solve
from sluice.ops.linalg.solving import inv as inv
from sluice.ops.linalg.solving import lstsq as lstsq
from sluice.ops.linalg.solving import solve as solve
from sluice.ops.linalg.solving import triangular_solve as triangular_solve
from sluice.ops.linalg.solving import tridiagonal_matmul as tridiagonal_matmul
from sluice.ops.linalg.solving import tridiagonal_solve as tridiagonal_solve
from sluice.ops.linalg.transposing import adjoint as adjoint
from sluice.ops.linalg.transposing import transpose as _ops_linalg_transposing_transpose
matrix_transpose = _ops_linalg_transposing_transpose
from sluice.ops.linalg.transposing import transpose as transpose
from sluice.ops.math.clipping import global_norm as global_norm
from sluice.ops.math.products import cross as cross
from sluice.ops.math.products import matmul as matmul
from sluice.ops.math.products import matvec as matvec
from sluice.ops.math.products import sparse_matmul as sparse_matmul


