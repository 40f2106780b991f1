# SPDX-License-Identifier: Apache-2.0
"""Programs that import from the places of contrib's sources, and from the tutorials."""

import gzip
import importlib
import os
import struct
import tempfile

import numpy as np

ONLY_1X = True  # later TensorFlows have neither


def _module(tf, path):
    root = "tensorflow" if tf.__name__.startswith("tensorflow") else tf.__name__
    return importlib.import_module(f"{root}.{path}")


def places(tf):
    """A module of the sources has the names of the public module."""
    found = {}
    for path, name in (
        ("rnn.python.ops.rnn_cell", "LayerNormBasicLSTMCell"),
        ("layers.python.layers.initializers", "xavier_initializer"),
        ("layers.python.layers", "batch_norm"),
        ("framework.python.ops", "arg_scope"),
        ("seq2seq.python.ops.attention_wrapper", "BahdanauAttention"),
        ("seq2seq.python.ops.beam_search_decoder", "BeamSearchDecoder"),
        ("training.python.training.hparam", "HParams"),
    ):
        public = _module(tf, f"contrib.{path.partition('.')[0]}")
        try:
            found[path] = getattr(_module(tf, f"contrib.{path}"), name) is getattr(public, name)
        except AttributeError:
            found[path] = "no such name"
    for path in ("rnn.python.ops.NoModule", "rnn.elsewhere", "nowhere.python.ops"):
        try:
            _module(tf, f"contrib.{path}")
        except ImportError as error:
            found[path] = isinstance(error, ModuleNotFoundError)
    return found


def embeddings_shown(tf):
    """The projector's configuration, and the file that TensorBoard reads."""
    projector = _module(tf, "contrib.tensorboard.plugins.projector")
    config = projector.ProjectorConfig(model_checkpoint_path="model.ckpt")
    shown = config.embeddings.add()
    shown.tensor_name, shown.metadata_path = "words:0", "words.tsv"
    shown.sprite.image_path = "images.png"
    shown.sprite.single_image_dim.extend([28, 28])
    with tempfile.TemporaryDirectory() as folder:
        writer = tf.summary.FileWriter(folder)
        projector.visualize_embeddings(writer, config)
        writer.close()
        with open(os.path.join(folder, "projector_config.pbtxt")) as file:
            return [file.read(), config.SerializeToString()]


def _write(folder, name, values):
    with gzip.open(os.path.join(folder, f"{name}.gz"), "wb") as file:
        file.write(struct.pack(f">{values.ndim + 1}I", 0x800 + values.ndim, *values.shape))
        file.write(values.astype(np.uint8).tobytes())


def images_of_mnist(tf):
    """read_data_sets() reads the files, and batches are in the order of the graph's seed."""
    input_data = _module(tf, "examples.tutorials.mnist.input_data")
    random = np.random.RandomState(1)
    with tempfile.TemporaryDirectory() as folder, tf.Graph().as_default():
        for part, count in (("train", 9), ("t10k", 4)):
            _write(folder, f"{part}-images-idx3-ubyte", random.randint(256, size=(count, 3, 2)))
            _write(folder, f"{part}-labels-idx1-ubyte", random.randint(10, size=count))
        tf.set_random_seed(7)
        results = []
        for options in ({}, {"one_hot": True, "reshape": False}, {"seed": 3, "dtype": tf.uint8}):
            sets = input_data.read_data_sets(folder, validation_size=2, **options)
            results += [s.num_examples for s in sets] + [sets.test.images, sets.validation.labels]
            results += [sets.train.next_batch(4) for _ in range(3)] + [sets.train.epochs_completed]
            results.append(sets.test.next_batch(2, shuffle=False))
        made_up = input_data.read_data_sets(folder, fake_data=True).train
        results.append(np.shape(made_up.next_batch(2, fake_data=True)[0]))
        try:
            input_data.read_data_sets(folder)
        except ValueError as error:
            results.append(str(error))
        return results
