# SPDX-License-Identifier: Apache-2.0
"""More modules of TensorFlow's sources that programs import: gradients, files, timelines."""

import importlib
import json
import os
import tempfile

import numpy as np

ONLY_1X = True  # later TensorFlows have another Keras


def _module(tf, path):
    """The module of a path such as "ops.array_ops"."""
    root = "tensorflow" if tf.__name__.startswith("tensorflow") else tf.__name__
    return importlib.import_module(f"{root}.python.{path}")


def registry_of_gradients(tf):
    """Programs look whether they have entered a gradient before they enter it."""
    ops, name = _module(tf, "framework.ops"), "OnlyPositive"
    found = []
    if name not in ops._gradient_registry._registry:

        @tf.RegisterGradient(name)
        def only_positive(op, grad):
            return grad * tf.cast(grad > 0, grad.dtype) * tf.cast(op.outputs[0] > 0, grad.dtype)

        found.append("entered")
    x = tf.constant([[-1.0, 2.0, 3.0]])
    with tf.get_default_graph().gradient_override_map({"Relu": name}):
        y = tf.nn.relu(x)
    found.append(name in ops._gradient_registry._registry)
    found.append(name in ops._gradient_registry.list())
    found.append(ops.get_gradient_function(y.op) is ops._gradient_registry.lookup(name))
    found.append(ops.get_gradient_function(x.op))
    try:
        ops._gradient_registry.lookup("NotEntered")
    except LookupError as error:
        found.append(str(error))
    with tf.Session() as session:
        return [found, session.run(tf.gradients(tf.reduce_sum(y * [1.0, -1.0, 1.0]), x))]


def weights_of_files(tf):
    """Mask R-CNN programs read the weights of layers that they choose."""
    import h5py

    layers = tf.keras.layers
    formats = [_module(tf, "keras.saving.hdf5_format"), _module(tf, "keras.engine.saving")]
    one, other = (
        tf.keras.Sequential(
            [layers.Dense(2, input_shape=(3,), name="first"), layers.Dense(1, name=last)]
        )
        for last in ("last", "another")
    )
    found = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "weights.h5")
        with h5py.File(path, "w") as file:
            formats[0].save_weights_to_hdf5_group(file, one.layers)
            found.append(formats[0].load_attributes_from_hdf5_group(file, "layer_names"))
        for module in formats:
            for way in ("load_weights_from_hdf5_group_by_name", "load_weights_from_hdf5_group"):
                other.set_weights([w * 0 for w in other.get_weights()])
                with h5py.File(path, "r") as file:
                    getattr(module, way)(file, other.layers)
                pairs = zip(one.get_weights(), other.get_weights())
                found.append([bool(np.allclose(a, b)) for a, b in pairs])
    return found


def timelines(tf):
    """A trace of a step for chrome://tracing."""
    timeline, metadata = _module(tf, "client.timeline"), tf.RunMetadata()
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
    x = tf.random_normal([10, 10], name="x")
    y = tf.matmul(x, x, name="y")
    with tf.Session() as session:
        session.run(y, options=options, run_metadata=metadata)
    trace = timeline.Timeline(metadata.step_stats).generate_chrome_trace_format()
    events = json.loads(trace)["traceEvents"]
    product = next(e for e in events if e["ph"] == "X" and e["args"]["name"] == "y")
    return [sorted(product), product["name"], product["args"]["op"], product["cat"]]


def gradients_of_recomputed_layers(tf):
    """bert4keras calls what the decorator custom_gradient() calls."""
    decorate = _module(tf, "ops.custom_gradient")._graph_mode_decorator

    def square(x):
        return x * x, lambda grad: grad * 5.0

    x = tf.constant([3.0])
    y = decorate(square, x)
    with tf.Session() as session:
        return session.run([y, *tf.gradients(y, x)])
