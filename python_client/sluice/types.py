# SPDX-License-Identifier: Apache-2.0
"""Types for annotations: what functions take where they take a tensor, a dtype or a shape.

from sluice.types import TensorLike

def loss(labels: TensorLike, predictions: TensorLike) -> sl.Tensor: ...
"""

from typing import Any, Sequence, Union

import numpy as np

from .dtypes import DType
from .graph.elements import IndexedSlices, Operation, Tensor
from .graph.tensor_shape import TensorShape
from .ops.sparse.sparse_tensor import SparseTensor
from .ops.state.variables import Variable

# The arguments of convert_to_tensor(): nested lists of these too.
TensorLike = Union[
    Tensor, Variable, np.ndarray, np.generic, int, float, complex, str, bytes, Sequence[Any]
]
# The arguments of as_dtype().
DTypeLike = Union[DType, np.dtype, type, str, int]
# A shape: sizes, None where one is not known; some functions take scalar tensors among them.
ShapeLike = Union[TensorShape, Sequence[Any], int]
# The fetches of a session: lists, tuples and dicts of these too.
Fetches = Any

__all__ = [
    "DTypeLike", "Fetches", "IndexedSlices", "Operation", "ShapeLike", "SparseTensor", "Tensor",
    "TensorLike", "TensorShape", "Variable",
]  # fmt: skip
