# SPDX-License-Identifier: Apache-2.0
"""Summaries and event files: what our ops make says the same as TensorFlow's.

Messages are compared field by field; images and sounds by what they decode to.
"""

import atexit
import glob
import os
import shutil
import tempfile

import numpy as np
import tensorflow
from tensorflow.python.ops import gen_summary_ops as writers

tf = tensorflow.compat.v1
tf.disable_v2_behavior()
raw = tensorflow.raw_ops

FOLDER = tempfile.mkdtemp(prefix="sluice-summaries-")
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
REALS = "float16 float32 float64 int8 int16 int32 int64 uint8 uint16".split()


def events_in(folder):
    """The events of the one file in a folder, without what differs from run to run."""
    files = glob.glob(os.path.join(folder, "events.out.tfevents.*"))
    assert len(files) == 1, files
    events = list(tf.train.summary_iterator(files[0]))
    for event in events:
        assert event.wall_time > 1e9
        event.ClearField("wall_time")
        if hasattr(event, "source_metadata"):
            event.ClearField("source_metadata")
    return events, files[0]


def decoded(session, summary):
    """The same summary with pixels in the place of PNG files."""
    for value in summary.value:
        if value.WhichOneof("value") == "image":
            image = session.run(tf.image.decode_png(value.image.encoded_image_string))
            value.image.encoded_image_string = repr(image.shape).encode() + image.tobytes()
    return summary


def images(dtype, channels, count=2):
    rng = np.random.RandomState(channels)
    if dtype == "uint8":
        return rng.randint(0, 256, size=(count, 5, 7, channels)).astype(dtype)
    made = rng.uniform(-1 if channels == 3 else 0, 3, size=(count, 5, 7, channels)).astype(dtype)
    made[0, 0, 0, 0] = np.nan
    made[0, 1, 2, 0] = np.inf
    return made


def summaries():
    """Name -> how to make it; all that return a summary."""
    rng = np.random.RandomState(7)
    return {
        **number_summaries(rng),
        **image_summaries(),
        **audio_summaries(rng),
        **tensor_summaries(rng),
    }


def number_summaries(rng):
    made = {}
    for t in REALS:
        values = rng.uniform(-50, 100, size=(3, 4)).astype(t)
        made["scalar " + t] = lambda v=values: raw.ScalarSummary(tags="x", values=v[1, 1])
        made["histogram " + t] = lambda v=values: raw.HistogramSummary(tag="h", values=v)

    def bfloat():
        return tf.cast(tf.constant([1.5, -2.25]), tf.bfloat16)

    made["histogram bfloat16"] = lambda: raw.HistogramSummary(tag="h", values=bfloat())
    made["scalars"] = lambda: raw.ScalarSummary(tags=["a", "b"], values=[1.0, np.nan])
    made["scalars of rank 2"] = lambda: raw.ScalarSummary(tags=[["a", "b"]], values=[[1.0, -2.0]])
    made["no scalars"] = lambda: raw.ScalarSummary(
        tags=tf.constant([], tf.string), values=tf.constant([], tf.float32)
    )
    wide = np.concatenate([rng.normal(size=1000), [0, -0.0, 1e-13, -1e-13, 1e21, -1e21, 1e300]])
    made["histogram wide"] = lambda: raw.HistogramSummary(tag="h", values=wide)
    made["histogram empty"] = lambda: raw.HistogramSummary(
        tag="h", values=np.zeros([0], np.float32)
    )
    made["histogram nan"] = lambda: raw.HistogramSummary(tag="h", values=[1.0, np.nan])
    made["histogram inf"] = lambda: raw.HistogramSummary(tag="h", values=[1.0, np.inf])
    made["histogram tags"] = lambda: raw.HistogramSummary(tag=["h"], values=[1.0])
    made["a tag and a vector"] = lambda: raw.ScalarSummary(tags="a", values=[1.0])
    made["scalar shapes"] = lambda: raw.ScalarSummary(tags=["a", "b"], values=[1.0, 2.0, 3.0])
    made["merge"] = lambda: raw.MergeSummary(
        inputs=[made["scalar float32"](), made["histogram float64"](), made["scalars"]()]
    )
    made["merge twice"] = lambda: raw.MergeSummary(inputs=[made["scalars"](), made["scalars"]()])
    made["merge garbage"] = lambda: raw.MergeSummary(inputs=["\x0a\xff"])
    return made


