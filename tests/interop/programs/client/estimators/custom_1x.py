# SPDX-License-Identifier: Apache-2.0
"""Estimators: model functions of a program, training, evaluation, predictions, exports."""

import functools
import glob
import os
import tempfile

import numpy as np

from interop.programs.client._outcomes import outcome, says

ONLY_1X = True

_DRAWN = np.random.RandomState(0)
_X = _DRAWN.randn(48, 4).astype(np.float32)
_Y = ((_X.sum(1) > 0).astype(np.int64) + (_X[:, 0] > 0.5)).astype(np.int64)


def _input(tf, repeats=True):
    def input_fn():
        rows = tf.data.Dataset.from_tensor_slices(({"x": _X}, _Y))
        return (rows.repeat() if repeats else rows).batch(16)

    return input_fn


def _model_fn(tf):
    def model_fn(features, labels, mode, params):
        net = tf.layers.dense(features["x"], params.get("hidden", 3), tf.nn.relu)
        logits = tf.layers.dense(net, 3)
        found = {"classes": tf.argmax(logits, 1), "probabilities": tf.nn.softmax(logits)}
        spec = tf.estimator.EstimatorSpec
        if mode == tf.estimator.ModeKeys.PREDICT:
            outputs = {"predict": tf.estimator.export.PredictOutput(found)}
            return spec(mode, predictions=found, export_outputs=outputs)
        loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
        if mode == tf.estimator.ModeKeys.TRAIN:
            step = tf.train.AdamOptimizer(0.05)
            train_op = step.minimize(loss, tf.train.get_or_create_global_step())
            return spec(mode, loss=loss, train_op=train_op)
        metrics = {
            "accuracy": tf.metrics.accuracy(labels, found["classes"]),
            "per_class": tf.metrics.mean_tensor(tf.reduce_mean(found["probabilities"], 0)),
        }
        return spec(mode, loss=loss, eval_metric_ops=metrics)

    return model_fn


def _config(tf, **more):
    more.setdefault("model_dir", tempfile.mkdtemp())
    return tf.estimator.RunConfig(tf_random_seed=7, save_summary_steps=2, **more)


def _estimator(tf, **more):
    return tf.estimator.Estimator(_model_fn(tf), config=_config(tf, **more), params={})


def _losses(tf):
    """(a hook, the list of the losses that it sees)."""
    found = []

    class Seen(tf.train.SessionRunHook):
        def before_run(self, run_context):
            losses = tf.get_default_graph().get_collection(tf.GraphKeys.LOSSES)
            return tf.train.SessionRunArgs(losses[-1])

        def after_run(self, run_context, run_values):
            found.append(float(run_values.results))

    return Seen(), found


def _files(folder):
    names = os.listdir(folder)
    return sorted("events" if "tfevents" in name else name for name in names)


def _tags(tf, folder):
    """(tag, step) of all summaries of a folder but those of time."""
    found = set()
    for path in glob.glob(os.path.join(folder, "*tfevents*")):
        for event in tf.train.summary_iterator(path):
            found |= {(v.tag, event.step) for v in event.summary.value}
    return [list(pair) for pair in sorted(found) if pair[0] != "global_step/sec"]


def _serving(tf):
    def receiver_fn():
        x = tf.placeholder(tf.float32, [None, 4], name="fed")
        return tf.estimator.export.ServingInputReceiver({"x": x}, {"x": x})

    return receiver_fn


def train_evaluate_predict(tf):
    estimator = _estimator(tf, save_checkpoints_steps=2)
    hook, losses = _losses(tf)
    estimator.train(_input(tf), hooks=[hook], steps=3)
    estimator.train(_input(tf), max_steps=4)
    estimator.train(_input(tf), max_steps=4)
    results = estimator.evaluate(_input(tf, False), name="all")
    predictions = list(estimator.predict(_input(tf, False), predict_keys=["probabilities"]))
    batches = estimator.predict(_input(tf, False), yield_single_examples=False)
    folder = estimator.model_dir
    return [
        losses, results, predictions[:2], len(predictions), next(batches)["classes"],
        estimator.get_variable_names(), estimator.get_variable_value("dense/kernel"),
        os.path.basename(estimator.latest_checkpoint()), _files(folder), _tags(tf, folder),
        _tags(tf, estimator.eval_dir("all")), int(results["global_step"]),
    ]  # fmt: skip


