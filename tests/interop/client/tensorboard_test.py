# SPDX-License-Identifier: Apache-2.0
"""What our summaries and event files say to TensorBoard's own readers."""

import importlib.util
import os
import subprocess

import numpy as np
import pytest

from interop.tools.two_clients import BUILD, SLUICE_PYTHON

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tensorboard") is None, reason="TensorBoard is not installed"
)

PROGRAM = """
import sys
import numpy as np
import sluice as tf
import sluice.tensorboard as tb

folder = sys.argv[1]
with tf.device("/cpu:0"):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.matmul(x, tf.constant([[1.0], [2.0], [3.0]]), name="y")
tf.summary.scalar("loss", tf.reduce_mean(y))
tf.summary.histogram("values", y)
tf.summary.image("picture", tf.ones([1, 4, 5, 3]) * 0.5)
tf.summary.audio("sound", tf.zeros([1, 100]), 8000)
tf.summary.text("note", tf.constant("**bold**"))
labels, predictions = [True, False, True, True], [0.9, 0.8, 0.7, 0.1]
tb.pr_curve("curve", tf.constant(labels), tf.constant(predictions), 5, [2.0, 1.0, 1.0, 1.0])
merged = tf.summary.merge_all()
with tf.Session() as session, tf.summary.FileWriter(folder + "/run", session.graph) as writer:
    writer.add_summary(tb.hparams({"rate": 0.1, "deep": True, "kind": "sgd"}, "trial", 5.0))
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
    metadata = tf.RunMetadata()
    for step in range(3):
        feeds = {x: np.ones((2, 3)) * step}
        writer.add_summary(session.run(merged, feeds, options, metadata), step)
    writer.add_run_metadata(metadata, "step2", 2)
    writer.add_summary(tb.hparams_end(False, 9.0))
with tf.summary.FileWriter(folder) as writer:
    domains = {"rate": (0.25, 1.0), "kind": ["sgd", "adam"], "deep": [True, False]}
    writer.add_summary(tb.hparams_config(domains, ["loss"], 1.0))
tb.visualize_embeddings(folder, [{"tensor_name": "w", "metadata_path": 'a"b.tsv', "sprite": "s.png",
                                  "image_dim": [8, 9]}])
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("events")
    env = dict(os.environ, PYTHONPATH=os.path.join(BUILD, "python"))
    subprocess.run([SLUICE_PYTHON, "-c", PROGRAM, str(made)], env=env, check=True, timeout=100)
    return str(made)


def events(folder):
    from tensorboard.backend.event_processing import event_accumulator

    everything = dict.fromkeys(event_accumulator.DEFAULT_SIZE_GUIDANCE, 0)
    read = event_accumulator.EventAccumulator(folder, everything)
    return read.Reload()


def content(read, tag):
    return read.SummaryMetadata(tag).plugin_data.content


def test_summaries(folder):
    read = events(folder + "/run")
    assert [(e.step, e.value) for e in read.Scalars("loss")] == [(0, 0.0), (1, 6.0), (2, 12.0)]
    histogram = read.Histograms("values")[2].histogram_value
    assert (histogram.num, histogram.sum, histogram.min) == (2, 24, 12)
    image = read.Images("picture/image/0")[0]
    assert (image.width, image.height) == (5, 4)
    assert image.encoded_image_string.startswith(b"\x89PNG")
    assert read.Audio("sound/audio/0")[0].sample_rate == 8000
    assert read.Tensors("note")[0].tensor_proto.string_val[0] == b"**bold**"
    assert read.SummaryMetadata("note").plugin_data.plugin_name == "text"


def test_the_graph_with_devices_and_a_trace(folder):
    read = events(folder + "/run")
    assert {n.device for n in read.Graph().node if n.name == "y"} == {"/device:CPU:0"}
    assert read.RunMetadata("step2").step_stats.dev_stats


def test_precision_recall_curves(folder):
    from tensorboard.plugins.pr_curve import metadata
    from tensorboard.util import tensor_util

    read = events(folder + "/run")
    assert metadata.parse_plugin_metadata(content(read, "curve/pr_curves")).num_thresholds == 5
    values = tensor_util.make_ndarray(read.Tensors("curve/pr_curves")[0].tensor_proto)
    wanted = [
        [4, 3, 3, 2, 0], [1, 1, 1, 1, 0], [0, 0, 0, 0, 1], [0, 1, 1, 2, 4],
        [0.8, 0.75, 0.75, 2 / 3, 0], [1, 0.75, 0.75, 0.5, 0],
    ]  # fmt: skip
    assert np.allclose(values, wanted)


def test_hyper_parameters(folder):
    from tensorboard.plugins.hparams import metadata

    read = events(folder + "/run")
    start = metadata.parse_session_start_info_plugin_data(
        content(read, "_hparams_/session_start_info")
    )
    assert start.hparams["rate"].number_value == 0.1 and start.hparams["deep"].bool_value is True
    assert start.hparams["kind"].string_value == "sgd" and start.group_name == "trial"
    end = metadata.parse_session_end_info_plugin_data(content(read, "_hparams_/session_end_info"))
    assert (end.status, end.end_time_secs) == (2, 9.0)  # STATUS_FAILURE
    made = metadata.parse_experiment_plugin_data(content(events(folder), "_hparams_/experiment"))
    infos = {info.name: info for info in made.hparam_infos}
    assert infos["rate"].domain_interval.min_value == 0.25
    assert [v.string_value for v in infos["kind"].domain_discrete.values] == ["sgd", "adam"]
    assert infos["deep"].type == 2 and made.metric_infos[0].name.tag == "loss"


def test_the_projector(folder):
    from google.protobuf import text_format
    from tensorboard.plugins.projector import projector_config_pb2

    with open(os.path.join(folder, "projector_config.pbtxt")) as file:
        read = text_format.Parse(file.read(), projector_config_pb2.ProjectorConfig())
    (embedding,) = read.embeddings
    assert (embedding.tensor_name, embedding.metadata_path) == ("w", 'a"b.tsv')
    assert list(embedding.sprite.single_image_dim) == [8, 9]