def image_summaries():
    made = {}
    color = tf.make_tensor_proto([1, 2, 3, 4], tf.uint8)
    kinds = ["uint8", "float16", "float32"]
    if tensorflow.__version__.startswith("1."):
        kinds.append("float64")  # 2.x makes 254 of the largest value where 1.15 makes 255
    for t in kinds:
        for channels in (1, 3, 4):
            made["image %s %d" % (t, channels)] = lambda t=t, c=channels: raw.ImageSummary(
                tag="i", tensor=images(t, c), max_images=3, bad_color=color
            )
    small = np.full((1, 2, 2, 1), 1e-9, np.float32)
    made["image one"] = lambda: raw.ImageSummary(
        tag="i", tensor=images("uint8", 3), max_images=1, bad_color=color
    )
    made["image dark"] = lambda: raw.ImageSummary(
        tag="i", tensor=small, max_images=1, bad_color=color
    )
    made["image channels"] = lambda: raw.ImageSummary(
        tag="i", tensor=images("uint8", 2), max_images=3, bad_color=color
    )
    short = tf.make_tensor_proto([1], tf.uint8)
    made["image bad color"] = lambda: raw.ImageSummary(
        tag="i", tensor=images("float32", 3), max_images=3, bad_color=short
    )
    return made


def audio_summaries(rng):
    made = {}
    sound = rng.uniform(-1.2, 1.2, size=(3, 50, 2)).astype(np.float32)
    for most in (1, 2, 5):
        made["audio %d" % most] = lambda m=most: raw.AudioSummaryV2(
            tag="s", tensor=sound, sample_rate=44100.0, max_outputs=m
        )
    made["audio mono"] = lambda: raw.AudioSummaryV2(
        tag="s", tensor=sound[:, :, 0], sample_rate=8000.0, max_outputs=3
    )
    made["audio rank"] = lambda: raw.AudioSummaryV2(
        tag="s", tensor=sound[0, 0], sample_rate=8000.0, max_outputs=3
    )
    made["audio rate"] = lambda: raw.AudioSummaryV2(
        tag="s", tensor=sound, sample_rate=-1.0, max_outputs=3
    )
    return made


def tensor_summaries(rng):
    made = {}
    metadata = tf.SummaryMetadata(
        display_name="shown", plugin_data=tf.SummaryMetadata.PluginData(plugin_name="p")
    ).SerializeToString()
    for name, value in (
        ("floats", rng.normal(size=(2, 3))),
        ("strings", [b"a", b"bc"]),
        ("int", 5),
    ):
        made["tensor " + name] = lambda v=value: raw.TensorSummary(
            tensor=v, description="", labels=[], display_name="", name="here"
        )
        made["tensor v2 " + name] = lambda v=value: raw.TensorSummaryV2(
            tag="t", tensor=v, serialized_summary_metadata=metadata
        )
    return made


def answer(session, make):
    """The parsed summary, or the name of the error."""
    try:
        bytes_ = session.run(make())
    except (tf.errors.OpError, ValueError) as error:
        return type(error).__name__
    return decoded(session, tf.Summary.FromString(bytes_))


def test_summaries(checks, ours, theirs):
    for name, make in summaries().items():
        with tf.Graph().as_default():
            with tf.Session(theirs.target()) as session:
                expected = answer(session, make)
        with tf.Graph().as_default():
            with tf.Session(ours.target()) as session, tf.device("/job:worker/task:0"):
                try:
                    actual = session.run(make())
                except (tf.errors.OpError, ValueError) as error:
                    actual = type(error).__name__
        if not isinstance(actual, str):
            with tf.Graph().as_default(), tf.Session() as session:
                actual = decoded(session, tf.Summary.FromString(actual))
        same = actual == expected or str(actual) == str(expected)  # NaN is not NaN
        checks.check(name, same, f"{str(actual)[:300]} ... instead of {str(expected)[:300]}")


