# SPDX-License-Identifier: Apache-2.0
"""What a map function knows of its node."""

import getpass
import os

from . import TFNode


class NodeContext:
    """One node of a cluster on Spark.

    Args:
      executor_id: number of the node, an int.
      job_name, task_index: its task.
      cluster_spec: a dict: job -> list of addresses.
      default_fs: the file system of paths without a scheme, such as "hdfs://host:9000".
      working_dir: the folder of the executor.
      feed: the Feed of the data that Spark sends; None: it sends none.
    """

    def __init__(self, executor_id, job_name, task_index, cluster_spec, default_fs, working_dir,
                 feed=None):  # fmt: skip
        self.worker_num = self.executor_id = executor_id
        self.job_name, self.task_index = job_name, task_index
        self.cluster_spec = cluster_spec
        self.num_workers = sum(len(cluster_spec.get(job, ())) for job in ("chief", "worker"))
        self.default_fs = self.defaultFS = default_fs
        self.working_dir = working_dir
        self.mgr = feed

    def hdfs_path(self, path):
        """Completes a path by the default file system.

        Args:
          path: absolute, of a user's folder, or with a scheme, a str.

        Returns:
          A str with a scheme; a path of the local file system has none.
        """
        if "://" in path:
            return path
        if self.default_fs.startswith("file:"):
            return path if path.startswith("/") else os.path.join(self.working_dir, path)
        if path.startswith("/"):
            return self.default_fs.rstrip("/") + path
        return f"{self.default_fs.rstrip('/')}/user/{getpass.getuser()}/{path}"

    absolute_path = hdfs_path

    def start_cluster_server(self, num_gpus=1, rdma=False):
        """As TFNode.start_cluster_server()."""
        return TFNode.start_cluster_server(self, num_gpus, rdma)

    def get_data_feed(self, train_mode=True, qname_in="input", qname_out="output",
                      input_mapping=None):  # fmt: skip
        """As TFNode.DataFeed()."""
        return TFNode.DataFeed(self.mgr, train_mode, qname_in, qname_out, input_mapping)
