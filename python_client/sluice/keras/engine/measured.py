# SPDX-License-Identifier: Apache-2.0
"""Which Metric computes a tensor."""


def keep_metric(value, metric):
    """Keeps which Metric computes a tensor.

    Args:
        value: The tensor.
        metric: The Metric.

    Returns:
        The tensor.
    """
    value._metric_obj = metric
    return value


def metric_of(value):
    """Returns the Metric that computes a tensor, or None.

    Args:
        value: The tensor.

    Returns:
        A Metric, or None.
    """
    return getattr(value, "_metric_obj", None)
