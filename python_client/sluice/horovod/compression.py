# SPDX-License-Identifier: Apache-2.0
"""Compression of what is reduced."""

from . import clients


class _NoCompression:
    """Reduces tensors in their own dtype."""

    @staticmethod
    def compress(tensor):
        """Returns (tensor, None)."""
        return tensor, None

    @staticmethod
    def decompress(tensor, ctx):
        """Returns the tensor."""
        del ctx
        return tensor


class _HalfCompression:
    """Reduces float32 and float64 as float16. Sums are formed in float and rounded once."""

    @staticmethod
    def compress(tensor):
        """Returns (the tensor in half, its dtype)."""
        tf = clients.v1()
        if not tensor.dtype.is_floating:
            return tensor, tensor.dtype
        return tf.cast(tensor, tf.float16), tensor.dtype

    @staticmethod
    def decompress(tensor, ctx):
        """Returns the tensor in the dtype ctx."""
        return tensor if tensor.dtype == ctx else clients.v1().cast(tensor, ctx)


class Compression:
    """How tensors are compressed before they are reduced: Compression.none or Compression.fp16.

    A class of the program's own, with the static methods compress(tensor) -> (tensor, context) and
    decompress(tensor, context) -> tensor, is accepted too.
    """

    none = _NoCompression
    fp16 = _HalfCompression
