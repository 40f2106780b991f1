# SPDX-License-Identifier: Apache-2.0
"""contrib.summary: steps that write summaries, and when they do."""

import os
import tempfile

import numpy as np

from .._contrib import contrib_of
from .._outcomes import outcome

ONLY_1X = True


def _events(tf, folder):
    found = []
    for name in sorted(os.listdir(folder)):
        for event in tf.train.summary_iterator(os.path.join(folder, name)):
            for value in event.summary.value:
                kind = value.WhichOneof("value")
                number = round(value.simple_value, 4) if kind == "simple_value" else None
                found.append((event.step, value.tag, kind, number))
            if event.graph_def:
                found.append((event.step, "graph"))
    return sorted(found, key=str)


def written(tf):
    summary = contrib_of(tf).summary
    step = tf.train.get_or_create_global_step()
    with tempfile.TemporaryDirectory() as folder:
        writer = summary.create_file_writer(folder, flush_millis=10000)
        with writer.as_default(), summary.always_record_summaries():
            with tf.name_scope("part"):
                summary.scalar("loss", 2.5)
                summary.scalar("late", tf.constant(3), step=7, family="more")
            summary.histogram("values", tf.constant([1.0, 2.0, 2.0]))
            summary.image("picture", tf.zeros([1, 2, 2, 3]))
            summary.generic("any", tf.constant([1, 2]))
            summary.audio("sound", tf.zeros([1, 8]), 4.0, 1)
            every = summary.all_summary_ops()
            with tf.Session() as sess:
                sess.run(tf.global_variables_initializer())
                summary.initialize(graph=tf.get_default_graph())
                for _ in range(2):
                    sess.run(every)
                    sess.run(step.assign_add(1))
                sess.run(summary.flush())
                sess.run(writer.close())
        return _events(tf, folder), len(every), len(summary.summary_writer_initializer_op())


def every_few_steps(tf):
    summary = contrib_of(tf).summary
    step = tf.train.get_or_create_global_step()
    with tempfile.TemporaryDirectory() as folder:
        writer = summary.create_file_writer(folder, name="writer")
        writer.set_as_default()
        with summary.record_summaries_every_n_global_steps(2):
            summary.scalar("seldom", tf.cast(step, tf.float32) * 0.5)
        with summary.never_record_summaries():
            summary.scalar("never", 1.0)
        summary.scalar("default", 1.0)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            summary.initialize()
            for _ in range(5):
                sess.run(summary.all_summary_ops())
                sess.run(step.assign_add(1))
            sess.run(writer.flush())
        with summary.create_file_writer(None).as_default():
            pass
        return _events(tf, folder)


def without_writer(tf):
    tf.reset_default_graph()
    summary = contrib_of(tf).summary
    return summary.eval_dir("a"), summary.eval_dir("a", "b"), len(summary.all_summary_ops())


def projector(tf):
    module = contrib_of(tf).tensorboard.plugins.projector
    config = module.ProjectorConfig()
    one = config.embeddings.add()
    one.tensor_name, one.metadata_path = "w:0", "labels.tsv"
    one.sprite.image_path = "all.png"
    one.sprite.single_image_dim.extend([8, 8])
    with tempfile.TemporaryDirectory() as folder:
        writer = tf.summary.FileWriter(folder)
        module.visualize_embeddings(writer, config)
        writer.close()
        with open(os.path.join(folder, "projector_config.pbtxt")) as file:
            return file.read()


def images(tf):
    module = contrib_of(tf).image
    x = np.arange(24, dtype=np.float32).reshape(1, 4, 6, 1)
    found = [
        module.rotate(x, np.pi / 2), module.rotate(x[0], 0.4, "BILINEAR"),
        module.translate(x[0, :, :, 0], [1.0, 2.0]), module.rotate(x, [0.3]),
        module.transform(x, [1.0, 0.2, 0.5, 0.1, 1.0, 0.0, 0.01, 0.0], output_shape=[3, 3]),
        module.compose_transforms(
            module.translations_to_projective_transforms([1.0, 2.0]),
            module.angles_to_projective_transforms([0.5], 4.0, 6.0),
        ),
        *module.bipartite_match(np.array([[1.0, 3.0], [2.0, 0.5]], np.float32), 2.0),
    ]  # fmt: skip
    with tf.Session() as sess:
        values = [np.round(v, 3).tolist() for v in sess.run(found)]
    return values, outcome(lambda: module.rotate(tf.zeros([1, 1, 1, 1, 1]), 0.1))


def names_of_tensors(tf):
    module = contrib_of(tf).framework
    with tf.name_scope("a"), tf.name_scope("b"):
        inner = module.get_name_scope()
    x = tf.constant([[1.0, 2.0]])
    found = [
        module.smart_cond(True, lambda: x + 1, lambda: x - 1),
        module.smart_cond(tf.constant(False), lambda: x + 1, lambda: x - 1),
        module.smart_cond(tf.placeholder_with_default(True, []), lambda: x + 1, lambda: x - 1),
        module.reduce_sum_n([x, x]), module.with_shape([1, 2], x),
        module.smart_case([(False, lambda: x), (True, lambda: 2 * x)]),
    ]  # fmt: skip
    with tf.Session() as sess:
        values = [v.tolist() for v in sess.run(found)]
    return [
        inner, module.get_name_scope(), values, module.strip_name_scope("a/b/c", "a/b"),
        module.prepend_name_scope("c", "a"), module.get_graph_from_inputs([x]) is x.graph,
        bool(module.smart_constant_value(tf.constant(True))),
    ]  # fmt: skip


def predictors(tf):
    predictor = contrib_of(tf).predictor
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model")
        with tf.Graph().as_default(), tf.Session() as sess:
            x = tf.placeholder(tf.float32, [None, 2], name="x")
            w = tf.get_variable("w", initializer=[[1.0], [2.0]])
            y = tf.matmul(x, w, name="y")
            sess.run(tf.global_variables_initializer())
            tf.saved_model.simple_save(sess, path, {"in": x}, {"out": y})
        fed = {"in": [[3.0, 4.0]]}
        first = predictor.from_saved_model(path)
        second = predictor.from_saved_model(
            path, input_names={"in": "x:0"}, output_names={"sum": "y:0"}
        )
        return [
            first(fed)["out"].tolist(), second(fed)["sum"].tolist(), sorted(first.feed_tensors),
            outcome(lambda: first({"other": 1})),
            outcome(lambda: predictor.from_saved_model(path, input_names={"in": "x:0"})),
        ]  # fmt: skip
