# SPDX-License-Identifier: Apache-2.0
"""Every op of the registry as a function with keyword arguments: raw_ops.MatMul(a=x, b=y,
transpose_a=True).

Inputs are tensors or values that become constants; types and numbers that follow from the inputs
need not be given. Arguments have the names of TensorFlow's raw_ops; where it renamed them, those of
the OpDef are accepted too.
A function returns the op's output, a named tuple of them when there are several, or the Operation
when it has none; an output that is a list of tensors is a list.
Its text, help(raw_ops.MatMul), is made from the registry when it is first asked for.
"""

import sys

from . import absent
from .ops import raw_ops as _functions
from .ops.raw_ops import __all__


def __getattr__(op_type):
    try:
        function = getattr(_functions, op_type)
    except AttributeError:
        absent.explain(sys.modules[__name__], "raw_ops", op_type)
    globals()[op_type] = function
    return function


def __dir__():
    return list(__all__)
