# SPDX-License-Identifier: Apache-2.0
"""How tensors travel whose dtype the collective ops do not take."""

from . import clients

_TAKEN = ("float16", "float32", "float64", "int32", "int64")
# A wider dtype that has all values.
_WIDER = {"bool": "int32", "int8": "int32", "uint8": "int32", "int16": "int32", "uint16": "int32"}
# A dtype with the same bits.
_SAME_BITS = {
    "bfloat16": "float16", "uint32": "int32", "uint64": "int64", "complex64": "int64",
    "complex128": "int64",
}  # fmt: skip
_SUMMED_WIDER = {**{k: v for k, v in _WIDER.items() if k != "bool"}, "bfloat16": "float32"}


def note(tensor):
    """What the ranks compare of a tensor whose dtype does not travel as it is, else ""."""
    dtype = tensor.dtype.base_dtype.name
    return "" if dtype in _TAKEN else f", {dtype} values"


def moved(tensor, what):
    """A tensor of a dtype that can be gathered and broadcast.

    Args:
      tensor: a tensor.
      what: the operation, for the error.

    Returns:
      (tensor, function that converts the result back).

    Raises:
      TypeError: the dtype cannot travel.
    """
    tf, dtype = clients.v1(), tensor.dtype.base_dtype
    if dtype.name in _TAKEN:
        return tensor, lambda result: result
    if dtype.name in _WIDER:
        return tf.cast(tensor, _WIDER[dtype.name]), lambda result: tf.cast(result, dtype)
    if dtype.name in _SAME_BITS:
        return tf.bitcast(tensor, _SAME_BITS[dtype.name]), lambda result: tf.bitcast(result, dtype)
    raise TypeError(f"{what} does not take {tensor.name}, which is {dtype.name}: numbers only")


def reduced(tensor, what):
    """As moved(), for a reduction.

    Raises:
      TypeError: the dtype cannot be reduced.
    """
    tf, dtype = clients.v1(), tensor.dtype.base_dtype
    if dtype.name in _TAKEN:
        return tensor, lambda result: result
    if dtype.name in _SUMMED_WIDER:
        return tf.cast(tensor, _SUMMED_WIDER[dtype.name]), lambda result: tf.cast(result, dtype)
    raise TypeError(
        f"{what} does not take {tensor.name}, which is {dtype.name}: it takes"
        f" {', '.join(sorted((*_TAKEN, *_SUMMED_WIDER)))}"
    )
