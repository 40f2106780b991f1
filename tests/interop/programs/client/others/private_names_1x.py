# SPDX-License-Identifier: Apache-2.0
"""Programs that import modules of TensorFlow's sources, at the same paths below our package."""

import importlib
import os
import tempfile

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True  # later TensorFlows have another Keras


def _module(tf, path):
    """The module of a path such as "ops.array_ops"."""
    root = "tensorflow" if tf.__name__.startswith("tensorflow") else tf.__name__
    return importlib.import_module(f"{root}.python.{path}")


def modules_of_operations(tf):
    """Modules find what TensorFlow's have, also where a function has the module's name."""
    ops, scopes = _module(tf, "framework.ops"), _module(tf, "ops.variable_scope")
    arrays, math = _module(tf, "ops.array_ops"), _module(tf, "ops.math_ops")
    control, util = _module(tf, "ops.control_flow_ops"), _module(tf, "framework.tensor_util")
    cells, nest = _module(tf, "ops.rnn_cell_impl"), _module(tf, "util.nest")
    from_package = importlib.import_module(arrays.__name__.rpartition(".")[0])
    with ops.name_scope("here"), scopes.variable_scope("scope", use_resource=True):
        v = scopes.get_variable("v", initializer=[1.0, 2.0])
        x = control.with_dependencies([v.assign_add([1.0, 1.0])], arrays.stack([v, v], 1))
        y = math.reduce_sum(x * ops.convert_to_tensor(2.0))
        sizes = cells._concat(arrays.shape(x)[:1], 5)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        found = session.run([sizes, arrays.stack(arrays.shape(x))])
    return {
        "names": [v.name, y.op.type], "sizes": found, "flat": nest.flatten([1, (2, 3)]),
        "known": util.constant_value(tf.constant([1, 2])), "same": from_package.array_ops is arrays,
        "eager": _module(tf, "eager.context").executing_eagerly(),
        "errors": _module(tf, "framework.errors_impl").NotFoundError is tf.errors.NotFoundError,
        "static": cells._concat(tf.TensorShape([2, None]), 3, static=True),
    }  # fmt: skip


def queues_and_staging_areas(tf):
    """data_flow_ops has what programs for clusters use of it."""
    flow = _module(tf, "ops.data_flow_ops")
    area = flow.StagingArea([tf.float32], shapes=[[2]])
    queue = flow.FIFOQueue(2, [tf.int32], [[]])
    put, got = area.put([tf.constant([1.0, 2.0])]), area.get()
    with tf.Session() as session:
        session.run([put, queue.enqueue(3)])
        return session.run([got[0] if isinstance(got, (list, tuple)) else got, queue.dequeue()])


def sizes_of_convolutions(tf):
    """Functions that layers of programs call."""
    utils = _module(tf, "keras.utils.conv_utils")
    found = [
        utils.conv_output_length(length, window, padding, stride, dilation)
        for length in (None, 9) for window, stride, dilation in ((3, 2, 1), (2, 1, 3))
        for padding in ("same", "valid", "full", "causal")
    ]  # fmt: skip
    for padding in ("same", "valid", "full"):
        found.append(utils.conv_input_length(7, 3, padding, 2))
        found += [
            utils.deconv_output_length(7, 3, padding, more, 2, dilation)
            for more in (None, 1) for dilation in (1, 2)
        ]  # fmt: skip
    found += [utils.normalize_tuple(2, 3, "size"), utils.normalize_tuple([1, 2], 2, "size")]
    found += [utils.convert_data_format("channels_first", 4), utils.normalize_padding("SAME")]
    return found


def an_optimizer_of_the_older_class(tf):
    """Packages write optimizers without a name, which return their updates."""
    backend = tf.keras.backend

    class Falling(_module(tf, "keras.optimizers").Optimizer):
        def __init__(self, lr, **kwargs):
            super().__init__(**kwargs)
            self.iterations, self.lr = backend.variable(0, "int64"), backend.variable(lr)

        def get_updates(self, loss, params):
            self.updates = [tf.assign_add(self.iterations, 1)]
            sums = [backend.zeros(backend.int_shape(p)) for p in params]
            self.weights = [self.iterations, *sums]
            for p, total, g in zip(params, sums, self.get_gradients(loss, params)):
                new = total * 0.5 + g
                self.updates += [backend.update(total, new), backend.update(p, p - self.lr * new)]
            return self.updates

        def get_config(self):
            return {"lr": float(backend.get_value(self.lr)), **super().get_config()}

    x = np.arange(12, dtype=np.float32).reshape(6, 2) / 12
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, "tanh", input_shape=(2,),
                                                       kernel_initializer="ones")])  # fmt: skip
    optimizer = Falling(0.5, clipnorm=0.4)
    model.compile(optimizer, "mse")
    losses = model.fit(x, x[:, :1], 3, epochs=2, shuffle=False, verbose=0).history["loss"]
    kept = optimizer.get_weights()
    optimizer.set_weights([k + 1 for k in kept])
    return [losses, model.get_weights(), kept, optimizer.get_weights(), optimizer.get_config()]


