# SPDX-License-Identifier: Apache-2.0
"""The names of TensorFlow's module debug, which programs import and seldom use."""

import numpy as np

from .refusing import refused


def has_inf_or_nan(datum, tensor):
    """Tests whether a value is not finite somewhere.

    Args:
        datum: Accepted: what a debugger knows of the tensor.
        tensor: The value, a numpy array or None.

    Returns:
        A bool.
    """
    del datum
    if not isinstance(tensor, np.ndarray) or not np.issubdtype(tensor.dtype, np.inexact):
        return False
    return not np.all(np.isfinite(tensor))


NAMES = {
    "has_inf_or_nan": has_inf_or_nan,
    **{name: refused(name, "steps cannot be debugged") for name in """
        DumpingDebugHook DumpingDebugWrapperSession GrpcDebugHook LocalCLIDebugHook
        LocalCLIDebugWrapperSession TensorBoardDebugHook TensorBoardDebugWrapperSession watch_graph
    """.split()},
}  # fmt: skip
