# SPDX-License-Identifier: Apache-2.0
"""Statistics of data sets, which the tasks gather."""

from ..ops import raw_ops


class StatsAggregator:
    """Statistics of data sets that a task gathers: see StatsOptions, latency_stats() and
    bytes_produced_stats()."""

    def __init__(self):
        self._resource = raw_ops.StatsAggregatorHandle()

    def get_summary(self):
        """Makes the tensor of what was gathered.

        Returns:
            A string scalar: a Summary.
        """
        return raw_ops.StatsAggregatorSummary(iterator=self._resource)


def aggregator_of(stats):
    """The tensor of the resource of a StatsAggregator."""
    return stats._resource
