"""Names that 1.x programs use at the top of the package for what stands in its modules."""

from . import (  # noqa: F401
    arrays,
    image,
    io,
    linalg,
    math,
    nn,
    random,
    sets,
    signal,
    sparse,
    strings,
)

_ALIASES = {
    "linalg": "cholesky cholesky_solve cross einsum eye global_norm lu matmul norm qr svd tensordot"
    " trace matrix_band_part=band_part matrix_determinant=det matrix_diag=diag"
    " matrix_diag_part=diag_part matrix_inverse=inv matrix_set_diag=set_diag matrix_solve=solve"
    " matrix_solve_ls=lstsq matrix_square_root=sqrtm matrix_transpose matrix_triangular_solve="
    "triangular_solve self_adjoint_eig=eigh self_adjoint_eigvals=eigvalsh diag=tensor_diag"
    " diag_part=tensor_diag_part logdet=logdet",
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
    " sparse_tensor_to_dense=to_dense sparse_to_indicator=to_indicator sparse_transpose=transpose",
    "strings": "as_string reduce_join regex_replace string_join=join string_length=length"
    " string_split string_strip=strip string_to_hash_bucket=to_hash_bucket"
    " string_to_hash_bucket_fast=to_hash_bucket_fast"
    " string_to_hash_bucket_strong=to_hash_bucket_strong substr",
    "io": "decode_base64 deserialize_many_sparse encode_base64 matching_files read_file"
    " serialize_many_sparse serialize_sparse write_file",
    "arrays": "lin_space=linspace reverse_v2=reverse tensor_scatter_nd_update=tensor_scatter_update"
    " tensor_scatter_nd_add=tensor_scatter_add",
    "image": "extract_image_patches",
    "math": "div_no_nan=divide_no_nan floor_div=floordiv realdiv=truediv ceil arg_max=argmax"
    " arg_min=argmin log_sigmoid=log_sigmoid sub=subtract div=divide"
    " mul=multiply neg=negative",
    "nn": "batch_to_space depth_to_space space_to_batch space_to_depth",
}

__all__ = []
for _module, _row in _ALIASES.items():
    for _entry in _row.split():
        _name, _, _target = _entry.partition("=")
        globals()[_name] = getattr(globals()[_module], _target or _name)
        __all__.append(_name)
