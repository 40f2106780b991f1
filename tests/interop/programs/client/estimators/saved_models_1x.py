# SPDX-License-Identifier: Apache-2.0
"""SavedModels that a program writes and loads."""

import os
import tempfile

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True


def _folder():
    return os.path.join(tempfile.mkdtemp(), "model")


def _linear(tf):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    w = tf.get_variable("w", [2, 1], initializer=tf.constant_initializer(3.0))
    return x, tf.subtract(tf.matmul(x, w), 1.0, name="y")


def _signature(signature):
    return [
        signature.method_name,
        sorted((k, v.name, v.dtype) for k, v in signature.inputs.items()),
        sorted((k, v.name, v.dtype) for k, v in signature.outputs.items()),
    ]


def simple_save(tf):
    folder = _folder()
    with tf.Session() as sess:
        x, y = _linear(tf)
        sess.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(sess, folder, {"x": x}, {"y": y})
    with tf.Graph().as_default(), tf.Session() as sess:
        model = tf.saved_model.loader.load(sess, [tf.saved_model.tag_constants.SERVING], folder)
        signature = model.signature_def["serving_default"]
        value = sess.run(signature.outputs["y"].name, {signature.inputs["x"].name: [[1.0, 2.0]]})
        return [
            value, _signature(signature), list(model.meta_info_def.tags),
            sorted(os.listdir(folder)), sorted(os.listdir(os.path.join(folder, "variables"))),
            [v.name for v in tf.global_variables()],
        ]  # fmt: skip


def _loaded_signature(tf, sess, tags, folder):
    model = tf.saved_model.load(sess, tags, folder)
    return _signature(model.signature_def["predict_images"])


def builder_with_two_graphs(tf):
    folder = _folder()
    builder = tf.saved_model.builder.SavedModelBuilder(folder)
    with tf.Session() as sess:
        x, y = _linear(tf)
        sess.run(tf.global_variables_initializer())
        inputs = {"images": tf.saved_model.utils.build_tensor_info(x)}
        outputs = {"scores": tf.saved_model.utils.build_tensor_info(y)}
        signature = tf.saved_model.signature_def_utils.build_signature_def(
            inputs, outputs, tf.saved_model.signature_constants.PREDICT_METHOD_NAME
        )
        builder.add_meta_graph_and_variables(sess, ["train"], {"predict_images": signature})
        builder.add_meta_graph(["serve", "gpu"], {"predict_images": signature})
    path = builder.save(as_text=True)
    found = [os.path.basename(path)]
    for tags in (["train"], ["gpu", "serve"], ["serve"]):
        with tf.Graph().as_default(), tf.Session() as sess:
            loaded = outcome(lambda s=sess, t=tags: _loaded_signature(tf, s, t, folder))
            found.append(loaded)
    return found


def assets_and_tables(tf):
    folder = _folder()
    words = os.path.join(tempfile.mkdtemp(), "words.txt")
    with open(words, "w") as file:
        file.write("a\nb\nc\n")
    with tf.Session() as sess:
        whole, number = tf.lookup.TextFileIndex.WHOLE_LINE, tf.lookup.TextFileIndex.LINE_NUMBER
        table = tf.lookup.StaticHashTable(
            tf.lookup.TextFileInitializer(words, tf.string, whole, tf.int64, number), -1
        )
        text = tf.placeholder(tf.string, [None], name="text")
        ids = tf.identity(table.lookup(text), name="ids")
        sess.run(tf.tables_initializer())
        tf.saved_model.simple_save(
            sess, folder, {"text": text}, {"ids": ids}, legacy_init_op=tf.tables_initializer()
        )
    os.remove(words)
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.saved_model.load(sess, ["serve"], folder, import_scope="served")
        ids = sess.run("served/ids:0", {"served/text:0": ["c", "z", "a"]})
    return ids, os.listdir(os.path.join(folder, "assets"))


def signatures(tf):
    text, number = tf.placeholder(tf.string, [None]), tf.placeholder(tf.float32, [None, 2])
    utils = tf.saved_model.signature_def_utils
    made = [
        tf.saved_model.regression_signature_def(text, number),
        tf.saved_model.classification_signature_def(text, text, number),
        tf.saved_model.classification_signature_def(text, None, number),
        tf.saved_model.predict_signature_def({"a": number}, {"b": text}),
        utils.build_signature_def(),
    ]
    sparse = tf.saved_model.build_tensor_info(tf.sparse_placeholder(tf.int64, [2, 3], "s"))
    back = tf.saved_model.get_tensor_from_tensor_info(sparse)
    return [
        [_signature(s) for s in made],
        [utils.is_valid_signature(s) for s in made],
        [sparse.coo_sparse.values_tensor_name, sparse.dtype, back.indices.name],
        outcome(tf.saved_model.predict_signature_def, {}, {"b": text}),
        outcome(tf.saved_model.regression_signature_def, number, number),
        outcome(tf.saved_model.classification_signature_def, text, None, None),
    ]


def mistakes(tf):
    folder, full = _folder(), tempfile.mkdtemp()
    with open(os.path.join(full, "file"), "w") as file:
        file.write("x")
    builder = tf.saved_model.Builder(folder)
    unnamed = tf.saved_model.build_signature_def({"x": tf.TensorInfo()})
    with tf.Session() as sess:
        x, y = _linear(tf)
        sess.run(tf.global_variables_initializer())
        found = [
            outcome(tf.saved_model.Builder, full),
            outcome(builder.add_meta_graph, ["serve"]),
            outcome(builder.add_meta_graph_and_variables, sess, ["serve"], {"s": unnamed}),
            outcome(builder.add_meta_graph_and_variables, sess, ["serve"], main_op="x"),
            outcome(tf.saved_model.load, sess, ["serve"], full),
            tf.saved_model.maybe_saved_model_directory(full),
        ]
    with open(os.path.join(full, "saved_model.pb"), "wb") as file:
        file.write(b"\x0f\xff damaged")
    with tf.Session() as sess:
        found.append(outcome(tf.saved_model.load, sess, ["serve"], full))
    return found, tf.saved_model.contains_saved_model(full)


def frozen_graph(tf):
    with tf.Session() as sess:
        _linear(tf)
        sess.run(tf.global_variables_initializer())
        frozen = tf.graph_util.convert_variables_to_constants(
            sess, tf.get_default_graph().as_graph_def(), ["y"]
        )
    with tf.Graph().as_default(), tf.Session() as sess:
        (y,) = tf.import_graph_def(frozen, return_elements=["y:0"])
        value = sess.run(y, {"import/x:0": [[1.0, 1.0]]})
    cut = tf.graph_util.extract_sub_graph(frozen, ["w"])
    lean = tf.graph_util.remove_training_nodes(frozen)
    return (
        value, sorted({n.op for n in frozen.node}), [n.name for n in cut.node],
        sorted({n.op for n in lean.node}),
    )  # fmt: skip


def tensor_protos(tf):
    values = [
        1.5, [1, 2, 3], np.arange(6.0).reshape(2, 3), "text", [b"a", b"bc"], True, np.int64(7),
        np.float16([1.0, 2.0]), 1 + 2j,
    ]  # fmt: skip
    protos = [tf.make_tensor_proto(v) for v in values]
    filled = tf.make_tensor_proto(2.0, tf.float64, [2, 2])
    return (
        [tf.make_ndarray(p) for p in [*protos, filled]], [p.dtype for p in protos],
        [p.SerializeToString() for p in protos],
        outcome(tf.make_tensor_proto, [1, 2], None, [3]),
        outcome(tf.make_tensor_proto, "a", tf.int32),
    )  # fmt: skip
