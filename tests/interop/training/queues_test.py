# SPDX-License-Identifier: Apache-2.0
"""Programs that wait: input pipelines, coordinators, sharing, loops, synchronous training.

TensorFlow's client runs each program on our servers and on its own; the results must be equal.
What only the time shows (that cancelling frees whoever waits) is checked on ours alone.
"""

import contextlib
import functools
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from interop.programs.models import tf
from interop.tools.cluster import Cluster

pytestmark = pytest.mark.waits

tf.disable_v2_behavior()

PROGRAMS = {}
JOBS = {"ps": 1, "worker": 2}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def drain(session, fetch, limit=100):
    """The values of `fetch` until the queue behind it is closed and empty."""
    values = []
    try:
        while len(values) < limit:
            values.append(session.run(fetch))
    except tf.errors.OutOfRangeError:
        values.append("end")
    return values


def pipeline(target, build, threads=True):
    """Runs an input pipeline as TensorFlow's guide says: coordinator, queue runners, stop, join."""
    with tf.Graph().as_default(), tf.device("/job:ps"):
        tf.set_random_seed(5)
        fetch = build()
        with tf.Session(target) as session:
            session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            coordinator = tf.train.Coordinator()
            started = tf.train.start_queue_runners(session, coordinator) if threads else []
            values = drain(session, fetch)
            coordinator.request_stop()
            coordinator.join(started, stop_grace_period_secs=20)
            return values


@program
def batch(target):
    def build():
        i = tf.train.range_input_producer(10, num_epochs=1, shuffle=False).dequeue()
        return tf.train.batch([i, tf.cast(i, tf.float32) * [1.0, 2.0]], 4, capacity=8)

    return pipeline(target, build)


@program
def batch_with_the_rest(target):
    def build():
        i = tf.train.range_input_producer(10, num_epochs=1, shuffle=False).dequeue()
        return tf.train.batch([i], 4, allow_smaller_final_batch=True)

    return pipeline(target, build)


@program
def batch_padded(target):
    def build():
        i = tf.train.range_input_producer(7, num_epochs=1, shuffle=False).dequeue()
        return tf.train.batch([tf.range(i)], 3, dynamic_pad=True, allow_smaller_final_batch=True)

    return pipeline(target, build)


@program
def batch_of_many(target):
    def build():
        i = tf.train.range_input_producer(6, num_epochs=1, shuffle=False).dequeue()
        return tf.train.batch([tf.stack([i, i + 100])], 4, enqueue_many=True)

    return pipeline(target, build)


@program
def maybe_batch(target):
    def build():
        i = tf.train.range_input_producer(9, num_epochs=1, shuffle=False).dequeue()
        return tf.train.maybe_batch([i], tf.equal(i % 2, 0), 2, allow_smaller_final_batch=True)

    return pipeline(target, build)


@program
def shuffle_batch(target):
    def build():
        i = tf.train.range_input_producer(20, num_epochs=2, shuffle=False).dequeue()
        return tf.train.shuffle_batch([i], 5, capacity=40, min_after_dequeue=10, seed=3)

    # Which elements meet in the buffer depends on the speed of its thread: all of them come.
    values = pipeline(target, build)
    assert values.pop() == "end"
    return sorted(np.concatenate(values).tolist())


@program
def batch_join(target):
    def build():
        i = tf.train.range_input_producer(12, num_epochs=1, shuffle=False)
        return tf.train.batch_join([[i.dequeue()], [i.dequeue()]], 3)

    values = pipeline(target, build)
    assert values.pop() == "end"
    return sorted(np.concatenate(values).tolist())


@program
def shuffle_batch_join(target):
    def build():
        i = tf.train.range_input_producer(12, num_epochs=1, shuffle=False)
        return tf.train.shuffle_batch_join([[i.dequeue()]] * 3, 4, 20, 2, seed=1)

    values = pipeline(target, build)
    assert values.pop() == "end"
    return sorted(np.concatenate(values).tolist())


@program
def file_names(target):
    def build():
        names = tf.train.string_input_producer(list("abcde"), num_epochs=3, shuffle=True, seed=9)
        return names.dequeue()

    return pipeline(target, build)


@program
def slices(target):
    def build():
        images = np.arange(12, dtype=np.float32).reshape(6, 2)
        return tf.train.slice_input_producer([images, list("uvwxyz")], num_epochs=2, seed=2)

    return pipeline(target, build)