def write_everything(cluster, folder):
    """A file with an event of every kind."""
    rng = np.random.RandomState(2)
    with tf.Graph().as_default():
        writer = writers.summary_writer(shared_name="events", container="")
        make = writers.create_summary_file_writer(
            writer=writer, logdir=folder, max_queue=10, flush_millis=120000, filename_suffix=".test"
        )
        metadata = tf.SummaryMetadata(display_name="d").SerializeToString()
        step = tf.constant(7, tf.int64)
        imported = tf.Event(wall_time=2e9, step=12, file_version="x").SerializeToString()
        part = tf.Summary(value=[tf.Summary.Value(tag="r", simple_value=3)]).SerializeToString()
        writes = [
            writers.write_scalar_summary(writer, step, "scalar", tf.constant(2.5)),
            writers.write_scalar_summary(writer, step, "int", tf.constant(4)),
            writers.write_summary(writer, step, tf.constant([1.5, 2.0]), "tensor", metadata),
            writers.write_histogram_summary(writer, step, "histogram", rng.normal(size=(20, 3))),
            writers.write_audio_summary(
                writer, step, "audio", rng.uniform(size=(1, 9)).astype(np.float32), 100.0
            ),
            writers.write_graph_summary(
                writer,
                step,
                tf.GraphDef(node=[tf.NodeDef(name="n", op="NoOp")]).SerializeToString(),
            ),
            writers.write_raw_proto_summary(writer, step, tf.constant([part, part])),
            writers.import_event(writer, tf.constant(imported)),
        ]
        image = writers.write_image_summary(
            writer, step, "image", images("uint8", 3), tf.constant([1, 2, 3, 4], tf.uint8)
        )
        flush, close = writers.flush_summary_writer(writer), writers.close_summary_writer(writer)
        with tf.Session(cluster.target()) as session:
            session.run(make)
            session.run(make)
            for write in writes:
                session.run(write)
            session.run(flush)
            flushed = len(events_in(folder)[0])
            session.run(image)
            session.run(close)
            try:
                session.run(flush)
                closed = "no error"
            except tf.errors.OpError as error:
                closed = type(error).__name__
    return flushed, closed


def test_writer(checks, ours, theirs):
    answers, files = [], []
    for cluster in (theirs, ours):
        folder = os.path.join(FOLDER, cluster.kind)
        answers.append(write_everything(cluster, folder))
        events, path = events_in(folder)
        with tf.Graph().as_default(), tf.Session() as session:
            for event in events:
                decoded(session, event.summary)
        files.append(events)
        checks.check("suffix", path.endswith(".test"), path)
    checks.check("flushed and closed", answers[0] == answers[1], answers)
    checks.check("number of events", len(files[0]) == len(files[1]), [len(f) for f in files])
    for i, (expected, actual) in enumerate(zip(*files)):
        checks.check("event %d" % i, expected == actual, f"{actual} instead of {expected}")


def train(cluster):
    """The summaries that SummarySaverHook wrote."""
    folder = os.path.join(FOLDER, "training_" + cluster.kind)
    with tf.Graph().as_default():
        step = tf.train.get_or_create_global_step()
        w = tf.get_variable("w", initializer=tf.ones([3]))
        tf.summary.scalar("sum", tf.reduce_sum(w))
        tf.summary.histogram("weights", w)
        update = tf.group(tf.assign_add(w, [1.0, 2.0, 3.0]), tf.assign_add(step, 1))
        hooks = [
            tf.train.StopAtStepHook(4),
            tf.train.SummarySaverHook(1, output_dir=folder, summary_op=tf.summary.merge_all()),
        ]
        with tf.train.MonitoredTrainingSession(cluster.target(), hooks=hooks) as session:
            while not session.should_stop():
                session.run(update)
    return [[v.tag for v in e.summary.value] for e in events_in(folder)[0] if e.summary.value]


def test_training(checks, ours, theirs):
    actual, expected = train(ours), train(theirs)
    checks.check("summaries of a training", actual == expected and len(actual) == 4, actual)


JOBS = {"worker": 1}
