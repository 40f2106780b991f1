# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice import debugging as debugging
from sluice import manip as manip
from sluice import spectral as spectral
from sluice.ops.array.blocks import batch_to_space as batch_to_space
from sluice.ops.array.blocks import depth_to_space as depth_to_space
from sluice.ops.array.blocks import space_to_batch as space_to_batch
from sluice.ops.array.blocks import space_to_depth as space_to_depth
from sluice.ops.array.diagonals import band_part as _ops_array_diagonals_band_part
matrix_band_part = _ops_array_diagonals_band_part
from sluice.ops.array.diagonals import diag as _ops_array_diagonals_diag
matrix_diag = _ops_array_diagonals_diag
from sluice.ops.array.diagonals import diag_part as _ops_array_diagonals_diag_part
matrix_diag_part = _ops_array_diagonals_diag_part
from sluice.ops.array.diagonals import eye as eye
from sluice.ops.array.diagonals import set_diag as _ops_array_diagonals_set_diag
matrix_set_diag = _ops_array_diagonals_set_diag
from sluice.ops.array.diagonals import tensor_diag as _ops_array_diagonals_tensor_diag
diag = _ops_array_diagonals_tensor_diag
from sluice.ops.array.diagonals import tensor_diag_part as _ops_array_diagonals_tensor_diag_part
diag_part = _ops_array_diagonals_tensor_diag_part
from sluice.ops.array.indexing import tensor_scatter_add as _ops_array_indexing_tensor_scatter_add
tensor_scatter_nd_add = _ops_array_indexing_tensor_scatter_add
from sluice.ops.array.indexing import tensor_scatter_sub as _ops_array_indexing_tensor_scatter_sub
tensor_scatter_nd_sub = _ops_array_indexing_tensor_scatter_sub
from sluice.ops.array.indexing import tensor_scatter_update as _ops_array_indexing_tensor_scatter_update
tensor_scatter_nd_update = _ops_array_indexing_tensor_scatter_update
from sluice.ops.array.moving import reverse as _ops_array_moving_reverse
reverse_v2 = _ops_array_moving_reverse
from sluice.ops.array.ranges import linspace as _ops_array_ranges_linspace
lin_space = _ops_array_ranges_linspace
from sluice.ops.image.patches import extract_image_patches as extract_image_patches
from sluice.ops.image.patches import extract_volume_patches as extract_volume_patches
from sluice.ops.io.io import matching_files as matching_files
from sluice.ops.io.io import read_file as read_file
from sluice.ops.io.io import write_file as write_file
from sluice.ops.linalg.contraction import tensordot as tensordot
from sluice.ops.linalg.decompositions import cholesky as cholesky
from sluice.ops.linalg.decompositions import eigh as _ops_linalg_decompositions_eigh
self_adjoint_eig = _ops_linalg_decompositions_eigh
from sluice.ops.linalg.decompositions import eigvalsh as _ops_linalg_decompositions_eigvalsh
self_adjoint_eigvals = _ops_linalg_decompositions_eigvalsh
from sluice.ops.linalg.decompositions import lu as lu
from sluice.ops.linalg.decompositions import qr as qr
from sluice.ops.linalg.decompositions import svd as svd
from sluice.ops.linalg.functions import det as _ops_linalg_functions_det
matrix_determinant = _ops_linalg_functions_det
from sluice.ops.linalg.functions import logdet as logdet
from sluice.ops.linalg.functions import sqrtm as _ops_linalg_functions_sqrtm
matrix_square_root = _ops_linalg_functions_sqrtm
from sluice.ops.linalg.functions import trace as trace
from sluice.ops.linalg.norms import norm as norm
from sluice.ops.linalg.products import einsum as einsum
from sluice.ops.linalg.solving import cholesky_solve as cholesky_solve
from sluice.ops.linalg.solving import inv as _ops_linalg_solving_inv
matrix_inverse = _ops_linalg_solving_inv
from sluice.ops.linalg.solving import lstsq as _ops_linalg_solving_lstsq
matrix_solve_ls = _ops_linalg_solving_lstsq
from sluice.ops.linalg.solving import solve as _ops_linalg_solving_solve
matrix_solve = _ops_linalg_solving_solve
from sluice.ops.linalg.solving import triangular_solve as _ops_linalg_solving_triangular_solve
matrix_triangular_solve = _ops_linalg_solving_triangular_solve
from sluice.ops.linalg.transposing import transpose as _ops_linalg_transposing_transpose
matrix_transpose = _ops_linalg_transposing_transpose
from sluice.ops.math.arithmetic import divide_no_nan as _ops_math_arithmetic_divide_no_nan
div_no_nan = _ops_math_arithmetic_divide_no_nan
from sluice.ops.math.arithmetic import floordiv as _ops_math_arithmetic_floordiv
floor_div = _ops_math_arithmetic_floordiv
from sluice.ops.math.arithmetic import multiply as _ops_math_arithmetic_multiply
mul = _ops_math_arithmetic_multiply
from sluice.ops.math.arithmetic import negative as _ops_math_arithmetic_negative
neg = _ops_math_arithmetic_negative
from sluice.ops.math.arithmetic import realdiv as realdiv
from sluice.ops.math.arithmetic import subtract as _ops_math_arithmetic_subtract
sub = _ops_math_arithmetic_subtract
from sluice.ops.math.clipping import global_norm as global_norm
from sluice.ops.math.elementary import log_sigmoid as log_sigmoid
from sluice.ops.math.products import cross as cross
from sluice.ops.math.products import matmul as matmul
from sluice.ops.math.products import sparse_matmul as sparse_matmul
from sluice.ops.math.rounding import ceil as ceil
from sluice.ops.parsing.examples import parse_example as parse_example
from sluice.ops.parsing.examples import parse_single_example as parse_single_example
from sluice.ops.parsing.features import FixedLenFeature as FixedLenFeature
from sluice.ops.parsing.features import FixedLenSequenceFeature as FixedLenSequenceFeature
from sluice.ops.parsing.features import SparseFeature as SparseFeature
from sluice.ops.parsing.features import VarLenFeature as VarLenFeature
from sluice.ops.parsing.records import decode_compressed as decode_compressed
from sluice.ops.parsing.records import decode_csv as decode_csv
from sluice.ops.parsing.records import decode_json_example as decode_json_example
from sluice.ops.parsing.records import parse_tensor as parse_tensor
from sluice.ops.parsing.records import serialize_tensor as serialize_tensor
from sluice.ops.parsing.sequences import parse_single_sequence_example as parse_single_sequence_example
from sluice.ops.quantized.quantization import dequantize as dequantize
from sluice.ops.quantized.quantization import fake_quant_with_min_max_args as fake_quant_with_min_max_args
from sluice.ops.quantized.quantization import fake_quant_with_min_max_args_gradient as fake_quant_with_min_max_args_gradient
from sluice.ops.quantized.quantization import fake_quant_with_min_max_vars as fake_quant_with_min_max_vars
from sluice.ops.quantized.quantization import fake_quant_with_min_max_vars_gradient as fake_quant_with_min_max_vars_gradient
from sluice.ops.quantized.quantization import fake_quant_with_min_max_vars_per_channel as fake_quant_with_min_max_vars_per_channel
from sluice.ops.quantized.quantization import fake_quant_with_min_max_vars_per_channel_gradient as fake_quant_with_min_max_vars_per_channel_gradient
from sluice.ops.quantized.quantization import quantize as quantize
from sluice.ops.quantized.quantization import quantize_v2 as quantize_v2
from sluice.ops.quantized.quantization import quantized_concat as quantized_concat
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
from sluice.ops.sparse.arithmetic import edit_distance as edit_distance
from sluice.ops.sparse.arithmetic import maximum as _ops_sparse_arithmetic_maximum
sparse_maximum = _ops_sparse_arithmetic_maximum
from sluice.ops.sparse.arithmetic import minimum as _ops_sparse_arithmetic_minimum
sparse_minimum = _ops_sparse_arithmetic_minimum
from sluice.ops.sparse.arithmetic import reduce_max as _ops_sparse_arithmetic_reduce_max
sparse_reduce_max = _ops_sparse_arithmetic_reduce_max
from sluice.ops.sparse.arithmetic import reduce_max_sparse as _ops_sparse_arithmetic_reduce_max_sparse
sparse_reduce_max_sparse = _ops_sparse_arithmetic_reduce_max_sparse
from sluice.ops.sparse.arithmetic import reduce_sum as _ops_sparse_arithmetic_reduce_sum
sparse_reduce_sum = _ops_sparse_arithmetic_reduce_sum
from sluice.ops.sparse.arithmetic import reduce_sum_sparse as _ops_sparse_arithmetic_reduce_sum_sparse
sparse_reduce_sum_sparse = _ops_sparse_arithmetic_reduce_sum_sparse
from sluice.ops.sparse.arithmetic import softmax as _ops_sparse_arithmetic_softmax
sparse_softmax = _ops_sparse_arithmetic_softmax
from sluice.ops.sparse.arithmetic import sparse_dense_matmul as _ops_sparse_arithmetic_sparse_dense_matmul
sparse_tensor_dense_matmul = _ops_sparse_arithmetic_sparse_dense_matmul
from sluice.ops.sparse.rearranging import concat as _ops_sparse_rearranging_concat
sparse_concat = _ops_sparse_rearranging_concat
from sluice.ops.sparse.rearranging import expand_dims as _ops_sparse_rearranging_expand_dims
sparse_expand_dims = _ops_sparse_rearranging_expand_dims
from sluice.ops.sparse.rearranging import fill_empty_rows as _ops_sparse_rearranging_fill_empty_rows
sparse_fill_empty_rows = _ops_sparse_rearranging_fill_empty_rows
from sluice.ops.sparse.rearranging import mask as _ops_sparse_rearranging_mask
sparse_mask = _ops_sparse_rearranging_mask
from sluice.ops.sparse.rearranging import merge as _ops_sparse_rearranging_merge
sparse_merge = _ops_sparse_rearranging_merge
from sluice.ops.sparse.rearranging import reorder as _ops_sparse_rearranging_reorder
sparse_reorder = _ops_sparse_rearranging_reorder
from sluice.ops.sparse.rearranging import reset_shape as _ops_sparse_rearranging_reset_shape
sparse_reset_shape = _ops_sparse_rearranging_reset_shape
from sluice.ops.sparse.rearranging import reshape as _ops_sparse_rearranging_reshape
sparse_reshape = _ops_sparse_rearranging_reshape
from sluice.ops.sparse.rearranging import retain as _ops_sparse_rearranging_retain
sparse_retain = _ops_sparse_rearranging_retain
from sluice.ops.sparse.rearranging import slice as _ops_sparse_rearranging_slice
sparse_slice = _ops_sparse_rearranging_slice
from sluice.ops.sparse.rearranging import split as _ops_sparse_rearranging_split
sparse_split = _ops_sparse_rearranging_split
from sluice.ops.sparse.rearranging import transpose as _ops_sparse_rearranging_transpose
sparse_transpose = _ops_sparse_rearranging_transpose
from sluice.ops.sparse.segments import segment_mean as _ops_sparse_segments_segment_mean
sparse_segment_mean = _ops_sparse_segments_segment_mean
from sluice.ops.sparse.segments import segment_sqrt_n as _ops_sparse_segments_segment_sqrt_n
sparse_segment_sqrt_n = _ops_sparse_segments_segment_sqrt_n
from sluice.ops.sparse.segments import segment_sum as _ops_sparse_segments_segment_sum
sparse_segment_sum = _ops_sparse_segments_segment_sum
from sluice.ops.sparse.serialization import deserialize_many_sparse as deserialize_many_sparse
from sluice.ops.sparse.serialization import serialize_many_sparse as serialize_many_sparse
from sluice.ops.sparse.serialization import serialize_sparse as serialize_sparse
from sluice.ops.sparse.sparse_tensor import SparseTensor as SparseTensor
from sluice.ops.sparse.sparse_tensor import SparseTensorValue as SparseTensorValue
from sluice.ops.sparse.sparse_tensor import add as _ops_sparse_sparse_tensor_add
sparse_add = _ops_sparse_sparse_tensor_add
from sluice.ops.sparse.sparse_tensor import placeholder as _ops_sparse_sparse_tensor_placeholder
sparse_placeholder = _ops_sparse_sparse_tensor_placeholder
from sluice.ops.sparse.sparse_tensor import to_dense as _ops_sparse_sparse_tensor_to_dense
sparse_tensor_to_dense = _ops_sparse_sparse_tensor_to_dense
from sluice.ops.sparse.sparse_tensor import to_indicator as _ops_sparse_sparse_tensor_to_indicator
sparse_to_indicator = _ops_sparse_sparse_tensor_to_indicator
from sluice.ops.strings.binary import decode_base64 as decode_base64
from sluice.ops.strings.binary import decode_raw as decode_raw
from sluice.ops.strings.binary import encode_base64 as encode_base64
from sluice.ops.strings.strings import as_string as as_string
from sluice.ops.strings.strings import fingerprint as fingerprint
from sluice.ops.strings.strings import join as _ops_strings_strings_join
string_join = _ops_strings_strings_join
from sluice.ops.strings.strings import length as _ops_strings_strings_length
string_length = _ops_strings_strings_length
from sluice.ops.strings.strings import print_v2 as _ops_strings_strings_print_v2
print = _ops_strings_strings_print_v2
from sluice.ops.strings.strings import reduce_join as reduce_join
from sluice.ops.strings.strings import regex_replace as regex_replace
from sluice.ops.strings.strings import string_split as string_split
from sluice.ops.strings.strings import strip as _ops_strings_strings_strip
string_strip = _ops_strings_strings_strip
from sluice.ops.strings.strings import substr as substr
from sluice.ops.strings.strings import to_hash_bucket as _ops_strings_strings_to_hash_bucket
string_to_hash_bucket = _ops_strings_strings_to_hash_bucket
from sluice.ops.strings.strings import to_hash_bucket_fast as _ops_strings_strings_to_hash_bucket_fast
string_to_hash_bucket_fast = _ops_strings_strings_to_hash_bucket_fast
from sluice.ops.strings.strings import to_hash_bucket_strong as _ops_strings_strings_to_hash_bucket_strong
string_to_hash_bucket_strong = _ops_strings_strings_to_hash_bucket_strong
from sluice.ops.strings.strings import to_number as _ops_strings_strings_to_number
string_to_number = _ops_strings_strings_to_number


