# SPDX-License-Identifier: Apache-2.0
"""The projection on probabilities, many of which are 0 (Martins & Astudillo, 2016)."""

from .. import dtypes, modules
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import name_scope
from ..ops import array as arrays
from ..ops import math
from ..ops.nn.ranking import top_k


def sparsemax(logits, name=None):
    """Computes the probabilities that are nearest to numbers.

    Args:
        logits: A float tensor [batch, classes].
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of that shape. Rows with NaN or without a largest number are NaN.
    """
    with name_scope(name or "sparsemax"):
        logits = convert_to_tensor(logits)
        count = arrays.shape(logits)[1]
        ordered, _ = top_k(logits, k=count)
        sums = math.cumsum(ordered, axis=1)
        ranks = arrays.cast(arrays.range(1, count + 1), logits.dtype)
        inside = arrays.cast(1 + ranks * ordered > sums, dtypes.int32)
        size = math.reduce_sum(inside, axis=1)
        rows = arrays.range(0, arrays.shape(logits)[0])
        last = arrays.stack([rows, math.maximum(size, 1) - 1], 1)
        threshold = (arrays.gather_nd(sums, last) - 1) / arrays.cast(size, logits.dtype)
        found = math.maximum(arrays.cast(0, logits.dtype), logits - threshold[:, None])
        bad = math.logical_or(math.equal(size, 0), math.is_nan(sums[:, -1]))
        return arrays.where(bad, arrays.zeros_like(logits) + float("nan"), found)


def sparsemax_loss(logits, sparsemax, labels, name=None):
    """Computes the loss of probabilities of sparsemax().

    Args:
        logits: A float tensor [batch, classes].
        sparsemax: The output of sparsemax() of these.
        labels: The probability of each class, a tensor of that shape.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A float vector [batch].
    """
    with name_scope(name or "sparsemax_loss"):
        logits, sparsemax = convert_to_tensor(logits), convert_to_tensor(sparsemax)
        labels = convert_to_tensor(labels)
        half = sparsemax * (logits - 0.5 * sparsemax)
        part = arrays.where(math.logical_or(sparsemax > 0, math.is_nan(sparsemax)), half,
                            arrays.zeros_like(half))  # fmt: skip
        of_labels = labels * (0.5 * labels - logits)
        none = math.logical_and(math.equal(labels, 0), math.is_inf(logits))
        of_labels = arrays.where(none, arrays.zeros_like(of_labels), of_labels)
        return math.reduce_sum(part + of_labels, axis=1)


module = modules.make(
    "contrib.sparsemax",
    "The projection on probabilities, many of which are 0.",
    {"sparsemax": sparsemax, "sparsemax_loss": sparsemax_loss},
)
