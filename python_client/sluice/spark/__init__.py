# SPDX-License-Identifier: Apache-2.0
"""Training on the executors of a Spark cluster, and parallel experiments.

TFCluster and TFNode have the names and meaning of TensorFlowOnSpark:

    from sluice.spark import TFCluster, TFNode
    cluster = TFCluster.run(sc, map_fun, args, num_executors, num_ps, False,
                            TFCluster.InputMode.SPARK)
    cluster.train(rdd, num_epochs)
    cluster.shutdown()

launch(), grid_search() and random_search() run one function with several arguments, on executors or
on processes of this machine. Only Spark itself requires the package pyspark, and InputMode.SPARK
the package pyarrow on all hosts.
"""

from .experiments import Trial, grid_search, launch, random_search

__all__ = ["Trial", "grid_search", "launch", "random_search"]
