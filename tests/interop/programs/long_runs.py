# SPDX-License-Identifier: Apache-2.0
"""Programs that own their sessions: savers, monitored training, estimators, Keras.

Each is given a server and an empty folder, and returns what it computed.
"""

import glob
import os

import numpy as np
import tensorflow

tf = tensorflow.compat.v1
TF1 = tensorflow.__version__.startswith("1.")

PROGRAMS = {}


def program(build):
    PROGRAMS[build.__name__] = build
    return build


def placed():
    return tf.device(tf.train.replica_device_setter(ps_tasks=2, worker_device="/job:worker/task:0"))


def regression(width=3):
    with placed():
        x = tf.placeholder(tf.float32, [None, width], name="x")
        w = tf.get_variable(
            "w",
            [width, 2],
            initializer=tf.random_normal_initializer(seed=1),
            partitioner=tf.fixed_size_partitioner(2),
        )
        b = tf.get_variable("b", [2], initializer=tf.zeros_initializer(), use_resource=True)
        guess = tf.matmul(x, tf.convert_to_tensor(w)) + b
        loss = tf.reduce_mean(tf.square(guess - tf.reduce_sum(x, 1, keepdims=True)))
        counter = tf.train.get_or_create_global_step()
        step = tf.train.AdamOptimizer(0.1).minimize(loss, global_step=counter)
    return x, loss, step, counter


def rows(k, width=3):
    return np.random.RandomState(k).uniform(-1, 1, (8, width)).astype(np.float32)


@program
def sharded_saver(target, folder):
    """Saved by each parameter server, restored into a session that never initialised."""
    x, loss, step, counter = regression()
    saver = tf.train.Saver(sharded=True, max_to_keep=2)
    path, losses = os.path.join(folder, "model"), []
    with tf.Session(target) as session:
        session.run(tf.global_variables_initializer())
        for k in range(4):
            losses.append(session.run([loss, step], {x: rows(k)})[0])
            saved = saver.save(session, path, global_step=k, write_meta_graph=k == 0)
        kept = [os.path.basename(p) for p in saver.last_checkpoints]
    tf.Session.reset(target)
    with tf.Session(target) as session:
        missing = session.run(tf.report_uninitialized_variables())
        saver.restore(session, tf.train.latest_checkpoint(folder))
        for k in range(3):
            losses.append(session.run([loss, step], {x: rows(k)})[0])
        count = session.run(counter)
    reader = tf.train.load_checkpoint(saved)
    names = sorted(reader.get_variable_to_shape_map())
    shards = len(glob.glob(saved + ".data-*"))
    return (
        losses,
        kept,
        sorted(missing),
        count,
        names,
        [reader.get_tensor(n) for n in names],
        shards,
    )


@program
def one_file_saver(target, folder):
    """The first format; a saver of some variables under other names; a meta graph imported."""
    x, loss, step, _ = regression()
    bias = [v for v in tf.global_variables() if v.op.name == "b"][0]
    old = tf.train.Saver(write_version=tf.train.SaverDef.V1)
    some = tf.train.Saver({"other_b": bias})
    tf.add_to_collection("loss", loss)
    with tf.Session(target) as session:
        session.run(tf.global_variables_initializer())
        losses = [session.run([loss, step], {x: rows(k)})[0] for k in range(3)]
        saved = old.save(session, os.path.join(folder, "old"))
        session.run(bias.assign([7.0, 8.0]))
        other = some.save(session, os.path.join(folder, "some"), write_meta_graph=False)
        old.restore(session, saved)
        before = session.run(bias)
        some.restore(session, other)
        after = session.run(bias)
    tf.Session.reset(target)
    with tf.Graph().as_default() as graph, tf.Session(target, graph=graph) as session:
        importer = tf.train.import_meta_graph(saved + ".meta")
        importer.restore(session, saved)
        again = session.run(graph.get_collection("loss")[0], {"x:0": rows(5)})
    return losses, before, after, again


def events(folder):
    """(step, tag, value) of every scalar that was written."""
    found = []
    for path in sorted(glob.glob(os.path.join(folder, "events*"))):
        for event in tf.train.summary_iterator(path):
            for value in event.summary.value:
                if value.HasField("simple_value") and "/sec" not in value.tag:
                    found.append((int(event.step), value.tag, np.float32(value.simple_value)))
                elif value.HasField("histo"):
                    found.append((int(event.step), value.tag, np.float64(value.histo.sum)))
    return sorted(found)


@program
def monitored(target, folder):
    """Checkpoints, summaries, a stop at a step; a second session goes on where the first ended."""
    x, loss, step, counter = regression()
    tf.summary.scalar("loss", loss)
    tf.summary.histogram("rows", x)  # of a variable it would race with the step's update

    class Collect(tf.train.SessionRunHook):
        def __init__(self):
            self.seen = []

        def before_run(self, run_context):
            return tf.train.SessionRunArgs([loss, counter])

        def after_run(self, run_context, run_values):
            self.seen.append(run_values.results[0])

    collect = Collect()
    for last in (4, 7):
        with tf.train.MonitoredTrainingSession(
            master=target,
            is_chief=True,
            checkpoint_dir=folder,
            hooks=[tf.train.StopAtStepHook(last_step=last), tf.train.NanTensorHook(loss), collect],
            save_checkpoint_steps=3,
            save_summaries_steps=1,
            log_step_count_steps=2,
        ) as session:
            k = 0
            while not session.should_stop():
                session.run(step, {x: rows(k)})
                k += 1
        tf.Session.reset(target)
    checkpoints = sorted(glob.glob(os.path.join(folder, "*.index")))
    return collect.seen, [os.path.basename(p) for p in checkpoints], events(folder)


@program
def supervised(target, folder):
    """tf.train.Supervisor, which came before monitored sessions."""
    x, loss, step, counter = regression()
    tf.summary.scalar("loss", loss)
    supervisor = tf.train.Supervisor(logdir=folder, global_step=counter, save_summaries_secs=0)
    losses = []
    with supervisor.managed_session(target) as session:
        for k in range(4):
            losses.append(session.run([loss, step], {x: rows(k)})[0])
        supervisor.saver.save(session, os.path.join(folder, "end"), global_step=counter)
        supervisor.stop()
    return losses, os.path.basename(tf.train.latest_checkpoint(folder))


@program
def input_pipeline(target, folder):
    """Queues and their runners: batches of numbers that threads put there, until none is left."""
    with tf.device("/job:worker/task:0"):
        number = tf.train.limit_epochs(tf.range(12.0), num_epochs=1)
        (one,) = tf.train.slice_input_producer([number], num_epochs=1, shuffle=False)
        batch = tf.train.batch([one, one * 2], 5, allow_smaller_final_batch=True)
    seen = []
    with tf.Session(target) as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        try:
            while True:
                seen.append(session.run(batch))
        except tf.errors.OutOfRangeError:
            coordinator.request_stop()
        coordinator.join(threads)
    return seen