def numpy_input(tf):
    def first(input_fn):
        with tf.Graph().as_default():
            result = input_fn()
            with tf.train.MonitoredSession() as session:
                found = []
                while not session.should_stop():
                    found.append(session.run(result))
        return found

    inputs = tf.estimator.inputs
    x = {"a": np.arange(5.0), "b": np.arange(10).reshape(5, 2)}
    return [
        first(inputs.numpy_input_fn(x, np.arange(5), batch_size=2, shuffle=False)),
        first(inputs.numpy_input_fn(x["a"], batch_size=3, num_epochs=2, shuffle=False)),
        first(inputs.numpy_input_fn(x, {"l": np.arange(5)}, batch_size=4, shuffle=False)),
        sorted(np.concatenate(first(inputs.numpy_input_fn(x["a"], batch_size=2, shuffle=True)))),
        outcome(inputs.numpy_input_fn, x, np.arange(5)),
        outcome(inputs.numpy_input_fn(x, np.arange(4), shuffle=False)),
        outcome(inputs.numpy_input_fn([1.0], shuffle=False)),
    ]


def serving_by_session(tf):
    estimator = _estimator(tf)
    estimator.train(_input(tf), steps=2)
    base = tempfile.mkdtemp()
    path = estimator.export_saved_model(base, _serving(tf), assets_extra={"a/b": __file__})
    with tf.Graph().as_default(), tf.Session() as sess:
        model = tf.saved_model.load(sess, ["serve"], path.decode())
        signature = model.signature_def["serving_default"]
        fed, fetched = signature.inputs["x"].name, signature.outputs["probabilities"].name
        value = sess.run(fetched, {fed: _X[:2]})
        names = sorted(model.signature_def)
    with open(os.path.join(path.decode(), "assets.extra", "a", "b")) as file:
        copied = "SPDX" in file.readline()
    return value, names, fed, fetched, signature.method_name, _files(path.decode()), copied


def parsed_examples(tf):
    estimator = _estimator(tf)
    estimator.train(_input(tf), steps=1)
    spec = {"x": tf.FixedLenFeature([4], tf.float32)}
    receiver = tf.estimator.export.build_parsing_serving_input_receiver_fn(spec)
    path = estimator.export_savedmodel(tempfile.mkdtemp(), receiver).decode()
    example = tf.train.Example()
    example.features.feature["x"].float_list.value.extend([1.0, 2.0, 3.0, 4.0])
    with tf.Graph().as_default(), tf.Session() as sess:
        model = tf.saved_model.load(sess, ["serve"], path)
        signature = model.signature_def["predict"]
        fed = signature.inputs["examples"].name
        value = sess.run(
            signature.outputs["classes"].name, {fed: [example.SerializeToString()] * 2}
        )
    return value, fed


def raw_features(tf):
    estimator = _estimator(tf)
    estimator.train(_input(tf), steps=1)
    with tf.Graph().as_default():
        receiver = tf.estimator.export.build_raw_serving_input_receiver_fn(
            {"x": tf.placeholder(tf.float32, [None, 4], name="given")}
        )
    path = estimator.export_saved_model(tempfile.mkdtemp(), receiver, as_text=True).decode()
    with tf.Graph().as_default(), tf.Session() as sess:
        model = tf.saved_model.load(sess, ["serve"], path)
        signature = model.signature_def["predict"]
        return sorted(v.name for v in signature.inputs.values()), _files(path)


def train_and_evaluate(tf):
    estimator = _estimator(tf, save_checkpoints_steps=2, keep_checkpoint_max=2)
    exporters = [
        tf.estimator.FinalExporter("final", _serving(tf)),
        tf.estimator.LatestExporter("latest", _serving(tf), exports_to_keep=1),
        tf.estimator.BestExporter("best", _serving(tf), event_file_pattern=None),
    ]
    metrics, exports = tf.estimator.train_and_evaluate(
        estimator,
        tf.estimator.TrainSpec(_input(tf), max_steps=4),
        tf.estimator.EvalSpec(
            _input(tf, False), steps=2, exporters=exporters, start_delay_secs=0, throttle_secs=0
        ),
    )
    folder = os.path.join(estimator.model_dir, "export")
    return [
        metrics, [e is not None for e in exports],
        {name: len(os.listdir(os.path.join(folder, name))) for name in os.listdir(folder)},
        _files(estimator.model_dir), _tags(tf, estimator.eval_dir()),
    ]  # fmt: skip


def early_stopping(tf):
    estimator = _estimator(tf, save_checkpoints_steps=1)
    hooks = tf.estimator.experimental
    folder = estimator.eval_dir()
    with tf.summary.FileWriter(folder) as writer:
        for step, loss in ((1, 3.0), (2, 2.0), (3, 2.5), (4, 2.5)):
            value = tf.Summary.Value(tag="loss", simple_value=loss)
            writer.add_summary(tf.Summary(value=[value]), step)
    made = [
        hooks.stop_if_no_decrease_hook(estimator, "loss", 2, run_every_secs=None,
                                       run_every_steps=1),
        hooks.stop_if_lower_hook(estimator, "loss", 1.0, run_every_secs=None, run_every_steps=1),
    ]  # fmt: skip
    estimator.train(_input(tf), hooks=made, steps=9)
    return (
        os.path.basename(estimator.latest_checkpoint()), estimator.get_variable_names(),
        outcome(hooks.make_early_stopping_hook, estimator, lambda: True, 1, 1),
        outcome(hooks.make_early_stopping_hook, None, lambda: True),
    )  # fmt: skip


