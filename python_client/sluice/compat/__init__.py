# SPDX-License-Identifier: Apache-2.0
"""What programs for several versions of Python and TensorFlow use: texts and bytes, and the package
under its names `compat.v1` and `compat.v2`."""

from ..graph.tensor_shape import dimension_at_index, dimension_value
from . import paths
from .horizon import forward_compatibility_horizon, forward_compatible
from .texts import (
    as_bytes,
    as_str,
    as_str_any,
    as_text,
    bytes_or_text_types,
    complex_types,
    integral_types,
    path_to_str,
    real_types,
)

__all__ = [
    "as_bytes", "as_str", "as_str_any", "as_text", "bytes_or_text_types", "complex_types",
    "dimension_at_index", "dimension_value", "forward_compatibility_horizon", "forward_compatible",
    "integral_types", "path_to_str", "real_types",
]  # fmt: skip

paths.install(__name__)
