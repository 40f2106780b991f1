# SPDX-License-Identifier: Apache-2.0
"""What programs import from the sources of Keras."""

import importlib

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True  # later TensorFlows have another Keras


def _module(tf, path):
    root = "tensorflow" if tf.__name__.startswith("tensorflow") else tf.__name__
    return importlib.import_module(f"{root}.python.keras.{path}")


def arguments_of_functions(tf):
    has_arg = _module(tf, "utils.generic_utils").has_arg

    def function(a, b=1, *, c=2, **more):
        del a, b, c, more

    return [has_arg(function, name) for name in "abcd"], has_arg(function, "d", accept_all=True)


def values_in_lists_and_slices(tf):
    utils, x = _module(tf, "utils.generic_utils"), np.arange(6.0)
    return [
        utils.to_list(3), utils.to_list([3]), utils.to_list((3,)),
        [utils.to_snake_case(name) for name in ("Conv2D", "MyLSTMCell", "_Own", "A", "ABTest")],
        utils.is_all_none([None, (None,)]), utils.is_all_none([None, 0]),
        utils.make_batches(7, 3),
        utils.slice_arrays(x, 1, 3), utils.slice_arrays([x, None], 2), utils.slice_arrays(None),
        utils.slice_arrays(x, [0, 5]), utils.slice_arrays([x], np.array([4, 1])),
        outcome(utils.slice_arrays, x, [1], 2),
    ]  # fmt: skip


def structures_of_shapes(tf):
    convert = _module(tf, "utils.tf_utils").convert_shapes
    shapes = [(None, 3), tf.TensorShape([2, None]), [4, 5]]
    return [
        convert((None, 3)), convert(tf.TensorShape([1, 2])), convert(shapes),
        [shape.as_list() for shape in convert(shapes, to_tuples=False)],
        convert({"a": [1, 2], "b": ((3, 4), tf.TensorShape([5]))}),
    ]  # fmt: skip


def shapes_that_methods_get(tf):
    seen, converted = [], _module(tf, "utils.tf_utils").shape_type_conversion

    class Own(tf.keras.layers.Layer):
        @converted
        def build(self, input_shape):
            seen.append([type(input_shape).__name__, input_shape])
            self.built = True

        def call(self, inputs):
            return inputs

        @converted
        def compute_output_shape(self, input_shape):
            return [input_shape, input_shape[:1] + (7,)]

    layer = Own()
    layer(tf.keras.Input((3,)))
    shapes = layer.compute_output_shape(tf.TensorShape([2, 3]))
    return seen, [[type(shape).__name__, shape.as_list()] for shape in shapes]


def kinds_of_tensors(tf):
    utils, backend = _module(tf, "utils.tf_utils"), _module(tf, "backend")
    sparse = tf.sparse_placeholder(tf.float32)
    given = [tf.zeros([2]), tf.Variable(1.0), tf.placeholder(tf.float32), sparse]
    found = [[utils.is_symbolic_tensor(t), backend.is_placeholder(t)] for t in given]
    tests = (utils.is_tensor_or_variable, utils.is_tensor_or_tensor_list)
    others = [np.zeros(2), 3, [tf.zeros([2]), 1], [1, tf.zeros([2])]]
    return found, [[bool(test(value)) for test in tests] for value in [*given, *others]]


def losses_and_metrics_of_functions(tf):
    def distance(y_true, y_pred, power=1):
        return tf.reduce_mean(tf.abs(y_true - y_pred) ** power, -1)

    loss = _module(tf, "losses").LossFunctionWrapper(distance, name="distance", power=2)
    metric = _module(tf, "metrics").MeanMetricWrapper(distance, name="far", power=3)
    net = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
    net.compile("sgd", loss, metrics=[metric])
    history = net.fit(np.ones((4, 2)), np.zeros((4, 1)), verbose=0).history
    huber = _module(tf, "losses").huber_loss(tf.constant([0.0, 0.0]), tf.constant([0.5, 3.0]))
    return history, metric.get_config(), tf.keras.backend.get_value(huber)


def other_names(tf):
    kernel = np.arange(24.0).reshape(2, 3, 2, 2)
    utils, base = _module(tf, "utils.conv_utils"), _module(tf, "engine.base_layer")
    x = tf.keras.Input((2,))
    names = ("maxnorm", "nonneg", "unitnorm")
    made = [getattr(_module(tf, "constraints"), name)() for name in names]
    check = _module(tf, "engine.input_spec").assert_input_compatibility
    spec = tf.keras.layers.InputSpec(ndim=3)
    return [
        utils.convert_kernel(kernel), outcome(utils.convert_kernel, np.ones(2)),
        isinstance(x._keras_history, base.KerasHistory), [type(c).__name__ for c in made],
        outcome(check, spec, x, "dense"), outcome(check, spec, tf.ones((1, 2, 3)), "dense"),
        type(_module(tf, "layers.convolutional").Deconv2D(1, 2)).__name__,
    ]  # fmt: skip
