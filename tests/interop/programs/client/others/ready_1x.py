# SPDX-License-Identifier: Apache-2.0
"""What programs read in the errors of sessions that are not ready and of hooks, and in the files of
a Supervisor."""

import os
import tempfile

from interop.programs.client._outcomes import message, says

ONLY_1X = True


def _manager(tf, **kwargs):
    return tf.train.SessionManager(ready_op=tf.report_uninitialized_variables(), **kwargs)


def sessions_that_are_not_ready(tf):
    v = tf.Variable(1.0, name="v")
    missing = tf.report_uninitialized_variables()
    local = _manager(tf, local_init_op=v.initializer, ready_for_local_init_op=missing)
    return [
        says("error: Variables not initialized: v", _manager(tf).prepare_session, "", tf.no_op()),
        says("Init op: nothing, init fn: None, error: Variables not initialized: v",
             local.prepare_session, "", tf.no_op(name="nothing")),
        says("Session was not ready after waiting ",
             _manager(tf, recovery_wait_secs=1).wait_for_session, "", max_wait_secs=0.1),
        says("If you pass a ready_for_local_init_op you must also pass a local_init_op",
             _manager, tf, ready_for_local_init_op=missing),
    ]  # fmt: skip


def restored_into_other_graphs(tf):
    path = os.path.join(tempfile.mkdtemp(), "model")
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable([1.0, 2.0], name="v")
        session.run(v.initializer)
        saver = tf.train.Saver()
        saver.save(session, path)
        deferred = tf.train.Saver(defer_build=True).save
        found = [
            says("", saver.set_last_checkpoints, "path"),
            says("`build()` should be called before save", deferred, session, path),
        ]
    for name, text in (("w", "graph key that is missing"), ("v", "a mismatch between")):
        with tf.Graph().as_default(), tf.Session() as session:
            tf.Variable(1.0, name=name)
            restore = tf.train.Saver().restore
            found += [says(part, restore, session, path) for part in (text, "Original error:\n\n")]
    return [*found, says(" does not exist.", tf.train.import_meta_graph, path + ".other")]


def events_of_supervisors(tf):
    folder = tempfile.mkdtemp()
    summary = tf.summary.scalar("c", 1.0)
    supervisor = tf.train.Supervisor(logdir=folder, summary_op=None)
    with supervisor.managed_session("") as session:
        supervisor.summary_computed(session, session.run(summary), global_step=3)
    name, = (name for name in os.listdir(folder) if "tfevents" in name)
    events = tf.train.summary_iterator(os.path.join(folder, name))
    with tf.Graph().as_default():
        without = tf.train.Supervisor(logdir=None).summary_computed
    return [
        [(e.WhichOneof("what"), e.step) for e in events],
        says("Writing a summary requires a summary writer.", without, None, None),
    ]


def intervals_of_hooks(tf):
    train = tf.train
    hooks = (
        (train.SecondOrStepTimer, {}),
        (train.SecondOrStepTimer, {"every_secs": 1, "every_steps": 2}),
        (train.LoggingTensorHook, {"tensors": ["t"]}),
        (train.LoggingTensorHook, {"tensors": ["t"], "every_n_iter": 0}),
        (train.SummarySaverHook, {"save_steps": 1}), (train.SummarySaverHook, {"summary_op": "s"}),
        (train.StepCounterHook, {"every_n_steps": None}), (train.StopAtStepHook, {}),
    )  # fmt: skip
    return [message(hook, **kwargs) for hook, kwargs in hooks]