def in_memory_evaluator(tf):
    estimator = _estimator(tf)
    hook = tf.estimator.experimental.InMemoryEvaluatorHook(
        estimator, _input(tf, False), every_n_iter=2, name="memory"
    )
    estimator.train(_input(tf), hooks=[hook], steps=4)
    return _tags(tf, estimator.eval_dir("memory"))


def warm_start(tf):
    first = _estimator(tf)
    first.train(_input(tf), steps=1)
    found = []
    for given in (
        first.model_dir,
        tf.estimator.WarmStartSettings(first.model_dir, vars_to_warm_start="dense/"),
    ):
        second = tf.estimator.Estimator(
            _model_fn(tf), config=_config(tf), params={}, warm_start_from=given
        )
        hook, losses = _losses(tf)
        second.train(_input(tf), hooks=[hook], steps=2)
        found.append(losses)
    return (
        found,
        list(tf.estimator.WarmStartSettings("a")),
        outcome(tf.estimator.WarmStartSettings, ""),
    )


def saving_listeners_and_hooks(tf):
    estimator, seen = _estimator(tf, save_checkpoints_steps=2), []

    class Listener(tf.train.CheckpointSaverListener):
        def after_save(self, session, global_step_value):
            seen.append(int(global_step_value))

    class Hook(tf.train.SessionRunHook):
        def begin(self):
            seen.append("begin")

        def end(self, session):
            seen.append("end")

    estimator.train(_input(tf), [Hook()], steps=3, saving_listeners=[Listener()])
    return (
        seen, outcome(estimator.train, _input(tf), [1]),
        outcome(estimator.train, _input(tf), steps=1, max_steps=2),
        outcome(estimator.train, _input(tf), steps=0),
        outcome(estimator.evaluate, _input(tf), 0),
    )  # fmt: skip


def scaffold_and_training_hooks(tf):
    seen = []

    def model_fn(features, labels, mode):
        w = tf.get_variable("w", [4, 1], initializer=tf.zeros_initializer())
        y = tf.squeeze(tf.matmul(features["x"], w), 1)
        loss = tf.losses.mean_squared_error(tf.cast(labels, tf.float32), y)
        step = tf.train.GradientDescentOptimizer(0.1)
        logged = tf.train.LoggingTensorHook({"loss": loss}, every_n_iter=1)
        tf.summary.scalar("mine", loss)
        return tf.estimator.EstimatorSpec(
            mode, y, loss, step.minimize(loss, tf.train.get_global_step()),
            {"mae": tf.metrics.mean_absolute_error(labels, y)}, training_hooks=[logged],
            scaffold=tf.train.Scaffold(init_fn=lambda scaffold, session: seen.append("init")),
        )  # fmt: skip

    estimator = tf.estimator.Estimator(model_fn, config=_config(tf))
    estimator.train(_input(tf), steps=2)
    result = estimator.evaluate(_input(tf), steps=2)
    return seen, result, _tags(tf, estimator.model_dir), next(estimator.predict(_input(tf)))


def run_configs(tf):
    make = tf.estimator.RunConfig
    config = make(save_checkpoints_steps=5)
    other = config.replace(save_checkpoints_secs=3, model_dir="/d")
    names = (
        "model_dir save_checkpoints_steps save_checkpoints_secs task_type task_id is_chief master"
        " num_ps_replicas num_worker_replicas keep_checkpoint_max evaluation_master"
        " global_id_in_cluster"
    ).split()
    found = [[getattr(c, n) for n in names] for c in (config, other)]
    cluster = '"cluster": {"chief": ["a:1"], "ps": ["b:1", "b:2"], "worker": ["c:1", "c:2"]}'
    for task in ('"chief", "index": 0', '"ps", "index": 1', '"worker", "index": 1',
                 '"evaluator", "index": 0', '"worker", "index": 7'):  # fmt: skip
        os.environ["TF_CONFIG"] = f'{{{cluster}, "task": {{"type": {task}}}}}'
        made = outcome(lambda: [getattr(make(), n) for n in names])
        found.append(made)
    del os.environ["TF_CONFIG"]
    wrong = [
        outcome(make, save_checkpoints_steps=1, save_checkpoints_secs=2),
        outcome(make, keep_checkpoint_max=-1), outcome(make, tf_random_seed=1.5),
        outcome(make, model_dir=""), outcome(config.replace, task_id=1),
        outcome(make, device_fn=lambda x: x),
    ]  # fmt: skip
    return found, wrong


