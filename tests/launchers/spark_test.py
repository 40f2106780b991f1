# SPDX-License-Identifier: Apache-2.0
"""sluice.spark on a real Spark with executors of their own processes (local-cluster mode)."""

import importlib.util
import os
import re
import signal
import subprocess
import sys
import time
import types

import pytest
from processes import lives, wait_for_end

pyspark = pytest.importorskip("pyspark", reason="PySpark is not installed: ./run launchers does")
pytest.importorskip("pyarrow")

from pyspark import cloudpickle  # noqa: E402
from sluice.spark import TFCluster, grid_search, launch  # noqa: E402

# Executors cannot import this file.
cloudpickle.register_pickle_by_value(sys.modules[__name__])

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXECUTORS = 3
QUICK_JVM = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


@pytest.fixture(scope="module")
def sc(tmp_path_factory):
    folder = tmp_path_factory.mktemp("spark")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    conf = pyspark.SparkConf().setAppName("sluice").setMaster(f"local-cluster[{EXECUTORS},1,1024]")
    for key, value in {
        "spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1",
        "spark.executor.memory": "512m", "spark.task.maxFailures": "1",
        "spark.executorEnv.PYTHONPATH": os.environ["PYTHONPATH"],
        # A JVM that lives for a minute.
        "spark.driver.extraJavaOptions": QUICK_JVM, "spark.executor.extraJavaOptions": QUICK_JVM,
        "spark.local.dir": str(folder), "spark.worker.dir": str(folder),
    }.items():  # fmt: skip
        conf.set(key, value)
    context = pyspark.SparkContext(conf=conf)
    context.setLogLevel("OFF")
    yield context
    context.stop()


def nodes():
    """The processes of nodes."""
    found = subprocess.run(["pgrep", "-f", "sluice.spark.node"], capture_output=True, text=True)
    return [int(pid) for pid in found.stdout.split()]


def train_fun(args, ctx):
    """Fits y = 2 x by rows that Spark sends; writes how many rows came and the weight."""
    import numpy as np
    import sluice as tf
    from sluice.spark import TFNode

    cluster, server = TFNode.start_cluster_server(ctx, 1)
    if ctx.job_name == "ps":
        server.join()
    device = tf.train.replica_device_setter(
        worker_device=f"/job:worker/task:{ctx.task_index}", cluster=cluster
    )
    with tf.device(device):
        x, y = (tf.placeholder(tf.float32, [None]) for _ in range(2))
        weight = tf.get_variable("w", [], initializer=tf.zeros_initializer())
        step = tf.train.get_or_create_global_step()
        loss = tf.reduce_mean(tf.square(weight * x - y))
        train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
    feed = TFNode.DataFeed(ctx.mgr, True, input_mapping={"a": "x", "b": "y"})
    rows = 0
    with tf.train.MonitoredTrainingSession(server.target, ctx.task_index == 0) as session:
        while not feed.should_stop():
            batch = feed.next_batch(32)
            if len(batch["x"]):
                session.run(train, {x: batch["x"], y: batch["y"]})
                rows += len(batch["x"])
        value = session.run(weight)
    assert batch["x"].dtype == np.float64
    with open(os.path.join(args["folder"], f"worker{ctx.task_index}"), "w") as file:
        file.write(f"{rows} {value}")


def test_training_by_rows_of_spark(sc, tmp_path):
    cluster = TFCluster.run(
        sc, train_fun, {"folder": str(tmp_path)}, EXECUTORS, 1, False, TFCluster.InputMode.SPARK
    )
    pairs = [(x / 100, 2 * x / 100) for x in range(-500, 500)]
    cluster.train(sc.parallelize(pairs, 4), 3)
    pids = nodes()
    cluster.shutdown()
    came = [path.read_text().split() for path in sorted(tmp_path.glob("worker*"))]
    assert len(came) == 2 and sum(int(rows) for rows, _ in came) == 3000
    assert max(abs(float(weight) - 2) for _, weight in came) < 0.2
    wait_for_end(pids)


def example(name):
    """A program of examples/spark/ as a module, which executors get with its functions."""
    path = os.path.join(ROOT, "examples", "spark", name)
    spec = importlib.util.spec_from_file_location(name[:-3], path)
    module = sys.modules[name[:-3]] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    cloudpickle.register_pickle_by_value(module)
    return module


