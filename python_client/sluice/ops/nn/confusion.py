# SPDX-License-Identifier: Apache-2.0
"""Which classes were predicted as which."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import control_dependencies
from .. import raw_ops
from ..array import cast, ones_like
from ..debug.assertions import assert_less, assert_non_negative
from ..math import add, maximum, reduce_max
from ..math.weights import without_last


def confusion_matrix(labels, predictions, num_classes=None, dtype=dtypes.int32, name=None,
                     weights=None):  # fmt: skip
    """Counts how often examples of one class were predicted as another class.

    Args:
        labels: An integer tensor [n] of right classes.
        predictions: An integer tensor [n] of predicted classes. One of the two may be [n, 1].
        num_classes: How many classes, an int. None: the largest class that occurs, plus 1.
        dtype: Dtype of the result.
        name: Name of the operation, a str. None: a default name.
        weights: A tensor [n]: how much each example counts. None: 1.

    Returns:
        A tensor [num_classes, num_classes]; rows are right classes, columns predicted ones.

    Raises:
        errors.InvalidArgumentError: In run(): a class is negative, or not below num_classes.

    Example:
        >>> sl.Session().run(sl.confusion_matrix([0, 1, 1], [0, 1, 0]))
        array([[1, 0],
               [1, 1]], dtype=int32)
    """
    labels, predictions = without_last(labels, predictions)
    classes = {"labels": cast(labels, dtypes.int64), "predictions": cast(predictions, dtypes.int64)}
    for key, values in classes.items():
        negative = assert_non_negative(
            values, message=f"`{key}` contains negative values"
        )
        with control_dependencies([negative]):
            classes[key] = raw_ops.Identity(input=values)
    if num_classes is None:
        largest = [reduce_max(values) for values in classes.values()]
        num_classes = cast(add(maximum(*largest), 1), dtypes.int64)
    else:
        num_classes = cast(convert_to_tensor(num_classes), dtypes.int64)
        for key, values in classes.items():
            above = assert_less(values, num_classes, message=f"`{key}` out of bound")
            with control_dependencies([above]):
                classes[key] = raw_ops.Identity(input=values)
    labels, predictions = classes["labels"], classes["predictions"]
    values = ones_like(predictions) if weights is None else weights
    size = raw_ops.Pack(values=[num_classes, num_classes])
    places = raw_ops.Pack(values=[labels, predictions], axis=1)
    return raw_ops.ScatterNd(
        indices=places, updates=cast(convert_to_tensor(values), dtype), shape=size, name=name
    )
