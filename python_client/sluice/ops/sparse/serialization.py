# SPDX-License-Identifier: Apache-2.0
"""SparseTensors as strings."""

from ... import dtypes
from .. import raw_ops
from ..building import with_names
from .parts import parts_of
from .sparse_tensor import SparseTensor


def serialize_sparse(sp_input, name=None, out_type=dtypes.string):
    """Converts a SparseTensor to three strings.

    Args:
        sp_input: The SparseTensor.
        name: Name of the operation, a str. None: a default name.
        out_type: Dtype of the result: string or variant.

    Returns:
        A tensor [3].
    """
    parts = parts_of(sp_input, "sparse_")
    return raw_ops.SerializeSparse(out_type=out_type, name=name, **parts)


def serialize_many_sparse(sp_input, name=None, out_type=dtypes.string):
    """Converts each row of a SparseTensor to three strings.

    Args:
        sp_input: The SparseTensor [n, ...].
        name: Name of the operation, a str. None: a default name.
        out_type: Dtype of the result: string or variant.

    Returns:
        A tensor [n, 3].
    """
    parts = parts_of(sp_input, "sparse_")
    return raw_ops.SerializeManySparse(out_type=out_type, name=name, **parts)


def deserialize_many_sparse(serialized_sparse, dtype, rank=None, name=None):
    """Makes one SparseTensor of serialised ones.

    Args:
        serialized_sparse: A tensor [n, 3].
        dtype: Dtype of the values.
        rank: Accepted. It has no effect.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A SparseTensor with one dimension more.
    """
    del rank  # the runtime knows it
    return SparseTensor(
        *raw_ops.DeserializeManySparse(serialized_sparse=serialized_sparse, dtype=dtype, name=name)
    )


__all__ = with_names(globals())
