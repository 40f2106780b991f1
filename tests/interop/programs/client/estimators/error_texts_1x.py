# SPDX-License-Identifier: Apache-2.0
"""What estimators say of configurations, specs and exports that are not possible."""

import json
import os
import re

from interop.programs.client._outcomes import message

ONLY_1X = True

_CLUSTER = {"chief": ["h0:1"], "ps": ["h1:2", "h2:3"], "worker": ["h3:4", "h4:5"]}
_MASTER = {"master": ["h0:1"], "ps": ["h1:2"], "worker": ["h3:4"]}


def _config(tf, environment, **arguments):
    os.environ["TF_CONFIG"] = json.dumps(environment)
    try:
        return tf.estimator.RunConfig(**arguments)
    finally:
        del os.environ["TF_CONFIG"]


def _task(cluster, job, index=0):
    return {"cluster": cluster, "task": {"type": job, "index": index}}


def tasks_of_configs(tf):
    environments = [
        {"cluster": _CLUSTER},
        {"cluster": _CLUSTER, "task": {"type": "worker"}},
        _task(_CLUSTER, "ps", 2),
        _task(_CLUSTER, "worker", -1),
        _task(_CLUSTER, "other"),
        _task(_MASTER, "evaluator"),
        _task({**_MASTER, "chief": ["h9:1"]}, "master"),
        _task({"worker": ["h0:1"]}, "worker"),
        _task({"chief": ["h0:1", "h1:1"]}, "chief"),
        {"task": {"type": "worker", "index": 1}},
        {"task": {"type": "chief", "index": 0}},
        {"service": "x"},
        {"model_dir": ""},
    ]
    texts = [message(_config, tf, environment) for environment in environments]
    return [*texts, message(_config, tf, {"model_dir": "/a"}, model_dir="/b")]


def sessions_of_tasks(tf):
    """The sessions of the tasks of a cluster: what they see, and how graphs are optimised."""
    jobs = (("chief", 0), ("worker", 1), ("ps", 1))
    configs = [_config(tf, _task(_CLUSTER, job, index)).session_config for job, index in jobs]
    return [
        [list(c.device_filters), c.graph_options.rewrite_options.meta_optimizer_iterations]
        for c in configs
    ]


def arguments_of_configs(tf):
    arguments = [
        {"model_dir": ""}, {"tf_random_seed": 1.5}, {"save_summary_steps": -1},
        {"save_checkpoints_secs": -1}, {"save_checkpoints_steps": 5, "save_checkpoints_secs": 5},
        {"session_config": 3}, {"keep_checkpoint_max": -1}, {"keep_checkpoint_every_n_hours": 0},
        {"log_step_count_steps": 0}, {"device_fn": lambda x: 1}, {"protocol": "x"},
        {"experimental_max_worker_delay_secs": 1.5}, {"session_creation_timeout_secs": -1},
    ]  # fmt: skip
    config = tf.estimator.RunConfig()
    return [
        *[message(tf.estimator.RunConfig, **one) for one in arguments],
        *[message(config.replace, **one) for one in ({"model_dir": ""}, {"master": "a"})],
    ]


def specs(tf):
    spec, mode = tf.estimator.EstimatorSpec, tf.estimator.ModeKeys
    one, named = tf.constant(1.0), {"a": tf.constant([1.0])}
    with tf.Graph().as_default():
        foreign, step = tf.constant(1.0), tf.no_op()
    outputs = {key: tf.estimator.export.PredictOutput(named) for key in "ab"}
    metric = tf.keras.metrics.Mean()
    made = spec(mode.EVAL, loss=one)
    return [
        message(spec, mode.TRAIN, loss=foreign, train_op=tf.no_op()),
        message(spec, mode.TRAIN, loss=one, train_op=step),
        message(spec, mode.TRAIN, {"a": foreign}, one, tf.no_op()),
        message(spec, mode.PREDICT, foreign),
        message(spec, mode.EVAL, loss=one, eval_metric_ops={"m": (foreign, one)}),
        message(spec, mode.EVAL, loss=one, eval_metric_ops={"m": metric}),
        message(spec, mode.TRAIN, loss=one, train_op=one, scaffold=3),
        message(spec, mode.PREDICT, named, export_outputs={"a": 3}),
        message(spec, mode.PREDICT, named, export_outputs=outputs),
        spec(mode.PREDICT, named, export_outputs={}).export_outputs,
        message(made._replace, mode=mode.TRAIN),
    ]


def outputs_of_exports(tf):
    export, numbers = tf.estimator.export, tf.constant([1])
    scores = export.ClassificationOutput(tf.constant([1.0]))
    value = export.RegressionOutput(tf.constant([1.0]))
    fed = {"a": tf.constant(["x"]), "b": tf.constant(["x"])}
    return [
        re.sub(r"(?:tf|sluice)\.Tensor", "Tensor", text) for text in (
            message(export.ClassificationOutput), message(export.ClassificationOutput, "x"),
            message(export.ClassificationOutput, numbers),
            message(export.ClassificationOutput, classes=numbers),
            message(export.RegressionOutput, "x"), message(export.RegressionOutput, numbers),
            message(scores.as_signature_def, fed), message(value.as_signature_def, fed),
        )
    ]  # fmt: skip


def exporters(tf):
    class Named(tf.estimator.Exporter):
        def __init__(self, name):
            self._name = name

        @property
        def name(self):
            return self._name

        def export(self, *args):
            return None

    def evaluated(*names):
        return message(tf.estimator.EvalSpec, len, exporters=[Named(name) for name in names])

    def compare(best_eval_result):
        return True

    best = tf.estimator.BestExporter
    return [
        evaluated("a", "a"), evaluated(None), evaluated(""), evaluated(3), evaluated("a", "b"),
        message(tf.estimator.LatestExporter, "a", None, exports_to_keep=0),
        message(best, exports_to_keep=0),
        re.sub(" at 0x[0-9a-f]*", "", message(best, compare_fn=compare)),
    ]  # fmt: skip


def warm_starts(tf):
    tf.get_variable("a", [2])
    path = "/does/not/exist"
    return [
        message(tf.train.warm_start, path, 7),
        message(tf.train.VocabInfo, "new", 1, 0, "old", axis=2),
        message(tf.estimator.Estimator, lambda features, labels: None, warm_start_from=3),
        message(tf.estimator.WarmStartSettings, ""),
    ]