def test_inception(sc, tmp_path, capsys):
    options = types.SimpleNamespace(
        executors=EXECUTORS, epochs=4, batch=32, folder=str(tmp_path)
    )  # fmt: skip
    example("inception.py").train(sc, options)
    said = capsys.readouterr().out
    found = re.findall(r"(\d+) rows, loss (\S+) to (\S+)", said)
    assert sum(int(rows) for rows, _, _ in found) == 4 * 512, said
    assert all(float(last) < 0.5 * float(first) for _, first, last in found), said
    assert re.search(r"trained 6[4-9] steps", said), said


def test_search(sc, capsys):
    search = example("search.py")
    search.show(grid_search(sc, search.train, {"rate": [0.03], "units": [0, 8]}))
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("rate 0.03, units 8: accuracy 0.9"), said
    assert said[1] == "rate 0.03, units 0: failed: ValueError: a layer needs units, not 0"


def square_fun(args, ctx):
    feed = ctx.get_data_feed(train_mode=False)
    while not feed.should_stop():
        feed.batch_results([row * row for row in feed.next_batch(10)])


def test_inference_keeps_the_order(sc):
    cluster = TFCluster.run(sc, square_fun, None, EXECUTORS, 0, False, TFCluster.InputMode.SPARK)
    numbers = list(range(3000))
    assert cluster.inference(sc.parallelize(numbers, 5)).collect() == [n * n for n in numbers]
    cluster.shutdown()
    wait_for_end(nodes())


def write_fun(args, ctx):
    with open(os.path.join(args, f"{ctx.job_name}{ctx.task_index}"), "w") as file:
        file.write(f"{ctx.num_workers} {ctx.hdfs_path('/a')} {sorted(ctx.cluster_spec)}")


def test_nodes_that_read_files_themselves(sc, tmp_path):
    cluster = TFCluster.run(sc, write_fun, str(tmp_path), EXECUTORS, 1, master_node="chief")
    while not (tmp_path / "ps0").exists():  # a parameter server is ended by shutdown()
        time.sleep(0.05)
    cluster.shutdown()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["chief0", "ps0", "worker0"]
    assert (tmp_path / "chief0").read_text() == "2 /a ['chief', 'ps', 'worker']"


def fail_fun(args, ctx):
    if ctx.task_index == 1:
        raise ValueError("a wrong shape")
    ctx.get_data_feed().next_batch(1 << 30)


def test_a_map_function_that_fails_is_named(sc):
    cluster = TFCluster.run(sc, fail_fun, None, EXECUTORS, 0, False, TFCluster.InputMode.SPARK)
    with pytest.raises(
        RuntimeError, match=r"(?s)worker:1 on .* failed:.*ValueError: a wrong shape"
    ):
        cluster.train(sc.parallelize(range(100000), 30))
        cluster.shutdown()
    cluster.abort()
    wait_for_end(nodes())


def slow_fun(args, ctx):
    with open(os.path.join(args, f"worker{ctx.task_index}"), "w") as file:
        file.write(str(os.getpid()))
    feed = ctx.get_data_feed()
    while not feed.should_stop():
        feed.next_batch(10)
        time.sleep(0.05)


def test_an_executor_that_dies_names_itself_and_ends_the_job(sc, tmp_path):
    cluster = TFCluster.run(
        sc, slow_fun, str(tmp_path), EXECUTORS, 0, False, TFCluster.InputMode.SPARK
    )
    while not (tmp_path / "worker1").exists():
        time.sleep(0.05)
    pids = nodes()
    executor = int(
        re.search(r"executor process (\d+)", cluster._meeting._members[1][1]).group(1)
    )  # fmt: skip
    assert lives(executor)
    os.kill(executor, signal.SIGKILL)
    with pytest.raises(RuntimeError, match=rf"worker:1 on .*executor process {executor}.* is gone"):
        cluster.train(sc.parallelize(range(1000000), 30))
    cluster.abort()
    wait_for_end(pids)


def score(x, y=1):
    print("tries", x, y)
    if x == 2:
        raise ValueError("two")
    return {"metric": x * y}


def test_experiments_on_executors(sc):
    trials = launch(sc, score, {"x": [1, 2, 3]})
    assert [(t.arguments["x"], t.metric) for t in trials] == [(3, 3.0), (1, 1.0), (2, None)]
    assert "ValueError: two" in trials[2].error and trials[0].log == "tries 3 1\n"
    trials = grid_search(sc, score, {"x": [1, 3], "y": [4, 5]}, direction="min")
    assert [t.metric for t in trials] == [4.0, 5.0, 12.0, 15.0]
