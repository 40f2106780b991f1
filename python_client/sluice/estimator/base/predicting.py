# SPDX-License-Identifier: Apache-2.0
"""What predictions of an estimator are fetched, and how they are yielded."""

from ...graph.elements import Tensor
from ...graph.keys import GraphKeys
from ...nest import flatten


def ends(graph, features):
    """Whether the input of a prediction ends by itself."""
    tensors = [t for t in flatten(features) if isinstance(t, Tensor)]
    if any(t.op.type == "IteratorGetNext" for t in tensors):
        return True
    return bool(graph.get_collection(GraphKeys.QUEUE_RUNNERS))


def chosen(predictions, names):
    """The predictions of these names."""
    if not names:
        return predictions
    if not isinstance(predictions, dict):
        raise ValueError("predict_keys argument is not valid in case of non-dict predictions.")
    found = {key: value for key, value in predictions.items() if key in names}
    if not found:
        raise ValueError(
            f"Expected to run at least one output from {list(predictions)}, provided {names}."
        )
    return found


def rows(found):
    """Yields the rows of a batch, each alone."""
    if not isinstance(found, dict):
        yield from found
        return
    lengths = {len(value) for value in found.values()}
    if len(lengths) > 1:
        raise ValueError(f"Batch length of predictions should be same, not {sorted(lengths)}.")
    for i in range(*lengths):
        yield {key: value[i] for key, value in found.items()}
