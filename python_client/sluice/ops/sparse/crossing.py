# SPDX-License-Identifier: Apache-2.0
"""Crosses of features: every combination of their values in a row becomes one value."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.elements import Tensor
from .. import array as arrays
from .. import raw_ops
from ..building import with_names
from .sparse_tensor import SparseTensor

_HASH_KEY = 0xDECAFCAFFE  # TensorFlow's: both put values into the same buckets


def cross(inputs, name=None):
    """Joins the values of each row in all combinations: "a_X_b".

    Args:
        inputs: A list of tensors and SparseTensors [rows, values] of strings or integers.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A SparseTensor of strings.

    Raises:
        TypeError: inputs is not a list of tensors.

    Example:
        >>> crossed = sl.sparse.cross([sl.constant([["a"], ["b"]]), sl.constant([["c"], ["d"]])])
        >>> sl.Session().run(crossed.values)
        array([b'a_X_c', b'b_X_d'], dtype=object)
    """
    return _crossed(inputs, name, False, 0, None)


def cross_hashed(inputs, num_buckets=0, hash_key=None, name=None):
    """Joins the values of each row in all combinations, and gives each combination a bucket.

    Args:
        inputs: A list of tensors and SparseTensors [rows, values] of strings or integers.
        num_buckets: How many buckets there are, an int. 0: as many as there are hashes.
        hash_key: Key of the hash, an int. None: a default key.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A SparseTensor of int64.

    Raises:
        TypeError: inputs is not a list of tensors.
    """
    return _crossed(inputs, name, True, num_buckets, hash_key)


def _crossed(inputs, name, hashed, num_buckets, hash_key):
    if not isinstance(inputs, (list, tuple)):
        raise TypeError(f"inputs must be a list, not {inputs!r}")
    if not all(isinstance(i, (Tensor, SparseTensor)) for i in inputs):
        raise TypeError("inputs must be tensors and SparseTensors")
    sparse = [i for i in inputs if isinstance(i, SparseTensor)]
    dense = [convert_to_tensor(i) for i in inputs if not isinstance(i, SparseTensor)]
    texts = any(i.dtype == dtypes.string for i in inputs)
    return SparseTensor(*raw_ops.SparseCross(
        indices=[i.indices for i in sparse], values=[_plain(i.values) for i in sparse],
        shapes=[i.dense_shape for i in sparse], dense_inputs=[_plain(i) for i in dense],
        hashed_output=hashed, num_buckets=num_buckets,
        hash_key=_HASH_KEY if hash_key is None else hash_key,
        out_type=dtypes.int64 if hashed else dtypes.string,
        internal_type=dtypes.string if texts else dtypes.int64, name=name,
    ))  # fmt: skip


def _plain(tensor):
    return tensor if tensor.dtype == dtypes.string else arrays.cast(tensor, dtypes.int64)


__all__ = with_names(globals())