def a_lambda_of_a_file(tf):
    """A lambda that was made of its configuration finds the names of its module."""
    layer = tf.keras.layers.Lambda(lambda x: np.float32(2) * x)
    again = tf.keras.layers.Lambda.from_config(layer.get_config())
    with tf.Session() as session:
        return session.run(again(tf.constant([1.0, 2.0])))


def files_decorators_and_evaluations(tf):
    files, decorators = _module(tf, "lib.io.file_io"), _module(tf, "util.tf_decorator")
    evaluation, contexts = _module(tf, "training.evaluation"), _module(tf, "util.tf_contextlib")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.txt")
        files.write_string_to_file(path, "some text")
        found = [files.file_exists(path), files.read_file_to_string(path)]
        found.append(files.list_directory(folder))
        files.delete_file(path)
        found.append(files.file_exists(path))

    def target():
        return 1

    found.append(decorators.make_decorator(target, lambda: target() + 1)())

    @contexts.contextmanager
    def opened():
        yield 5

    with opened() as value:
        found.append(value)
    total = tf.get_variable("total", initializer=0.0, collections=["local_variables"])
    tf.train.get_or_create_global_step()
    hooks = [evaluation._StopAfterNEvalsHook(3)]
    values = evaluation._evaluate_once(
        None, "", eval_ops=tf.assign_add(total, 2.0), final_ops={"total": total}, hooks=hooks
    )
    return [*found, values, _module(tf, "tf2").enabled()]


def older_names_of_layers(tf):
    convolutional, pooling = _module(tf, "layers.convolutional"), _module(tf, "layers.pooling")
    layer = convolutional.Convolution2D(2, 1, kernel_initializer=tf.ones_initializer(), _reuse=None)
    y = pooling.MaxPool2D(2, 2)(layer(tf.ones([1, 4, 4, 3])))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return [layer.name, session.run(y)]


def collections_with_messages_of_their_own(tf):
    ops, name = _module(tf, "framework.ops"), "items_with_messages"

    class Item:
        def __init__(self, text):
            self.text = text

    ops.register_proto_function(
        name, tf.train.BytesList,
        lambda item, export_scope=None: tf.train.BytesList(value=[item.text.encode()]),
        lambda message, import_scope=None: Item(message.value[0].decode() + "!"),
    )  # fmt: skip
    for text in ("a", "b"):
        tf.add_to_collection(name, Item(text))
    definition = tf.train.export_meta_graph()
    written = [bytes(v) for v in definition.collection_def[name].bytes_list.value]
    with tf.Graph().as_default():
        tf.train.import_meta_graph(definition)
        return [written, [item.text for item in tf.get_collection(name)]]


def functions_with_gradients_of_their_own(tf):
    defun = _module(tf, "framework.function").Defun
    x, w = tf.ones([2, 3]), tf.constant(2.0)

    @defun(
        python_grad_func=lambda op, grad: 3.0 * grad,
        shape_func=lambda op: [op.inputs[0].get_shape()],
    )
    def same(x):
        return x

    @defun(tf.float32, tf.float32)
    def slope(x, grad):
        return grad * 5.0

    @defun(tf.float32, grad_func=slope)
    def square(x):
        return x * x

    @defun(func_name="two", out_names=["a", "b"], noinline=True)
    def sum_and_product(p, q):
        return p + q, p * q

    @defun(tf.float32)
    def scaled(x):
        return x * w

    made = [same(x), square(x), *sum_and_product(x, 2.0 * x), scaled(x)]
    made += tf.gradients(made[0], x) + tf.gradients(made[1], x) + tf.gradients(made[-1], [x, w])
    with tf.Session() as session:
        return [made[0].shape.as_list(), session.run(made)]


def operations_by_names_in_lower_case(tf):
    """The modules gen_*_ops have a function of each op, which takes its arguments by position."""
    arrays, nn = _module(tf, "ops.gen_array_ops"), _module(tf, "ops.gen_nn_ops")
    math, x = _module(tf, "ops.gen_math_ops"), tf.constant([[1.0, -2.0], [3.0, 4.0]])
    made = [
        math.mat_mul(x, x, True), math.batch_mat_mul_v2(x, x, adj_y=True), math.cast(x, tf.int32),
        nn.relu_grad(tf.abs(x), x), nn.l2_loss(x), nn.top_kv2(x, 1)[0], nn.log_softmax(x),
        nn.conv2d_backprop_input(
            [1, 2, 2, 1], tf.ones([1, 1, 1, 1]), tf.ones([1, 2, 2, 1]), [1, 1, 1, 1], "SAME"
        ),
        arrays.split(1, x, 2)[0], arrays.pack([x, x], axis=1), arrays.expand_dims(x, 0, name="e"),
    ]  # fmt: skip
    refused = []
    for wrong in (lambda: math.mat_mul(x), lambda: math.mat_mul(x, x, a=x)):
        try:
            wrong()
        except TypeError as e:
            refused.append(type(e).__name__)
    with tf.Session() as session:
        return session.run(made), [t.op.name for t in made], refused


