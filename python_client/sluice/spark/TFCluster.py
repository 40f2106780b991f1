# SPDX-License-Identifier: Apache-2.0
"""Clusters of servers on the executors of Spark."""

import functools
import os
import secrets
import threading
import time

from . import feed
from .meeting import Meeting
from .node import NodeJob, feed_path, start


class InputMode:
    """Where a map function gets its data: it reads files, or Spark sends the rows of an RDD."""

    TENSORFLOW = 0
    SPARK = 1


def run(sc, map_fun, tf_args, num_executors, num_ps=0, tensorboard=False,
        input_mode=InputMode.TENSORFLOW, log_dir=None, driver_ps_nodes=False, master_node=None,
        reservation_timeout=600):  # fmt: skip
    """Starts a node on each executor. An executor must have one core.

    Args:
      sc: the SparkContext.
      map_fun: a function (tf_args, ctx) that each node runs. ctx is a NodeContext.
      tf_args: what it gets.
      num_executors: number of nodes.
      num_ps: how many of them are parameter servers.
      tensorboard: whether the first node that trains starts TensorBoard, where it is installed.
      input_mode: an InputMode.
      log_dir: the folder that TensorBoard shows.
      driver_ps_nodes: must be False.
      master_node: job of the first node that trains, such as "chief". None: it is worker 0.
      reservation_timeout: seconds for all nodes to come.

    Returns:
      A Cluster.

    Raises:
      RuntimeError: a node did not come, or failed.
    """
    from pyspark import cloudpickle

    if driver_ps_nodes:
        raise ValueError("parameter servers run on executors: leave out driver_ps_nodes")
    if not 0 <= num_ps < num_executors:
        raise ValueError(f"{num_ps} parameter servers leave none of {num_executors} nodes to train")
    names = [f"ps:{index}" for index in range(num_ps)] + ([f"{master_node}:0"] * bool(master_node))
    names += [f"worker:{index}" for index in range(num_executors - len(names))]
    token = secrets.token_bytes(16)
    group = f"sluice-{token.hex()[:16]}"

    def cancel():
        while not meeting.is_closed():  # a job may begin after the failure
            sc.cancelJobGroup(group)
            time.sleep(1)

    meeting = Meeting(
        names, sc.getConf().get("spark.driver.host", "localhost"), token,
        lambda _: threading.Thread(target=cancel, daemon=True).start(),
    )  # fmt: skip
    job = NodeJob(
        cloudpickle.dumps((map_fun, tf_args)), names, meeting.address, token,
        input_mode == InputMode.SPARK, sc._jsc.hadoopConfiguration().get("fs.defaultFS"),
        log_dir if tensorboard else None,
    )  # fmt: skip
    cluster = Cluster(sc, job, meeting, group)
    why = meeting.wait_for_members(reservation_timeout)
    if why is not None:
        cluster.abort()
        raise RuntimeError(f"the cluster did not start: {why}")
    return cluster


class Cluster:
    """A running cluster, which run() makes."""

    def __init__(self, sc, job, meeting, group):
        self._sc, self._job, self._meeting, self._group = sc, job, meeting, group
        self._thread = threading.Thread(target=self._start_nodes, daemon=True)
        self._thread.start()

    @property
    def cluster_id(self):
        """The name of its jobs on Spark, a str."""
        return self._group

    def tensorboard_url(self):
        """Returns where TensorBoard is, a str; None: it does not run."""
        return self._meeting.tensorboard

    def train(self, dataRDD, num_epochs=1, feed_timeout=600, qname="input"):  # noqa: N803
        """Sends the rows of an RDD to the nodes that train, and waits until they took them.

        Args:
          dataRDD: an RDD of tuples, lists or single values.
          num_epochs: how often the rows are sent; 0 is 1.
          feed_timeout, qname: accepted.

        Raises:
          RuntimeError: a node failed or is gone; the message names it and says where it ran.
        """
        del feed_timeout, qname
        self._check_feeds()
        rows = self._sc.union([dataRDD] * max(1, num_epochs))
        self._on_spark(lambda: rows.foreachPartition(functools.partial(_feed, self._job)))

    def inference(self, dataRDD, feed_timeout=600, qname="input"):  # noqa: N803
        """Sends the rows of an RDD to the nodes, when the result is used.

        Args:
          dataRDD: as for train().
          feed_timeout, qname: accepted.

        Returns:
          An RDD of the results, one for each row.
        """
        del feed_timeout, qname
        self._check_feeds()
        return dataRDD.mapPartitions(functools.partial(_infer, self._job))

    def shutdown(self, ssc=None, grace_secs=0, timeout=259200):
        """Waits until the map functions have ended, and ends all nodes.

        Args:
          ssc: accepted; must be None.
          grace_secs: seconds to wait after that.
          timeout: the longest time to wait, in seconds.

        Raises:
          RuntimeError: a node failed or is gone, or did not end in time.
        """
        del ssc
        training = [n for n, name in enumerate(self._job.names) if not name.startswith("ps:")]
        in_time = self._meeting.stop(training, timeout)
        failure = self._meeting.failure
        if failure is None and in_time:
            time.sleep(grace_secs)
        self.abort()
        if failure is not None:
            raise RuntimeError(failure)
        if not in_time:
            raise RuntimeError(f"the nodes did not end within {timeout:g} s")

    def abort(self):
        """Ends all nodes at once."""
        self._meeting.close()
        self._sc.cancelJobGroup(self._group) if self._meeting.failure else None
        self._thread.join(60)

    def _check_feeds(self):
        if not self._job.feeds:
            raise ValueError("Spark sends data with input_mode=InputMode.SPARK only")

    def _start_nodes(self):
        count = len(self._job.names)
        try:
            self._on_spark(
                lambda: self._sc.parallelize(range(count), count).foreachPartition(
                    functools.partial(_start, self._job)
                )
            )
        except Exception as error:
            self._meeting.fail(str(error))

    def _on_spark(self, action):
        if self._meeting.failure is not None:
            raise RuntimeError(self._meeting.failure)
        self._sc.setJobGroup(self._group, "a cluster of Sluice", interruptOnCancel=False)
        try:
            action()
        except Exception as error:
            # The node's end may be seen a little later than that of a task that feeds it.
            failure = self._meeting.wait_for_failure(5)
            raise RuntimeError(failure or str(error)) from error


def _numbers_file(job):
    return f".sluice-{job.token.hex()[:16]}"


def _start(job, numbers):
    """The task that starts a node. It stays while Spark must not send data to its executor."""
    for number in numbers:
        try:
            with open(_numbers_file(job), "x") as file:
                file.write(str(number))
        except FileExistsError:
            raise RuntimeError(
                "an executor got two nodes: give each one core (spark.executor.cores=1), and start"
                " as many executors as there are nodes"
            ) from None
        process = start(job, number, os.getcwd())
        if not job.feeds or job.names[number].startswith("ps:"):
            process.wait()


def _send(job, rows, wants_results):
    try:
        with open(_numbers_file(job)) as file:
            number = int(file.read())
        return feed.send(feed_path(job.token, number), job.token, rows, wants_results)
    except FileNotFoundError:
        raise RuntimeError("this executor has no node of the cluster") from None
    except (EOFError, ConnectionError) as error:
        raise RuntimeError(f"{job.names[number]} is gone: {error!r}") from error


def _feed(job, rows):
    _send(job, rows, False)


def _infer(job, rows):
    taken, results = _send(job, rows, True)
    if not taken:
        raise RuntimeError("the map function ended before it took all rows")
    return results