def mistakes(tf):
    spec, mode = tf.estimator.EstimatorSpec, tf.estimator.ModeKeys
    one = tf.constant(1.0)
    with tf.Graph().as_default():
        foreign = tf.constant(1.0)
    estimator = _estimator(tf)
    return [
        outcome(spec, mode.TRAIN, loss=one), outcome(spec, mode.TRAIN, train_op=one),
        outcome(spec, mode.EVAL), outcome(spec, mode.PREDICT),
        outcome(spec, mode.EVAL, loss=foreign), outcome(spec, mode.EVAL, loss=1.0),
        outcome(spec, mode.EVAL, loss=one, eval_metric_ops={"a": one}),
        outcome(spec, mode.EVAL, loss=tf.constant([1.0, 2.0])),
        outcome(spec, mode.EVAL, loss=one, evaluation_hooks=[1]),
        outcome(tf.estimator.Estimator, lambda labels: 1),
        outcome(tf.estimator.Estimator, lambda features: 1, params={}),
        outcome(tf.estimator.Estimator, lambda features, other: 1),
        outcome(tf.estimator.Estimator, None),
        outcome(estimator.get_variable_value, "w"), outcome(estimator.get_variable_names),
        outcome(estimator.export_saved_model, tempfile.mkdtemp(), _serving(tf)),
        outcome(tf.estimator.TrainSpec, 1), outcome(tf.estimator.TrainSpec, _input(tf), 0),
        outcome(tf.estimator.EvalSpec, _input(tf), name=1),
        outcome(tf.estimator.EvalSpec, _input(tf), throttle_secs=-1),
        outcome(tf.estimator.EvalSpec, _input(tf), exporters=[1]),
        outcome(tf.estimator.train_and_evaluate, estimator, 1, 2),
        outcome(tf.estimator.LatestExporter, "a", None, exports_to_keep=0),
        outcome(tf.estimator.export.PredictOutput, {1: one}),
        outcome(tf.estimator.export.ServingInputReceiver, None, one),
        sorted(tf.estimator.export.ServingInputReceiver(one, one).features),
    ]  # fmt: skip


def partial_functions(tf):
    """Arguments that a partial function has are not the estimator's to give."""
    seen = []

    def model_fn(features, labels, rate, mode, params, config, *, scale=2.0):
        seen.append([rate, scale, sorted(params)])
        return _model_fn(tf)(features, labels, mode, params)

    def input_fn(size, params):
        seen.append([size, params])
        return _input(tf)()

    partial = functools.partial(model_fn, rate=0.5)
    estimator = tf.estimator.Estimator(partial, config=_config(tf), params={"hidden": 2})
    estimator.train(functools.partial(input_fn, 16, params="own"), steps=1)
    estimator.train(functools.partial(input_fn, 16), steps=1)
    return seen


def refused_estimators(tf):
    estimator, folder = tf.estimator, tempfile.mkdtemp()

    class Overriding(estimator.Estimator):
        def predict(self, input_fn):
            return None

    class Extending(estimator.Estimator):
        def predict_more(self, input_fn):
            return None

    model_fn, config = _model_fn(tf), estimator.RunConfig(model_dir=folder)
    never = estimator.RunConfig(save_checkpoints_steps=None, save_checkpoints_secs=None)
    made = estimator.Estimator(model_fn, config=config, params={})
    hook = estimator.CheckpointSaverListener()
    return [
        says("cannot override members", Overriding, model_fn),
        outcome(Extending, model_fn),
        says("an instance of `RunConfig`", estimator.Estimator, None, config="none"),
        says("model_dir` are set both", estimator.Estimator, model_fn, "/other", config),
        says("must be a SessionRunHook", made.train, _input(tf), ["hook"], 1),
        says("must be a SessionRunHook", made.evaluate, _input(tf), 1, ["hook"]),
        says("CheckpointSaverListener", made.train, _input(tf), steps=1, saving_listeners=[1]),
        says("to use saving_listeners", estimator.Estimator(model_fn, folder, never, {}).train,
             _input(tf), steps=1, saving_listeners=[hook]),
    ]  # fmt: skip


def a_worker_that_waits(tf):
    """A task that is not the chief waits for the session, by the manager's public method."""
    calls = []

    class Worker(tf.estimator.RunConfig):
        @property
        def is_chief(self):
            return False

    def opened(self, master, config=None, max_wait_secs=None):
        calls.append([master, config.allow_soft_placement, max_wait_secs])
        scaffold = tf.train.Scaffold().finalize()
        session = tf.Session(master, config=config)
        session.run(scaffold.init_op)
        return session

    manager, waiting = tf.train.SessionManager, tf.train.SessionManager.wait_for_session
    manager.wait_for_session = opened
    try:
        tf.estimator.Estimator(_model_fn(tf), config=Worker(), params={}).train(_input(tf), steps=1)
    finally:
        manager.wait_for_session = waiting
    return calls