@program
def coordinator_reports_errors(target):
    with tf.Graph().as_default():
        queue = tf.FIFOQueue(10, [tf.float32], [[2]])
        bad = queue.enqueue([tf.placeholder_with_default(np.zeros(3, np.float32), None)])
        tf.train.add_queue_runner(tf.train.QueueRunner(queue, [bad] * 2))
        take = queue.dequeue()
        with tf.Session(target) as session:
            coordinator = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(session, coordinator)
            try:
                session.run(take)
                return "taken"
            except tf.errors.OutOfRangeError:
                pass
            try:
                coordinator.join(threads)
            except tf.errors.InvalidArgumentError as error:
                return "Shape mismatch in tuple component 0. Expected [2], got [3]" in error.message
    return "no error"


@program
def monitored_session(target):
    with tf.Graph().as_default(), tf.device("/job:worker/task:1"):
        i = tf.train.range_input_producer(7, num_epochs=1, shuffle=False).dequeue()
        numbers = tf.train.batch([i], 2, allow_smaller_final_batch=True)
        total = tf.Variable(0, name="total", collections=["local_variables"])
        add = total.assign_add(tf.reduce_sum(numbers))
        totals = []
        with tf.train.MonitoredSession(tf.train.ChiefSessionCreator(master=target)) as session:
            while not session.should_stop():
                totals.append(session.run(add))
        return totals


@program
def signatures_share_a_queue(target):
    with tf.Graph().as_default():
        queue = tf.FIFOQueue(10, [tf.int32], [[]])
        put, take, size = queue.enqueue(7), queue.dequeue(), queue.size()
        with tf.Session(target) as one, tf.Session(target) as other:
            one.run(put)
            one.run([put, tf.no_op()])
            extended = queue.dequeue() + 1  # the session is extended
            sizes = [int(one.run(size)), int(other.run(size))]
            return sizes + [int(one.run(take)), int(one.run(extended)), int(one.run(size))]


@program
def sessions_share_by_name(target):
    values = []
    for step in range(3):  # the queue outlives each session
        with tf.Graph().as_default(), tf.device("/job:ps"):
            queue = tf.FIFOQueue(10, [tf.int32], [[]], shared_name="between_sessions")
            own = tf.FIFOQueue(10, [tf.int32], [[]])
            with tf.Session(target) as session:
                session.run([queue.enqueue(step), own.enqueue(step)])
                values.append([int(v) for v in session.run([queue.size(), own.size()])])
                if step == 2:
                    values.append(session.run(queue.dequeue_many(3)).tolist())
    return values


@program
def workers_meet_at_a_queue(target, cluster=None):
    """Two clients of two masters pass elements through queues on the ps, both ways."""

    def client(task, results):
        with tf.Graph().as_default():
            with tf.device("/job:ps"):
                there = tf.FIFOQueue(2, [tf.int32], [[]], shared_name="there")
                back = tf.FIFOQueue(2, [tf.int32], [[]], shared_name="back")
            with tf.device("/job:worker/task:%d" % task):
                if task == 0:
                    value = tf.placeholder(tf.int32, [])
                    put, take = there.enqueue(value), back.dequeue()
                else:
                    step = back.enqueue(there.dequeue() * 10)
            with tf.Session(cluster.target("worker", task)) as session:
                for i in range(20):
                    if task == 0:
                        session.run(put, {value: i})
                        results.append(int(session.run(take)))
                    else:
                        session.run(step)

    results = []
    run_together([functools.partial(client, task, results) for task in (1, 0)])
    return results


@program
def in_a_loop(target):
    with tf.Graph().as_default():
        with tf.device("/job:ps"):
            queue = tf.FIFOQueue(100, [tf.int32], [[]])
            out = tf.FIFOQueue(100, [tf.int32], [[]])

        def body(i, total):
            value = queue.dequeue()
            with tf.control_dependencies([out.enqueue(value * i)]):
                return i + 1, total + value

        with tf.device("/job:worker/task:1"):
            loop = tf.while_loop(lambda i, total: i < 10, body, [0, 0], parallel_iterations=1)
        with tf.Session(target) as session:
            session.run(queue.enqueue_many([np.arange(15)]))
            result = [int(v) for v in session.run(loop)]
            return result + [
                session.run(out.dequeue_many(10)).tolist(),
                int(session.run(queue.size())),
            ]


