# SPDX-License-Identifier: Apache-2.0
"""Names that 1.x programs use at the top of the package for what stands in its modules."""

# ruff: noqa: F401
from . import (
    image,
    io,
    linalg,
    math,
    modules,
    nn,
    quantization,
    random,
    sets,
    signal,
    sparse,
    strings,
)
from .ops import array as arrays
from .ops.debug import assertions, checks, shape_assertions

_ALIASES = {
    "linalg": "cholesky cholesky_solve cross einsum eye global_norm lu matmul norm qr svd tensordot"
    " trace matrix_band_part=band_part matrix_determinant=det matrix_diag=diag"
    " matrix_diag_part=diag_part matrix_inverse=inv matrix_set_diag=set_diag matrix_solve=solve"
    " matrix_solve_ls=lstsq matrix_square_root=sqrtm matrix_transpose matrix_triangular_solve="
    "triangular_solve self_adjoint_eig=eigh self_adjoint_eigvals=eigvalsh diag=tensor_diag"
    " diag_part=tensor_diag_part logdet=logdet sparse_matmul",
    "random": "random_crop random_gamma=gamma random_normal=normal random_poisson=poisson"
    " random_shuffle=shuffle random_uniform=uniform truncated_normal multinomial",
    "signal": "fft fft2d fft3d ifft ifft2d ifft3d",
    "sparse": "SparseTensor SparseTensorValue sparse_add=add sparse_concat=concat"
    " sparse_expand_dims=expand_dims sparse_fill_empty_rows=fill_empty_rows"
    " sparse_maximum=maximum sparse_minimum=minimum"
    " sparse_placeholder=placeholder sparse_reduce_max=reduce_max"
    " sparse_reduce_max_sparse=reduce_max_sparse sparse_reduce_sum=reduce_sum"
    " sparse_reduce_sum_sparse=reduce_sum_sparse sparse_reorder=reorder sparse_reshape=reshape"
    " sparse_retain=retain sparse_segment_mean=segment_mean sparse_segment_sqrt_n=segment_sqrt_n"
    " sparse_segment_sum=segment_sum sparse_slice=slice sparse_softmax=softmax"
    " sparse_split=split sparse_tensor_dense_matmul=sparse_dense_matmul"
    " sparse_tensor_to_dense=to_dense sparse_to_indicator=to_indicator sparse_transpose=transpose"
    " sparse_mask=mask sparse_merge=merge sparse_reset_shape=reset_shape edit_distance",
    "strings": "as_string fingerprint print=print_v2 reduce_join regex_replace string_join=join"
    " string_length=length"
    " string_split string_strip=strip string_to_hash_bucket=to_hash_bucket"
    " string_to_hash_bucket_fast=to_hash_bucket_fast"
    " string_to_hash_bucket_strong=to_hash_bucket_strong string_to_number=to_number substr",
    "io": "FixedLenFeature FixedLenSequenceFeature SparseFeature VarLenFeature decode_compressed"
    " decode_csv decode_json_example parse_example parse_single_example"
    " parse_single_sequence_example parse_tensor serialize_tensor"
    " decode_base64 decode_raw deserialize_many_sparse encode_base64 matching_files read_file"
    " serialize_many_sparse serialize_sparse write_file",
    "arrays": "lin_space=linspace reverse_v2=reverse tensor_scatter_nd_update=tensor_scatter_update"
    " tensor_scatter_nd_add=tensor_scatter_add "
    " tensor_scatter_nd_sub=tensor_scatter_sub",
    "image": "extract_image_patches extract_volume_patches",
    "math": "div_no_nan=divide_no_nan floor_div=floordiv realdiv ceil"
    " log_sigmoid=log_sigmoid sub=subtract"
    " mul=multiply neg=negative",
    "nn": "batch_to_space depth_to_space space_to_batch space_to_depth",
    "quantization": "dequantize fake_quant_with_min_max_args fake_quant_with_min_max_args_gradient"
    " fake_quant_with_min_max_vars fake_quant_with_min_max_vars_gradient"
    " fake_quant_with_min_max_vars_per_channel fake_quant_with_min_max_vars_per_channel_gradient"
    " quantize quantize_v2 quantized_concat",
}

# Modules that hold nothing but other names.
_GROUP_DOCS = {
    "debugging": "Checks of tensors: of their values, when a step runs, and of dtypes and shapes.",
    "manip": "Functions that change the shape of tensors or move their elements.",
    "spectral": "Fourier and cosine transforms.",
}
_GROUPS = {
    "debugging": {
        "checks": "Assert check_numerics",
        "assertions": "assert_all_finite=verify_tensor_all_finite assert_equal assert_greater"
        " assert_greater_equal assert_integer assert_less assert_less_equal assert_near"
        " assert_negative assert_non_negative assert_non_positive assert_none_equal"
        " assert_positive assert_proper_iterable assert_rank assert_rank_at_least assert_rank_in"
        " assert_same_float_dtype assert_scalar assert_type is_numeric_tensor",
        "shape_assertions": "assert_shapes",
        "math": "is_finite is_inf is_nan is_non_decreasing is_strictly_increasing",
    },
    "manip": {
        "arrays": "batch_to_space_nd gather_nd reshape reverse roll scatter_nd space_to_batch_nd"
        " tile",
    },
    "spectral": {
        "signal": "dct fft fft2d fft3d idct ifft ifft2d ifft3d irfft irfft2d irfft3d rfft rfft2d"
        " rfft3d",
    },
}


def _entries(rows):
    """(name, what it stands for) of rows of "name" and "name=name in the module"."""
    for module, row in rows.items():
        for entry in row.split():
            name, _, target = entry.partition("=")
            yield name, getattr(globals()[module], target or name)


_NAMES = dict(_entries(_ALIASES))
_NAMES.update(
    (name, modules.make(name, _GROUP_DOCS[name], dict(_entries(rows))))
    for name, rows in _GROUPS.items()
)
globals().update(_NAMES)
__all__ = list(_NAMES)
