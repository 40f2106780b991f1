# SPDX-License-Identifier: Apache-2.0
"""Monitored sessions, their hooks, the Supervisor."""

import glob
import os
import tempfile

import numpy as np

from interop.programs.client._outcomes import says


def _counting(tf):
    step = tf.train.get_or_create_global_step()
    return step, tf.assign_add(step, 1)


def order_of_hooks(tf):
    said = []

    class Hook(tf.train.SessionRunHook):
        def __init__(self, name, fetches=None):
            self.name, self.fetches = name, fetches

        def begin(self):
            said.append(self.name + " begin")

        def after_create_session(self, session, coord):
            said.append(f"{self.name} session {coord.should_stop()}")

        def before_run(self, run_context):
            said.append(f"{self.name} before {run_context.original_args.feed_dict is None}")
            return tf.train.SessionRunArgs(self.fetches) if self.fetches is not None else None

        def after_run(self, run_context, run_values):
            said.append(f"{self.name} after {run_values.results is None}")
            if run_values.results is not None and run_values.results["x"] >= 2:
                run_context.request_stop()

        def end(self, session):
            said.append(f"{self.name} end {session.run(step)}")

    step, train = _counting(tf)
    x = tf.identity(step)
    with tf.train.MonitoredSession(hooks=[Hook("a"), Hook("b", {"x": x})]) as sess:
        while not sess.should_stop():
            sess.run(train)
        try:
            sess.run(train)
        except RuntimeError:
            said.append("RuntimeError")
    return [s for s in said if not s.startswith("b after") or "None" not in s] and [
        len(said) > 5,
        said[:4],
        said[-5:],
    ]


def stops(tf):
    found = []
    for hook in (tf.train.StopAtStepHook(num_steps=3), tf.train.StopAtStepHook(last_step=5)):
        with tf.Graph().as_default():
            step, train = _counting(tf)
            count = 0
            with tf.train.SingularMonitoredSession(hooks=[hook]) as sess:
                while not sess.should_stop():
                    value = sess.run(train)
                    count += 1
            found.append([count, int(value)])
    return found


def checkpoints_and_summaries(tf):
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            with tf.Graph().as_default():
                step, train = _counting(tf)
                tf.summary.scalar("twice", tf.cast(step, tf.float32) * 2.0)
                hooks = [tf.train.StopAtStepHook(num_steps=5)]
                with tf.train.MonitoredTrainingSession(
                    checkpoint_dir=folder,
                    hooks=hooks,
                    save_checkpoint_steps=2,
                    save_checkpoint_secs=None,
                    save_summaries_steps=2,
                    log_step_count_steps=2,
                ) as sess:
                    while not sess.should_stop():
                        value = sess.run(train)
        tf.summary.FileWriterCache.clear()
        names = sorted(os.path.basename(p) for p in glob.glob(folder + "/*.index"))
        latest = os.path.basename(tf.train.latest_checkpoint(folder))
        return [int(value), names, latest, os.path.exists(folder + "/graph.pbtxt")]


def listeners(tf):
    said = []

    class Listener(tf.train.CheckpointSaverListener):
        def begin(self):
            said.append("begin")

        def before_save(self, session, global_step_value):
            said.append("before %d" % global_step_value)

        def after_save(self, session, global_step_value):
            said.append("after %d" % global_step_value)
            return global_step_value >= 4

        def end(self, session, global_step_value):
            said.append("end %d" % global_step_value)

    with tempfile.TemporaryDirectory() as folder:
        step, train = _counting(tf)
        saver = tf.train.Saver()
        hook = tf.train.CheckpointSaverHook(
            folder, save_steps=2, saver=saver, listeners=[Listener()]
        )
        with tf.train.SingularMonitoredSession(hooks=[hook]) as sess:
            while not sess.should_stop():
                sess.run(train)
        return said


def small_hooks(tf):
    step, train = _counting(tf)
    x = tf.placeholder_with_default(1.0, [], name="x")
    y = x * 2.0
    lines = []
    final = tf.train.FinalOpsHook({"y": y}, {x: 21.0})
    hooks = [
        tf.train.FeedFnHook(lambda: {x: 5.0}),
        final,
        tf.train.StopAtStepHook(last_step=3),
        tf.train.LoggingTensorHook(
            {"y": y}, every_n_iter=2, formatter=lambda v: lines.append(float(v["y"])) or "said"
        ),
        tf.train.GlobalStepWaiterHook(0),
        tf.train.NanTensorHook(y),
    ]
    values = []
    with tf.train.SingularMonitoredSession(hooks=hooks) as sess:
        while not sess.should_stop():
            values.append(sess.run([train, y])[1])
    return [values, final.final_ops_values["y"], lines]