@program
def in_a_branch(target):
    with tf.Graph().as_default():
        queue = tf.FIFOQueue(10, [tf.int32], [[]])
        want = tf.placeholder(tf.bool, [])
        value = tf.cond(want, queue.dequeue, lambda: tf.constant(-1))
        with tf.Session(target) as session:
            session.run(queue.enqueue_many([[4, 5]]))
            return [int(session.run(value, {want: w})) for w in (True, False, True, False)]


@program
def waiting_between_steps(target):
    """A dequeue waits in one step for the enqueue of a later one."""
    with tf.Graph().as_default():
        queue = tf.FIFOQueue(10, [tf.int32], [[]])
        value = tf.placeholder(tf.int32, [])
        put, take = queue.enqueue(value), queue.dequeue() + 0
        with tf.Session(target) as session:
            results = []
            takers = [
                threading.Thread(target=lambda: results.append(int(session.run(take))))
                for _ in range(5)
            ]
            for taker in takers:
                taker.start()
            for i in range(5):
                session.run(put, {value: i})
            for taker in takers:
                taker.join()
            return sorted(results)


@program
def accumulators_from_two_workers(target, cluster=None):
    with tf.Graph().as_default():
        with tf.device("/job:ps"):
            sums = tf.ConditionalAccumulator(tf.float32, [2], shared_name="sums")
        with tf.device("/job:worker/task:0"):
            a = sums.apply_grad([1.0, 2.0], local_step=0)
        with tf.device("/job:worker/task:1"):
            b = sums.apply_grad([3.0, 6.0], local_step=0)
        take, count = sums.take_grad(2), sums.num_accumulated()
        with tf.Session(target) as one, tf.Session(cluster.target("worker", 1)) as other:
            results = []
            taker = threading.Thread(target=lambda: results.append(one.run(take).tolist()))
            taker.start()
            other.run(b)
            one.run(a)
            taker.join()
            other.run([a, b])  # stale now
            return results + [int(other.run(count))]


def run_together(functions):
    """Runs functions on threads; the first error is raised here."""
    errors = []

    def guarded(function):
        try:
            function()
        except Exception as error:  # pylint: disable=broad-except
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(f,), daemon=True) for f in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    if errors:
        raise errors[0]
    hanging = [i for i, thread in enumerate(threads) if thread.is_alive()]
    assert not hanging, f"clients {hanging} hang"


def synchronous(cluster, aggregate, workers, steps):
    """SyncReplicasOptimizer between graphs: one client for each worker, variables on the ps.

    With fewer gradients to aggregate than workers, the slowest is a backup. The data are the same
    everywhere, so that it does not matter whose gradient came too late. Each variable's gradient is
    its own affair: the variables are not updated together, and who reads them meanwhile may still
    be in time for the one that is updated last.
    """
    results = []
    initialized = threading.Event()  # a worker that comes before looks again only after 30 s

    def client(task):
        if task > 0:
            initialized.wait(30)
        with tf.Graph().as_default():
            device = tf.train.replica_device_setter(
                worker_device="/job:worker/task:%d" % task,
                cluster=tf.train.ClusterSpec(cluster.spec),
            )
            with tf.device(device):
                step = tf.train.get_or_create_global_step()
                w = tf.get_variable("w", initializer=tf.constant([[1.0], [2.0]]))
                rows = tf.get_variable("rows", initializer=tf.ones([5, 2]))
                x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
                loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1.0))
                loss += tf.reduce_mean(tf.square(tf.gather(rows, [1, 3]) * x - 0.5))
                optimizer = tf.train.SyncReplicasOptimizer(
                    tf.train.GradientDescentOptimizer(0.002),
                    replicas_to_aggregate=aggregate,
                    total_num_replicas=workers,
                )
                train = optimizer.minimize(loss, global_step=step)
            hook = optimizer.make_session_run_hook(task == 0, num_tokens=0)
            with tf.train.MonitoredTrainingSession(
                master=cluster.target("worker", task),
                is_chief=task == 0,
                stop_grace_period_secs=1,  # the token queue's thread waits for gradients for ever
                hooks=[hook, tf.train.StopAtStepHook(last_step=steps)],
                config=tf.ConfigProto(device_filters=["/job:ps", "/job:worker/task:%d" % task]),
            ) as session:
                initialized.set()
                while not session.should_stop():
                    session.run(train)
            if task == 0:
                # A worker that reads the step before the last one runs once more, and waits for a
                # token that no chief makes any longer.
                with tf.device("/job:ps"):
                    tokens = tf.FIFOQueue(-1, [tf.int64], [[]], shared_name="sync_token_q")
                with tf.Session(cluster.target("worker", 0)) as session:
                    results.extend(session.run([w, rows]))
                    with contextlib.suppress(
                        tf.errors.CancelledError
                    ):  # its queue runner was first
                        session.run(tokens.close())

    tf.Session.reset(cluster.target("worker", 0))
    run_together([functools.partial(client, task) for task in range(workers)])
    return results


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(ours, theirs, name):
    takes_cluster = "cluster" in PROGRAMS[name].__code__.co_varnames
    answers = []
    for cluster in (theirs, ours):
        extra = {"cluster": cluster} if takes_cluster else {}
        answers.append(PROGRAMS[name](cluster.target(), **extra))
    np.testing.assert_equal(answers[1], answers[0])


