# SPDX-License-Identifier: Apache-2.0
"""What a map function calls on its node."""

from ..session.cluster import ClusterSpec, Server
from .batches import columns_of


def hdfs_path(ctx, path):
    """As ctx.hdfs_path(path)."""
    return ctx.hdfs_path(path)


def start_cluster_server(ctx, num_gpus=1, rdma=False):
    """Starts the server of this node.

    Args:
      ctx: the NodeContext.
      num_gpus: accepted; the server takes the GPUs that are visible.
      rdma: accepted; the transport of two servers is chosen between them.

    Returns:
      (the ClusterSpec, the Server).
    """
    del num_gpus, rdma
    cluster = ClusterSpec(ctx.cluster_spec)
    return cluster, Server(cluster, ctx.job_name, ctx.task_index)


class DataFeed:
    """The rows that Spark sends to this node.

    Args:
      mgr: ctx.mgr.
      train_mode: whether results are not sent back.
      qname_in, qname_out: accepted; there is one feed for each node.
      input_mapping: a dict: column of the rows -> name of a tensor. With it a batch is a dict of
        arrays. None: a batch is a list of rows.
    """

    def __init__(self, mgr, train_mode=True, qname_in="input", qname_out="output",
                 input_mapping=None):  # fmt: skip
        del qname_in, qname_out
        if mgr is None:
            raise ValueError("Spark sends data with InputMode.SPARK only")
        self._feed, self._train_mode = mgr, train_mode
        self._names = input_mapping and [input_mapping[key] for key in sorted(input_mapping)]

    def next_batch(self, batch_size):
        """Takes rows. Waits for them.

        Args:
          batch_size: how many, an int. There are fewer at the end of the data, and when results are
            sent back, at the end of a partition.

        Returns:
          A list of rows, or a dict of arrays.
        """
        rows = self._feed.take(batch_size, whole_partitions=not self._train_mode)
        return (
            rows if self._names is None else dict(zip(self._names, columns_of(rows, self._names)))
        )

    def should_stop(self):
        """Returns whether there is no more data."""
        return self._feed.is_over()

    def batch_results(self, results):
        """Sends results back, one for each row.

        Args:
          results: a list or an array.
        """
        self._feed.put_results(list(results))

    def terminate(self):
        """Takes no more rows. What comes is dropped."""
        self._feed.terminate()
