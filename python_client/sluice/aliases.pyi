# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from . import debugging as debugging
from . import manip as manip
from . import spectral as spectral
from .arrays import linspace as _arrays_linspace
lin_space = _arrays_linspace
from .arrays import reverse as _arrays_reverse
reverse_v2 = _arrays_reverse
from .arrays import tensor_scatter_add as _arrays_tensor_scatter_add
tensor_scatter_nd_add = _arrays_tensor_scatter_add
from .arrays import tensor_scatter_sub as _arrays_tensor_scatter_sub
tensor_scatter_nd_sub = _arrays_tensor_scatter_sub
from .arrays import tensor_scatter_update as _arrays_tensor_scatter_update
tensor_scatter_nd_update = _arrays_tensor_scatter_update
from .clipping import global_norm as global_norm
from .convolution import batch_to_space as batch_to_space
from .convolution import depth_to_space as depth_to_space
from .convolution import space_to_batch as space_to_batch
from .convolution import space_to_depth as space_to_depth
from .image import extract_image_patches as extract_image_patches
from .image import extract_volume_patches as extract_volume_patches
from .io import decode_base64 as decode_base64
from .io import decode_raw as decode_raw
from .io import deserialize_many_sparse as deserialize_many_sparse
from .io import encode_base64 as encode_base64
from .io import matching_files as matching_files
from .io import read_file as read_file
from .io import serialize_many_sparse as serialize_many_sparse
from .io import serialize_sparse as serialize_sparse
from .io import write_file as write_file
from .linalg import band_part as _linalg_band_part
matrix_band_part = _linalg_band_part
from .linalg import cholesky as cholesky
from .linalg import cholesky_solve as cholesky_solve
from .linalg import cross as cross
from .linalg import det as _linalg_det
matrix_determinant = _linalg_det
from .linalg import diag as _linalg_diag
matrix_diag = _linalg_diag
from .linalg import diag_part as _linalg_diag_part
matrix_diag_part = _linalg_diag_part
from .linalg import eigh as _linalg_eigh
self_adjoint_eig = _linalg_eigh
from .linalg import eigvalsh as _linalg_eigvalsh
self_adjoint_eigvals = _linalg_eigvalsh
from .linalg import einsum as einsum
from .linalg import eye as eye
from .linalg import inv as _linalg_inv
matrix_inverse = _linalg_inv
from .linalg import logdet as logdet
from .linalg import lstsq as _linalg_lstsq
matrix_solve_ls = _linalg_lstsq
from .linalg import lu as lu
from .linalg import matmul as matmul
from .linalg import norm as norm
from .linalg import qr as qr
from .linalg import set_diag as _linalg_set_diag
matrix_set_diag = _linalg_set_diag
from .linalg import solve as _linalg_solve
matrix_solve = _linalg_solve
from .linalg import sparse_matmul as sparse_matmul
from .linalg import sqrtm as _linalg_sqrtm
matrix_square_root = _linalg_sqrtm
from .linalg import svd as svd
from .linalg import tensor_diag as _linalg_tensor_diag
diag = _linalg_tensor_diag
from .linalg import tensor_diag_part as _linalg_tensor_diag_part
diag_part = _linalg_tensor_diag_part
from .linalg import tensordot as tensordot
from .linalg import trace as trace
from .linalg import transpose as _linalg_transpose
matrix_transpose = _linalg_transpose
from .linalg import triangular_solve as _linalg_triangular_solve
matrix_triangular_solve = _linalg_triangular_solve
from .math import ceil as ceil
from .math import divide as _math_divide
div = _math_divide
from .math import divide_no_nan as _math_divide_no_nan
div_no_nan = _math_divide_no_nan
from .math import floordiv as _math_floordiv
floor_div = _math_floordiv
from .math import log_sigmoid as log_sigmoid
from .math import multiply as _math_multiply
mul = _math_multiply
from .math import negative as _math_negative
neg = _math_negative
from .math import subtract as _math_subtract
sub = _math_subtract
from .math import truediv as _math_truediv
realdiv = _math_truediv
from .quantization import dequantize as dequantize
from .quantization import fake_quant_with_min_max_args as fake_quant_with_min_max_args
from .quantization import fake_quant_with_min_max_args_gradient as fake_quant_with_min_max_args_gradient
from .quantization import fake_quant_with_min_max_vars as fake_quant_with_min_max_vars
from .quantization import fake_quant_with_min_max_vars_gradient as fake_quant_with_min_max_vars_gradient
from .quantization import fake_quant_with_min_max_vars_per_channel as fake_quant_with_min_max_vars_per_channel
from .quantization import fake_quant_with_min_max_vars_per_channel_gradient as fake_quant_with_min_max_vars_per_channel_gradient
from .quantization import quantize as quantize
from .quantization import quantize_v2 as quantize_v2
from .random import gamma as _random_gamma
random_gamma = _random_gamma
from .random import multinomial as multinomial
from .random import normal as _random_normal
random_normal = _random_normal
from .random import poisson as _random_poisson
random_poisson = _random_poisson
from .random import random_crop as random_crop
from .random import shuffle as _random_shuffle
random_shuffle = _random_shuffle
from .random import truncated_normal as truncated_normal
from .random import uniform as _random_uniform
random_uniform = _random_uniform
from .signal import fft as fft
from .signal import fft2d as fft2d
from .signal import fft3d as fft3d
from .signal import ifft as ifft
from .signal import ifft2d as ifft2d
from .signal import ifft3d as ifft3d
from .sparse import SparseTensor as SparseTensor
from .sparse import SparseTensorValue as SparseTensorValue
from .sparse import add as _sparse_add
sparse_add = _sparse_add
from .sparse import concat as _sparse_concat
sparse_concat = _sparse_concat
from .sparse import edit_distance as edit_distance
from .sparse import expand_dims as _sparse_expand_dims
sparse_expand_dims = _sparse_expand_dims
from .sparse import fill_empty_rows as _sparse_fill_empty_rows
sparse_fill_empty_rows = _sparse_fill_empty_rows
from .sparse import mask as _sparse_mask
sparse_mask = _sparse_mask
from .sparse import maximum as _sparse_maximum
sparse_maximum = _sparse_maximum
from .sparse import merge as _sparse_merge
sparse_merge = _sparse_merge
from .sparse import minimum as _sparse_minimum
sparse_minimum = _sparse_minimum
from .sparse import placeholder as _sparse_placeholder
sparse_placeholder = _sparse_placeholder
from .sparse import reduce_max as _sparse_reduce_max
sparse_reduce_max = _sparse_reduce_max
from .sparse import reduce_max_sparse as _sparse_reduce_max_sparse
sparse_reduce_max_sparse = _sparse_reduce_max_sparse
from .sparse import reduce_sum as _sparse_reduce_sum
sparse_reduce_sum = _sparse_reduce_sum
from .sparse import reduce_sum_sparse as _sparse_reduce_sum_sparse
sparse_reduce_sum_sparse = _sparse_reduce_sum_sparse
from .sparse import reorder as _sparse_reorder
sparse_reorder = _sparse_reorder
from .sparse import reset_shape as _sparse_reset_shape
sparse_reset_shape = _sparse_reset_shape
from .sparse import reshape as _sparse_reshape
sparse_reshape = _sparse_reshape
from .sparse import retain as _sparse_retain
sparse_retain = _sparse_retain
from .sparse import segment_mean as _sparse_segment_mean
sparse_segment_mean = _sparse_segment_mean
from .sparse import segment_sqrt_n as _sparse_segment_sqrt_n
sparse_segment_sqrt_n = _sparse_segment_sqrt_n
from .sparse import segment_sum as _sparse_segment_sum
sparse_segment_sum = _sparse_segment_sum
from .sparse import slice as _sparse_slice
sparse_slice = _sparse_slice
from .sparse import softmax as _sparse_softmax
sparse_softmax = _sparse_softmax
from .sparse import sparse_dense_matmul as _sparse_sparse_dense_matmul
sparse_tensor_dense_matmul = _sparse_sparse_dense_matmul
from .sparse import split as _sparse_split
sparse_split = _sparse_split
from .sparse import to_dense as _sparse_to_dense
sparse_tensor_to_dense = _sparse_to_dense
from .sparse import to_indicator as _sparse_to_indicator
sparse_to_indicator = _sparse_to_indicator
from .sparse import transpose as _sparse_transpose
sparse_transpose = _sparse_transpose
from .strings import as_string as as_string
from .strings import fingerprint as fingerprint
from .strings import join as _strings_join
string_join = _strings_join
from .strings import length as _strings_length
string_length = _strings_length
from .strings import print_v2 as _strings_print_v2
print = _strings_print_v2
from .strings import reduce_join as reduce_join
from .strings import regex_replace as regex_replace
from .strings import string_split as string_split
from .strings import strip as _strings_strip
string_strip = _strings_strip
from .strings import substr as substr
from .strings import to_hash_bucket as _strings_to_hash_bucket
string_to_hash_bucket = _strings_to_hash_bucket
from .strings import to_hash_bucket_fast as _strings_to_hash_bucket_fast
string_to_hash_bucket_fast = _strings_to_hash_bucket_fast
from .strings import to_hash_bucket_strong as _strings_to_hash_bucket_strong
string_to_hash_bucket_strong = _strings_to_hash_bucket_strong
from .strings import to_number as _strings_to_number
string_to_number = _strings_to_number


