# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice import debugging as debugging
from sluice import manip as manip
from sluice import spectral as spectral
from sluice.ops.array.arrays import linspace as _ops_array_arrays_linspace
lin_space = _ops_array_arrays_linspace
from sluice.ops.array.arrays import reverse as _ops_array_arrays_reverse
reverse_v2 = _ops_array_arrays_reverse
from sluice.ops.array.arrays import tensor_scatter_add as _ops_array_arrays_tensor_scatter_add
tensor_scatter_nd_add = _ops_array_arrays_tensor_scatter_add
from sluice.ops.array.arrays import tensor_scatter_sub as _ops_array_arrays_tensor_scatter_sub
tensor_scatter_nd_sub = _ops_array_arrays_tensor_scatter_sub
from sluice.ops.array.arrays import tensor_scatter_update as _ops_array_arrays_tensor_scatter_update
tensor_scatter_nd_update = _ops_array_arrays_tensor_scatter_update
from sluice.ops.array.quantization import dequantize as dequantize
from sluice.ops.array.quantization import fake_quant_with_min_max_args as fake_quant_with_min_max_args
from sluice.ops.array.quantization import fake_quant_with_min_max_args_gradient as fake_quant_with_min_max_args_gradient
from sluice.ops.array.quantization import fake_quant_with_min_max_vars as fake_quant_with_min_max_vars
from sluice.ops.array.quantization import fake_quant_with_min_max_vars_gradient as fake_quant_with_min_max_vars_gradient
from sluice.ops.array.quantization import fake_quant_with_min_max_vars_per_channel as fake_quant_with_min_max_vars_per_channel
from sluice.ops.array.quantization import fake_quant_with_min_max_vars_per_channel_gradient as fake_quant_with_min_max_vars_per_channel_gradient
from sluice.ops.array.quantization import quantize as quantize
from sluice.ops.array.quantization import quantize_v2 as quantize_v2
from sluice.ops.image.image import extract_image_patches as extract_image_patches
from sluice.ops.image.image import extract_volume_patches as extract_volume_patches
from sluice.ops.io.io import decode_base64 as decode_base64
from sluice.ops.io.io import decode_raw as decode_raw
from sluice.ops.io.io import deserialize_many_sparse as deserialize_many_sparse
from sluice.ops.io.io import encode_base64 as encode_base64
from sluice.ops.io.io import matching_files as matching_files
from sluice.ops.io.io import read_file as read_file
from sluice.ops.io.io import serialize_many_sparse as serialize_many_sparse
from sluice.ops.io.io import serialize_sparse as serialize_sparse
from sluice.ops.io.io import write_file as write_file
from sluice.ops.linalg.linalg import band_part as _ops_linalg_linalg_band_part
matrix_band_part = _ops_linalg_linalg_band_part
from sluice.ops.linalg.linalg import cholesky as cholesky
from sluice.ops.linalg.linalg import cholesky_solve as cholesky_solve
from sluice.ops.linalg.linalg import cross as cross
from sluice.ops.linalg.linalg import det as _ops_linalg_linalg_det
matrix_determinant = _ops_linalg_linalg_det
from sluice.ops.linalg.linalg import diag as _ops_linalg_linalg_diag
matrix_diag = _ops_linalg_linalg_diag
from sluice.ops.linalg.linalg import diag_part as _ops_linalg_linalg_diag_part
matrix_diag_part = _ops_linalg_linalg_diag_part
from sluice.ops.linalg.linalg import eigh as _ops_linalg_linalg_eigh
self_adjoint_eig = _ops_linalg_linalg_eigh
from sluice.ops.linalg.linalg import eigvalsh as _ops_linalg_linalg_eigvalsh
self_adjoint_eigvals = _ops_linalg_linalg_eigvalsh
from sluice.ops.linalg.linalg import einsum as einsum
from sluice.ops.linalg.linalg import eye as eye
from sluice.ops.linalg.linalg import inv as _ops_linalg_linalg_inv
matrix_inverse = _ops_linalg_linalg_inv
from sluice.ops.linalg.linalg import logdet as logdet
from sluice.ops.linalg.linalg import lstsq as _ops_linalg_linalg_lstsq
matrix_solve_ls = _ops_linalg_linalg_lstsq
from sluice.ops.linalg.linalg import lu as lu
from sluice.ops.linalg.linalg import matmul as matmul
from sluice.ops.linalg.linalg import norm as norm
from sluice.ops.linalg.linalg import qr as qr
from sluice.ops.linalg.linalg import set_diag as _ops_linalg_linalg_set_diag
matrix_set_diag = _ops_linalg_linalg_set_diag
from sluice.ops.linalg.linalg import solve as _ops_linalg_linalg_solve
matrix_solve = _ops_linalg_linalg_solve
from sluice.ops.linalg.linalg import sparse_matmul as sparse_matmul
from sluice.ops.linalg.linalg import sqrtm as _ops_linalg_linalg_sqrtm
matrix_square_root = _ops_linalg_linalg_sqrtm
from sluice.ops.linalg.linalg import svd as svd
from sluice.ops.linalg.linalg import tensor_diag as _ops_linalg_linalg_tensor_diag
diag = _ops_linalg_linalg_tensor_diag
from sluice.ops.linalg.linalg import tensor_diag_part as _ops_linalg_linalg_tensor_diag_part
diag_part = _ops_linalg_linalg_tensor_diag_part
from sluice.ops.linalg.linalg import tensordot as tensordot
from sluice.ops.linalg.linalg import trace as trace
from sluice.ops.linalg.linalg import transpose as _ops_linalg_linalg_transpose
matrix_transpose = _ops_linalg_linalg_transpose
from sluice.ops.linalg.linalg import triangular_solve as _ops_linalg_linalg_triangular_solve
matrix_triangular_solve = _ops_linalg_linalg_triangular_solve
from sluice.ops.math.clipping import global_norm as global_norm
from sluice.ops.math.math import ceil as ceil
from sluice.ops.math.math import divide as _ops_math_math_divide
div = _ops_math_math_divide
from sluice.ops.math.math import divide_no_nan as _ops_math_math_divide_no_nan
div_no_nan = _ops_math_math_divide_no_nan
from sluice.ops.math.math import floordiv as _ops_math_math_floordiv
floor_div = _ops_math_math_floordiv
from sluice.ops.math.math import log_sigmoid as log_sigmoid
from sluice.ops.math.math import multiply as _ops_math_math_multiply
mul = _ops_math_math_multiply
from sluice.ops.math.math import negative as _ops_math_math_negative
neg = _ops_math_math_negative
from sluice.ops.math.math import subtract as _ops_math_math_subtract
sub = _ops_math_math_subtract
from sluice.ops.math.math import truediv as _ops_math_math_truediv
realdiv = _ops_math_math_truediv
from sluice.ops.nn.convolution import batch_to_space as batch_to_space
from sluice.ops.nn.convolution import depth_to_space as depth_to_space
from sluice.ops.nn.convolution import space_to_batch as space_to_batch
from sluice.ops.nn.convolution import space_to_depth as space_to_depth
from sluice.ops.random.random import gamma as _ops_random_random_gamma
random_gamma = _ops_random_random_gamma
from sluice.ops.random.random import multinomial as multinomial
from sluice.ops.random.random import normal as _ops_random_random_normal
random_normal = _ops_random_random_normal
from sluice.ops.random.random import poisson as _ops_random_random_poisson
random_poisson = _ops_random_random_poisson
from sluice.ops.random.random import random_crop as random_crop
from sluice.ops.random.random import shuffle as _ops_random_random_shuffle
random_shuffle = _ops_random_random_shuffle
from sluice.ops.random.random import truncated_normal as truncated_normal
from sluice.ops.random.random import uniform as _ops_random_random_uniform
random_uniform = _ops_random_random_uniform
from sluice.ops.signal.signal import fft as fft
from sluice.ops.signal.signal import fft2d as fft2d
from sluice.ops.signal.signal import fft3d as fft3d
from sluice.ops.signal.signal import ifft as ifft
from sluice.ops.signal.signal import ifft2d as ifft2d
from sluice.ops.signal.signal import ifft3d as ifft3d
from sluice.ops.sparse.sparse import SparseTensor as SparseTensor
from sluice.ops.sparse.sparse import SparseTensorValue as SparseTensorValue
from sluice.ops.sparse.sparse import add as _ops_sparse_sparse_add
sparse_add = _ops_sparse_sparse_add
from sluice.ops.sparse.sparse import concat as _ops_sparse_sparse_concat
sparse_concat = _ops_sparse_sparse_concat
from sluice.ops.sparse.sparse import edit_distance as edit_distance
from sluice.ops.sparse.sparse import expand_dims as _ops_sparse_sparse_expand_dims
sparse_expand_dims = _ops_sparse_sparse_expand_dims
from sluice.ops.sparse.sparse import fill_empty_rows as _ops_sparse_sparse_fill_empty_rows
sparse_fill_empty_rows = _ops_sparse_sparse_fill_empty_rows
from sluice.ops.sparse.sparse import mask as _ops_sparse_sparse_mask
sparse_mask = _ops_sparse_sparse_mask
from sluice.ops.sparse.sparse import maximum as _ops_sparse_sparse_maximum
sparse_maximum = _ops_sparse_sparse_maximum
from sluice.ops.sparse.sparse import merge as _ops_sparse_sparse_merge
sparse_merge = _ops_sparse_sparse_merge
from sluice.ops.sparse.sparse import minimum as _ops_sparse_sparse_minimum
sparse_minimum = _ops_sparse_sparse_minimum
from sluice.ops.sparse.sparse import placeholder as _ops_sparse_sparse_placeholder
sparse_placeholder = _ops_sparse_sparse_placeholder
from sluice.ops.sparse.sparse import reduce_max as _ops_sparse_sparse_reduce_max
sparse_reduce_max = _ops_sparse_sparse_reduce_max
from sluice.ops.sparse.sparse import reduce_max_sparse as _ops_sparse_sparse_reduce_max_sparse
sparse_reduce_max_sparse = _ops_sparse_sparse_reduce_max_sparse
from sluice.ops.sparse.sparse import reduce_sum as _ops_sparse_sparse_reduce_sum
sparse_reduce_sum = _ops_sparse_sparse_reduce_sum
from sluice.ops.sparse.sparse import reduce_sum_sparse as _ops_sparse_sparse_reduce_sum_sparse
sparse_reduce_sum_sparse = _ops_sparse_sparse_reduce_sum_sparse
from sluice.ops.sparse.sparse import reorder as _ops_sparse_sparse_reorder
sparse_reorder = _ops_sparse_sparse_reorder
from sluice.ops.sparse.sparse import reset_shape as _ops_sparse_sparse_reset_shape
sparse_reset_shape = _ops_sparse_sparse_reset_shape
from sluice.ops.sparse.sparse import reshape as _ops_sparse_sparse_reshape
sparse_reshape = _ops_sparse_sparse_reshape
from sluice.ops.sparse.sparse import retain as _ops_sparse_sparse_retain
sparse_retain = _ops_sparse_sparse_retain
from sluice.ops.sparse.sparse import segment_mean as _ops_sparse_sparse_segment_mean
sparse_segment_mean = _ops_sparse_sparse_segment_mean
from sluice.ops.sparse.sparse import segment_sqrt_n as _ops_sparse_sparse_segment_sqrt_n
sparse_segment_sqrt_n = _ops_sparse_sparse_segment_sqrt_n
from sluice.ops.sparse.sparse import segment_sum as _ops_sparse_sparse_segment_sum
sparse_segment_sum = _ops_sparse_sparse_segment_sum
from sluice.ops.sparse.sparse import slice as _ops_sparse_sparse_slice
sparse_slice = _ops_sparse_sparse_slice
from sluice.ops.sparse.sparse import softmax as _ops_sparse_sparse_softmax
sparse_softmax = _ops_sparse_sparse_softmax
from sluice.ops.sparse.sparse import sparse_dense_matmul as _ops_sparse_sparse_sparse_dense_matmul
sparse_tensor_dense_matmul = _ops_sparse_sparse_sparse_dense_matmul
from sluice.ops.sparse.sparse import split as _ops_sparse_sparse_split
sparse_split = _ops_sparse_sparse_split
from sluice.ops.sparse.sparse import to_dense as _ops_sparse_sparse_to_dense
sparse_tensor_to_dense = _ops_sparse_sparse_to_dense
from sluice.ops.sparse.sparse import to_indicator as _ops_sparse_sparse_to_indicator
sparse_to_indicator = _ops_sparse_sparse_to_indicator
from sluice.ops.sparse.sparse import transpose as _ops_sparse_sparse_transpose
sparse_transpose = _ops_sparse_sparse_transpose
from sluice.ops.string.strings import as_string as as_string
from sluice.ops.string.strings import fingerprint as fingerprint
from sluice.ops.string.strings import join as _ops_string_strings_join
string_join = _ops_string_strings_join
from sluice.ops.string.strings import length as _ops_string_strings_length
string_length = _ops_string_strings_length
from sluice.ops.string.strings import print_v2 as _ops_string_strings_print_v2
print = _ops_string_strings_print_v2
from sluice.ops.string.strings import reduce_join as reduce_join
from sluice.ops.string.strings import regex_replace as regex_replace
from sluice.ops.string.strings import string_split as string_split
from sluice.ops.string.strings import strip as _ops_string_strings_strip
string_strip = _ops_string_strings_strip
from sluice.ops.string.strings import substr as substr
from sluice.ops.string.strings import to_hash_bucket as _ops_string_strings_to_hash_bucket
string_to_hash_bucket = _ops_string_strings_to_hash_bucket
from sluice.ops.string.strings import to_hash_bucket_fast as _ops_string_strings_to_hash_bucket_fast
string_to_hash_bucket_fast = _ops_string_strings_to_hash_bucket_fast
from sluice.ops.string.strings import to_hash_bucket_strong as _ops_string_strings_to_hash_bucket_strong
string_to_hash_bucket_strong = _ops_string_strings_to_hash_bucket_strong
from sluice.ops.string.strings import to_number as _ops_string_strings_to_number
string_to_number = _ops_string_strings_to_number