def not_a_number(tf):
    _counting(tf)
    x = tf.placeholder(tf.float32, [])
    found = []
    for fail in (False, True):
        hook = tf.train.NanTensorHook(
            x * 1.0 if not tf.get_default_graph().finalized else x, fail_on_nan_loss=fail
        )
        with tf.Graph().as_default():
            x = tf.placeholder(tf.float32, [])
            hook = tf.train.NanTensorHook(tf.identity(x), fail_on_nan_loss=fail)
            try:
                with tf.train.SingularMonitoredSession(hooks=[hook]) as sess:
                    sess.run(x, {x: 1.0})
                    found.append(sess.should_stop())
                    sess.run(x, {x: np.nan})
                    found.append(sess.should_stop())
            except tf.train.NanLossDuringTrainingError as e:
                found.append(str(e))
        x = tf.placeholder(tf.float32, [])
    return found


def timers(tf):
    timer = tf.train.SecondOrStepTimer(every_steps=3)
    found = []
    for step in range(8):
        due = timer.should_trigger_for_step(step)
        found.append(due)
        if due:
            found.append(timer.update_last_triggered_step(step)[1])
    for arguments in ({}, {"every_secs": 1.0, "every_steps": 1}):
        try:
            tf.train.SecondOrStepTimer(**arguments)
        except ValueError:
            found.append("ValueError")
    return found + [timer.last_triggered_step()]


def the_inputs_end(tf):
    q = tf.train.range_input_producer(3, num_epochs=1, shuffle=False)
    x = q.dequeue()
    seen = []
    with tf.train.MonitoredSession() as sess:
        while not sess.should_stop():
            seen.append(int(sess.run(x)))
    return seen


def an_error_inside(tf):
    _, train = _counting(tf)
    with tf.train.MonitoredSession() as sess:
        sess.run(train)
        raise KeyError("mine")


def lost_tasks(tf):
    step, train = _counting(tf)
    lost = [
        tf.errors.AbortedError(None, None, "gone"),
        tf.errors.UnavailableError(None, None, "gone"),
    ]
    sessions = []

    class Fails(tf.train.SessionRunHook):
        def after_create_session(self, session, coord):
            sessions.append(session)

        def before_run(self, run_context):
            if lost:
                raise lost.pop()

    with tf.train.MonitoredSession(hooks=[Fails()]) as sess:
        value = sess.run(train)
    return [int(value), len(sessions)]


def steps_by_functions(tf):
    step, train = _counting(tf)

    def one(step_context):
        value = step_context.session.run(step)
        if value >= 2:
            step_context.request_stop()
        return step_context.run_with_hooks(train)

    found = []
    with tf.train.MonitoredSession() as sess:
        while not sess.should_stop():
            found.append(int(sess.run_step_fn(one)))
    return found


def scaffolds(tf):
    x = tf.placeholder(tf.float32, [])
    v = tf.Variable(x, name="v")
    w = tf.Variable(2.0, name="w", collections=[tf.GraphKeys.LOCAL_VARIABLES], trainable=False)
    ran = []
    scaffold = tf.train.Scaffold(
        init_op=tf.global_variables_initializer(),
        init_feed_dict={x: 5.0},
        init_fn=lambda scaffold, session: ran.append(float(session.run(v))),
    )
    double = v * 2.0 + w
    with tf.train.SingularMonitoredSession(scaffold=scaffold) as sess:
        found = [sess.run(double), ran, tf.get_default_graph().finalized]
    return found + [
        tf.get_default_graph().finalized,
        scaffold.summary_op is None,
        scaffold.saver is not None,
    ]