def error_of(function):
    begin = time.time()
    try:
        function()
    except tf.errors.OpError as error:
        return error, time.time() - begin
    return None, time.time() - begin


def test_cancelling(checks, ours):
    """A wait ends with its step, says what it waited for, and leaves the queue as it was."""
    with tf.Graph().as_default(), tf.device("/job:ps"):
        queue = tf.FIFOQueue(1, [tf.int32], [[]], shared_name="never_filled")
        take, put = queue.dequeue(name="taker"), queue.enqueue(1)
        many = [queue.dequeue() for _ in range(1000)]
        with tf.Session(ours.target()) as session:
            options = tf.RunOptions(timeout_in_ms=300)
            error, seconds = error_of(lambda: session.run(take, options=options))
            checks.check(
                "deadline", isinstance(error, tf.errors.DeadlineExceededError), repr(error)
            )
            checks.check(
                "deadline names the op and the queue",
                "taker" in str(error) and "never_filled" in str(error),
                str(error),
            )
            checks.check("deadline is kept", seconds < 1.5, seconds)
            error, seconds = error_of(lambda: session.run(many, options=options))
            checks.check("1000 waits", isinstance(error, tf.errors.DeadlineExceededError))
            checks.check("1000 waits end", seconds < 3, seconds)
            session.run(put)
            checks.check("the queue is as it was", session.run(take) == 1)

        def close_soon(session):
            time.sleep(0.5)
            session.close()

        session = tf.Session(ours.target())
        closer = threading.Thread(target=close_soon, args=(session,))
        closer.start()
        error, seconds = error_of(lambda: session.run(take))
        closer.join()
        checks.check(
            "closing the session ends its waits",
            isinstance(error, (tf.errors.CancelledError, tf.errors.AbortedError)) and seconds < 2,
            f"{error!r} after {seconds}",
        )


CLIENT = """
import sys, tensorflow

tf = tensorflow.compat.v1
tf.disable_v2_behavior()
with tf.device("/job:ps"):
    queue = tf.FIFOQueue(10, [tf.int32], [[]], shared_name="of_the_dead")
    takes = [queue.dequeue() for _ in range(10)]
with tf.Session(sys.argv[1]) as session:
    session.run(queue.size())
    print("waits", flush=True)
    session.run(takes)
"""


def test_dequeues_of_a_dead_client(checks, ours):
    """Dequeues of a client that was killed take nothing any more."""
    client = subprocess.Popen(
        [sys.executable, "-c", CLIENT, ours.target()],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    client.stdout.readline()
    time.sleep(0.3)  # the step is sent
    client.kill()
    client.wait()
    client.stdout.close()
    time.sleep(1)
    with tf.Graph().as_default(), tf.device("/job:ps"):
        queue = tf.FIFOQueue(10, [tf.int32], [[]], shared_name="of_the_dead")
        with tf.Session(ours.target("worker", 1)) as session:
            session.run(queue.enqueue_many([[1, 2, 3]]))
            checks.check("a dead client's dequeues are gone", session.run(queue.size()) == 3)


@pytest.mark.parametrize("workers", (2, 3))
def test_sync_replicas_optimizer(workers):
    jobs = {"ps": 1, "worker": 3}
    with Cluster(jobs) as ours, Cluster(jobs, kind="tensorflow") as theirs:
        expected = synchronous(theirs, 2, workers, 6)
        actual = synchronous(ours, 2, workers, 6)
    np.testing.assert_allclose(actual[0], expected[0], rtol=1e-4)
    np.testing.assert_allclose(actual[1], expected[1], rtol=1e-4)
