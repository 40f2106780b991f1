# SPDX-License-Identifier: Apache-2.0
"""Seeds of random data sets: int64 tensors."""

from .. import dtypes
from ..graph.convert import constant, convert_to_tensor
from ..graph.default_graph import get_default_graph, name_scope
from ..graph.seeds import get_seed
from ..ops import array as arrays
from ..ops import math


def seed_tensors(seed):
    """The two seeds of a data set as tensors. Both are 0 where neither the graph nor the caller has
    a seed: then each iterator draws its own.

    Args:
        seed: The caller's seed, an int, an int64 scalar or None.
    """
    if seed is None and get_default_graph().seed is None:
        return constant(0, dtypes.int64, name="seed"), constant(0, dtypes.int64, name="seed2")
    if hasattr(seed, "graph"):
        first = get_seed(0)[0]
        return convert_to_tensor(first, dtypes.int64, "seed"), arrays.cast(seed, dtypes.int64)
    first, second = get_seed(seed)
    first = convert_to_tensor(first, dtypes.int64, "seed")
    with name_scope("seed2") as scope:
        second = convert_to_tensor(second, dtypes.int64)
        # Two zeros mean random seeds.
        zeros = math.logical_and(math.equal(first, 0), math.equal(second, 0))
        largest = constant(2**31 - 1, dtypes.int64)
        return first, arrays.where(zeros, largest, second, name=scope)