def raw_operations_by_place(tf):
    """Functions of generated modules, which optimizers of programs call."""
    training = _module(tf, "training.training_ops")
    resources = _module(tf, "ops.resource_variable_ops")
    math, arrays = _module(tf, "ops.gen_math_ops"), _module(tf, "ops.gen_array_ops")
    v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=True)
    m = tf.get_variable("m", initializer=[0.0, 0.0], use_resource=True)
    w = tf.get_variable("w", initializer=[0.0, 0.0], use_resource=True)
    reference = tf.get_variable("reference", initializer=[1.0])
    made = resources.ResourceVariable([3.0], name="made")
    adam = training.resource_apply_adam(
        v.handle, m.handle, w.handle, 0.9, 0.99, 0.1, 0.9, 0.99, 1e-7, tf.constant([1.0, -1.0]),
        use_locking=True,
    )  # fmt: skip
    with tf.control_dependencies([adam]):
        added = resources.resource_scatter_add(v.handle, [0], [10.0])
    total = math.add(1, 2, "total")
    products = [math.mat_mul([[1.0, 2.0]], [[3.0], [4.0]], False, False), total]
    products.append(arrays.gather_v2([1, 2, 3], [2], 0))
    kinds = [resources.is_resource_variable(x) for x in (v, reference, made, 3)]
    kinds += [isinstance(x, resources.ResourceVariable) for x in (v, reference)]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(added)
        return [session.run([v, m, made, *products]), kinds, total.name, adam.type]


def lists_of_callbacks(tf):
    """What a loop of a program calls."""
    seen = []

    class Recording(tf.keras.callbacks.Callback):
        def on_batch_begin(self, batch, logs=None):
            seen.append(["batch begin", batch, logs])

        def on_train_batch_end(self, batch, logs=None):
            seen.append(["train batch end", batch, logs])

        def on_epoch_end(self, epoch, logs=None):
            seen.append(["epoch end", epoch, logs, self.params, self.model])

        def on_train_begin(self, logs=None):
            seen.append(["train begin", logs])

    calls = _module(tf, "keras.callbacks").CallbackList([Recording()])
    calls.append(Recording())
    calls.set_params({"steps": 3})
    calls.set_model("model")
    calls.on_train_begin()
    calls.on_epoch_begin(0)
    calls.on_batch_begin(1)
    calls.on_batch_end(1, {"loss": 2.0})
    calls.on_train_batch_begin(2)
    calls.on_epoch_end(3)
    calls.on_train_end()
    return [seen, calls.model, calls.params, len(list(calls))]


def names_that_modules_import_themselves(tf):
    """Programs take modules from others, which import them; and look up signatures of ops."""
    rnn, registry = _module(tf, "ops.rnn"), _module(tf, "framework.op_def_registry")
    known = registry.get_registered_ops()
    arguments = [[a.name for a in known[op].input_arg] for op in ("MatMul", "Conv2D", "Where")]
    cell = rnn.rnn_cell_impl.BasicLSTMCell(3)
    return [cell.output_size, rnn.array_ops.ones([2]).op.type, arguments, "No such op" in known]


def _contrib_utils(tf):
    root = "tensorflow" if tf.__name__.startswith("tensorflow") else tf.__name__
    return importlib.import_module(f"{root}.contrib.layers.python.layers.utils")


def conditions_that_may_be_known(tf):
    """The functions of layers for conditions, by their arguments' names."""
    layers, contrib = _module(tf, "layers.utils"), _contrib_utils(tf)
    framework = _module(tf, "framework.smart_cond")
    values = [True, 0, 2, "a", None, tf.constant(False), tf.placeholder(tf.bool, [])]
    found = []
    for value in values:
        for call in (
            lambda x: layers.smart_cond(pred=x, true_fn=lambda: 1.0, false_fn=lambda: 2.0),
            lambda x: contrib.smart_cond(pred=x, fn1=lambda: 1.0, fn2=lambda: 2.0),
            lambda x: framework.smart_case([(x, lambda: 1.0)], default=lambda: 2.0),
            layers.constant_value, contrib.constant_value, framework.smart_constant_value,
        ):  # fmt: skip
            try:
                made = call(value)
                found.append("tensor" if hasattr(made, "op") else made)
            except (TypeError, ValueError):
                found.append("refused")
    with tf.name_scope("outer"):
        found.append(_module(tf, "framework.ops").get_name_scope())
    return [outcome(layers.smart_cond, True, 1.0, lambda: 2.0), *map(str, found)]
