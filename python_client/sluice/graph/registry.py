# SPDX-License-Identifier: Apache-2.0
"""The ops that the runtime knows."""

import functools

from .. import _sluice

OPS = {op["name"]: op for op in _sluice.ops()}  # name -> its inputs, outputs and attributes


@functools.lru_cache(None)
def attr_type(op_type, name):
    """The type of an op's attribute, such as "list(int)"; "" where the op declares none."""
    for attr in OPS[op_type]["attrs"] if op_type in OPS else ():
        if attr["name"] == name:
            return attr["type"]
    return ""


@functools.lru_cache(None)
def takes_references(op_type):
    """Whether an op takes references, and not only values."""
    return op_type in OPS and any(arg["is_ref"] for arg in OPS[op_type]["inputs"])