def session_managers(tf):
    v = tf.Variable([1.0, 2.0], name="v")
    found = []
    with tempfile.TemporaryDirectory() as folder:
        saver = tf.train.Saver()
        manager = tf.train.SessionManager(ready_op=tf.report_uninitialized_variables())
        sess, ready = manager.recover_session("", saver=saver, checkpoint_dir=folder)
        found.append(ready)
        sess = manager.prepare_session(
            "", init_op=tf.global_variables_initializer(), saver=saver, checkpoint_dir=folder
        )
        found.append(sess.run(tf.assign(v, [7.0, 8.0])))
        saver.save(sess, folder + "/m")
        sess, ready = manager.recover_session("", saver=saver, checkpoint_dir=folder)
        found += [ready, sess.run(v)]
        sess = manager.wait_for_session("", max_wait_secs=1) if False else sess
        try:
            tf.train.SessionManager(ready_op=tf.report_uninitialized_variables()).prepare_session(
                "", init_op=tf.no_op()
            )
        except RuntimeError:
            found.append("RuntimeError")
        try:
            manager = tf.train.SessionManager(
                ready_op=tf.report_uninitialized_variables(), recovery_wait_secs=1
            )
            manager.wait_for_session("", max_wait_secs=0)
        except tf.errors.DeadlineExceededError as e:
            found.append(e.error_code)
    return found


def supervisors(tf):
    step, train = _counting(tf)
    tf.summary.scalar("s", tf.cast(step, tf.float32))
    with tempfile.TemporaryDirectory() as folder:
        sv = tf.train.Supervisor(logdir=folder, save_model_secs=0, save_summaries_secs=0)
        with sv.managed_session("") as sess:
            while not sv.should_stop():
                value = sess.run(train)
                if value >= 3:
                    sv.saver.save(sess, sv.save_path, global_step=sv.global_step)
                    sv.summary_computed(sess, sess.run(sv.summary_op))
                    sv.request_stop()
        return [
            int(value),
            os.path.basename(tf.train.latest_checkpoint(folder)),
            sv.is_chief,
            sv.coord.joined,
        ]


def steps_by_other_functions(tf):
    """A step function has one argument, step_context, or it is a method with it."""
    step, train = _counting(tf)

    class Stepper:
        def one(self, step_context):
            return int(step_context.run_with_hooks(train))

    found = []
    with tf.train.MonitoredSession() as sess:
        for function in (lambda: 1, lambda context: 1, lambda step_context, more: 1):
            found.append(says("`step_fn`", sess.run_step_fn, function))
        found.append(sess.run_step_fn(Stepper().one))
    return found + [int(step is not None)]


def refused_hooks(tf):
    train, constant = tf.train, tf.constant(1.0)
    v = tf.Variable([1.0], name="v")
    saver = train.Saver()
    for _ in range(2):
        tf.add_to_collection(tf.GraphKeys.SAVERS, saver)
    manager = train.SessionManager(ready_op=tf.report_uninitialized_variables())
    found = [
        says("One of num_steps or last_step", train.StopAtStepHook),
        says("Only one of num_steps or last_step", train.StopAtStepHook, 1, 2),
        says("Global step should be created", train.StopAtStepHook(1).begin),
        says("cannot provide both saver and scaffold", train.CheckpointSaverHook, "f",
             save_steps=1, saver=saver, scaffold=train.Scaffold()),
        says("xactly one", train.SummarySaverHook, save_steps=1),
        says("xactly one", train.LoggingTensorHook, [constant], every_n_iter=1, every_n_secs=1),
        says("More than one item", train.Scaffold().finalize),
        says("is not a Scaffold", train.Scaffold, copy_from_scaffold=1),
        says("did not make model ready", manager.prepare_session, "", init_op=tf.no_op()),
        says("Model is not initialized", manager.prepare_session, ""),
        says("Can not provide both", manager.recover_session, "", saver, "d",
             checkpoint_filename_with_path="p"),
        says("No default session", train.start_queue_runners),
    ]  # fmt: skip
    with train.MonitoredSession(train.ChiefSessionCreator(train.Scaffold(saver=saver))) as sess:
        found.append(says("finalized and cannot be modified", tf.constant, 1))
        sess.run(v)
        sess.run_step_fn(_stopping)
        found.append(says("even after should_stop", sess.run, v))
    return found


def _stopping(step_context):
    step_context.request_stop()


def threads_of_queues(tf):
    queue = tf.FIFOQueue(4, tf.float32, name="q")
    runner = tf.train.QueueRunner(queue, [queue.enqueue(1.0, name="put")])
    with tf.Session() as session:
        coord = tf.train.Coordinator()
        names = [thread.name for thread in runner.create_threads(session, coord)]
        return sorted(names)
