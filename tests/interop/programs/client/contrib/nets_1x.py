# SPDX-License-Identifier: Apache-2.0
"""The nets of slim: variables, layers, losses and numbers."""

import importlib

import numpy as np

from interop.programs.client._contrib import contrib_of
from interop.programs.client._outcomes import outcome

ONLY_1X = True  # later TensorFlows do not have slim


def _nets(tf):
    root = "tensorflow" if tf.__name__.startswith("tensorflow") else tf.__name__
    return importlib.import_module(f"{root}.contrib.slim.nets")


def _images(tf, size=224, batch=2):
    return tf.placeholder(tf.float32, [batch, size, size, 3], name="images")


def _structure(tf, made):
    logits, ends = made
    keys = tf.GraphKeys
    found = {
        key: [item.name for item in tf.get_collection(key)]
        for key in (
            keys.REGULARIZATION_LOSSES,
            keys.UPDATE_OPS,
            keys.MODEL_VARIABLES,
            "moving_vars",
        )
    }
    found["logits"] = [logits.op.name, logits.shape.as_list()]
    found["ends"] = [[key, ends[key].op.name, ends[key].shape.as_list()] for key in ends]
    found["variables"] = [[v.name, v.shape.as_list(), v.trainable] for v in tf.global_variables()]
    initial = {}
    for op in tf.get_default_graph().get_operations():
        if op.name.endswith("truncated_normal/stddev"):
            value = contrib_of(tf).util.constant_value(op.outputs[0])
            initial[op.name] = round(float(value), 6)
    return [found, initial]


def _graphs(tf, *makers):
    found = []
    for make in makers:
        with tf.Graph().as_default():
            found.append(_structure(tf, make()))
    return found


def _given_values(tf, sess, wanted=lambda name: True):
    """Sets the variables to random numbers of a size that keeps the outputs near 1."""
    random, feeds, chosen = np.random.RandomState(1), {}, []
    for v in sorted(tf.global_variables(), key=lambda v: v.name):
        if wanted(v.name):
            shape = v.shape.as_list()
            value = random.uniform(-1, 1, shape).astype(np.float32)
            if len(shape) > 1:
                value *= np.float32(np.sqrt(6.0 / np.prod(shape[:-1])))
            elif v.name.endswith(("gamma:0", "variance:0")):
                value = 1 + value / 2
            chosen.append(v.initializer)
            feeds[v.initializer.inputs[1]] = value
    sess.run(chosen, feeds)


def _photos(size, batch=1):
    return np.random.RandomState(2).uniform(-1, 1, [batch, size, size, 3]).astype(np.float32)


def _values(tf, fetches, feeds, wanted=lambda name: True):
    with tf.Session() as sess:
        _given_values(tf, sess, wanted)
        return sess.run(fetches, feeds)


def plain_nets(tf):
    slim, nets = contrib_of(tf).slim, _nets(tf)
    alexnet, overfeat, vgg = nets.alexnet, nets.overfeat, nets.vgg

    def scoped(net, defaults, size=224, **more):
        with slim.arg_scope(defaults):
            return net(_images(tf, size), 10, **more)

    return _graphs(
        tf,
        lambda: scoped(alexnet.alexnet_v2, alexnet.alexnet_v2_arg_scope(0.01)),
        lambda: alexnet.alexnet_v2(_images(tf), 5, is_training=False, spatial_squeeze=False),
        lambda: scoped(overfeat.overfeat, overfeat.overfeat_arg_scope(), 231),
        lambda: overfeat.overfeat(_images(tf, 281), 5, spatial_squeeze=False),
        lambda: scoped(vgg.vgg_a, vgg.vgg_arg_scope(), dropout_keep_prob=0.1),
        lambda: scoped(vgg.vgg_16, vgg.vgg_arg_scope(0.1), is_training=False, scope="mine"),
        lambda: scoped(vgg.vgg_19, vgg.vgg_arg_scope(), 256, spatial_squeeze=False),
    )


def plain_nets_in_scopes(tf):
    """Each of two calls in the same variables has its own layers."""
    found, modules = [], _nets(tf)
    nets = (modules.alexnet.alexnet_v2, modules.vgg.vgg_a, modules.vgg.vgg_e)
    for reuse in (False, True):
        with tf.variable_scope("tower", reuse=reuse):
            for net in nets:
                logits, ends = net(_images(tf), 3)
                found.append([logits.name, [[key, ends[key].name] for key in ends]])
    return [
        found,
        [v.name for v in tf.global_variables()],
        [net.default_image_size for net in nets],
    ]


def numbers_of_plain_nets(tf):
    nets, found = _nets(tf), []
    for net, size in (
        (nets.alexnet.alexnet_v2, 100),
        (nets.overfeat.overfeat, 100),
        (nets.vgg.vgg_16, 40),
        (nets.vgg.vgg_19, 40),
    ):
        with tf.Graph().as_default():
            images = tf.placeholder(tf.float32, [None, None, None, 3])
            _, ends = net(images, 3, is_training=False, spatial_squeeze=False)
            output = ends[f"{net.__name__}/pool5"]
            found.append(
                _values(tf, output, {images: _photos(size)}, lambda name: "/fc" not in name)
            )
    return found


def numbers_of_alexnet(tf):
    alexnet = _nets(tf).alexnet
    images = _images(tf, 224, 1)
    with contrib_of(tf).slim.arg_scope(alexnet.alexnet_v2_arg_scope()):
        logits, _ = alexnet.alexnet_v2(images, 4, is_training=False)
    losses = tf.losses.get_regularization_losses()
    return _values(tf, [logits, losses], {images: _photos(224)})


def _inception(tf, version, size, defaults=None, **more):
    inception, slim = _nets(tf).inception, contrib_of(tf).slim
    name = f"inception_v{version}"
    with slim.arg_scope(getattr(inception, f"{name}_arg_scope")(**(defaults or {}))):
        return getattr(inception, name)(_images(tf, size), 10, **more)


def inceptions(tf):
    return _graphs(
        tf,
        lambda: _inception(tf, 1, 224),
        lambda: _inception(tf, 2, 224),
        lambda: _inception(tf, 3, 299),
    )


def inceptions_with_options(tf):
    return _graphs(
        tf,
        lambda: _inception(tf, 1, 224, is_training=False, spatial_squeeze=False, scope="mine"),
        lambda: _inception(
            tf, 1, 224, {"use_batch_norm": False},
            prediction_fn=lambda logits, scope: tf.sigmoid(logits, name=scope),
        ),
        lambda: _inception(tf, 2, 80, is_training=False, depth_multiplier=0.3, min_depth=4),
        lambda: _inception(
            tf, 3, 150,
            {"batch_norm_decay": 0.5, "batch_norm_epsilon": 0.1, "use_fused_batchnorm": False,
             "batch_norm_var_collection": "averages"},
            is_training=False, depth_multiplier=0.3, min_depth=8, spatial_squeeze=False,
        ),
    )  # fmt: skip


def _bases(tf, images):
    inception = _nets(tf).inception
    yield inception.inception_v1_base(images, "Mixed_3c")
    yield inception.inception_v2_base(images, "Mixed_4a", depth_multiplier=0.5)
    yield inception.inception_v3_base(images, "MaxPool_3a_3x3", scope="third")


def bases_of_inceptions(tf):
    found = []
    for reuse in (False, True):
        with tf.variable_scope("tower", reuse=reuse):
            for output, ends in _bases(tf, _images(tf, 80)):
                found.append([output.op.name, [[key, ends[key].op.name] for key in ends]])
    return [found, [v.name for v in tf.global_variables()]]


def numbers_of_inceptions(tf):
    found = []
    for version, size, more in (
        (1, 224, {}),
        (2, 64, {"depth_multiplier": 0.25, "spatial_squeeze": False}),
        (3, 107, {"depth_multiplier": 0.2}),
    ):
        with tf.Graph().as_default():
            logits, ends = _inception(tf, version, size, is_training=False, **more)
            fetches = [logits, ends["Predictions"], tf.losses.get_regularization_losses()]
            if version == 3:
                fetches.append(ends["AuxLogits"])
            found.append(_values(tf, fetches, {"images:0": _photos(size, 2)}))
    return found


def a_reused_inception(tf):
    found = []
    for reuse in (None, True):
        logits, _ = _inception(tf, 2, 64, reuse=reuse)
        averages = tf.get_collection("moving_vars")
        found.append([logits.op.name, len(tf.global_variables()), len(averages)])
    return found


def _resnet(tf, version, size=33, net=None, defaults=None, **more):
    slim = contrib_of(tf).slim
    module = getattr(_nets(tf), f"resnet_v{version}")
    with slim.arg_scope(module.resnet_arg_scope(**(defaults or {}))):
        if net:
            return getattr(module, f"resnet_v{version}_{net}")(_images(tf, size), **more)
        block = getattr(module, f"resnet_v{version}_block")
        blocks = [
            block("block1", base_depth=1, num_units=2, stride=2),
            block("block2", base_depth=2, num_units=3, stride=2),
            block("block3", base_depth=4, num_units=2, stride=1),
        ]
        return getattr(module, f"resnet_v{version}")(_images(tf, size), blocks, **more)


def residual_nets(tf):
    """Those of 101, 152 and 200 layers differ in the number of units only."""
    found = _graphs(
        tf,
        lambda: _resnet(tf, 1, 224, 50, num_classes=10),
        lambda: _resnet(tf, 2, 97, 50, is_training=False, output_stride=8, global_pool=False),
    )
    for version, net in ((1, 101), (2, 152), (1, 200)):
        with tf.Graph().as_default():
            logits, ends = _resnet(tf, version, 64, net, is_training=False)
            shapes = [
                [key, ends[key].shape.as_list()] for key in ends if key.endswith(f"_v{version}")
            ]
            found.append([logits.op.name, shapes, len(tf.global_variables())])
    return found


def residual_nets_with_options(tf):
    made = []
    for version in (1, 2):
        for more in (
            {"num_classes": 10},
            {"num_classes": 10, "output_stride": 8, "scope": "mine"},
            {"output_stride": 4, "global_pool": False, "is_training": False},
            {"include_root_block": False, "output_stride": 2},
            {"num_classes": 3, "defaults": {"weight_decay": 0.1, "batch_norm_scale": False,
                                            "batch_norm_decay": 0.5, "batch_norm_epsilon": 0.1}},
        ):  # fmt: skip
            made.append(lambda version=version, more=more: _resnet(tf, version, **more))
    return _graphs(tf, *made)


def numbers_of_residual_nets(tf):
    found = []
    for version in (1, 2):
        for more in ({}, {"output_stride": 8}, {"output_stride": 4}):
            with tf.Graph().as_default():
                logits, ends = _resnet(tf, version, 49, num_classes=5, is_training=False, **more)
                name = f"resnet_v{version}/block3/unit_1/bottleneck_v{version}"
                fetches = [logits, ends["predictions"], ends[name], ends[f"{name}/conv2"]]
                found.append(_values(tf, fetches, {"images:0": _photos(49, 2)}))
    return found


def numbers_of_a_net_of_50_layers(tf):
    logits, _ = _resnet(tf, 1, 40, 50, num_classes=5, is_training=False)
    return _values(tf, logits, {"images:0": _photos(40, 2)})


def a_trained_residual_net(tf):
    logits, _ = _resnet(tf, 2, 49, num_classes=5)
    loss = tf.losses.softmax_cross_entropy([[0.0, 1, 0, 0, 0], [1.0, 0, 0, 0, 0]], logits[:, 0, 0])
    train = contrib_of(tf).slim.learning.create_train_op(
        tf.losses.get_total_loss(), tf.train.GradientDescentOptimizer(0.01)
    )
    with tf.Session() as sess:
        _given_values(tf, sess, lambda name: "global_step" not in name)
        sess.run(tf.train.get_global_step().initializer)
        found = []
        for _ in range(2):
            found.append(sess.run([loss, train], {"images:0": _photos(49, 2)}))
        return [found, sess.run(tf.global_variables())]


def a_reused_residual_net(tf):
    found = []
    for reuse in (None, True):
        logits, ends = _resnet(tf, 1, num_classes=3, reuse=reuse, scope="mine")
        found.append([logits.op.name, [[key, ends[key].op.name] for key in ends]])
    return [found, len(tf.global_variables())]


def parts_of_residual_nets(tf):
    utils, found = _nets(tf).resnet_utils, []
    values = np.arange(2 * 7 * 6 * 2).reshape(2, 7, 6, 2).astype(np.float32)
    images = tf.constant(values)
    found.append(utils.subsample(images, 1) is images)
    outputs = [utils.subsample(images, 2), utils.subsample(images, 3, scope="thirds")]
    for i, (size, stride, rate) in enumerate(
        [(3, 1, 1), (3, 2, 1), (2, 2, 1), (3, 1, 2), (4, 3, 1)]
    ):
        outputs.append(utils.conv2d_same(images, 3, size, stride, rate, scope=f"conv{i}"))
    found.append([output.op.name for output in outputs])
    found.append(_values(tf, outputs, {}))
    block = _nets(tf).resnet_v1.resnet_v1_block("b", 2, 3, 2)
    return [found, block.scope, block.args, block._fields, utils.Block("a", None, []).args]


def settings(tf):
    """The defaults, without those that are functions."""
    nets, found = _nets(tf), []

    def plain(value):
        if isinstance(value, dict):
            return {key: plain(one) for key, one in value.items()}
        return "a function" if callable(value) else value

    for module in (nets.alexnet, nets.overfeat, nets.vgg, nets.inception, nets.resnet_utils):
        for name in sorted(name for name in dir(module) if name.endswith("_arg_scope")):
            if name != "add_arg_scope":
                scope = getattr(module, name)()
                found.append([name, sorted((plain(one) for one in scope.values()), key=repr)])
    return found


def wrong_nets(tf):
    nets = _nets(tf)
    images = _images(tf)
    return [
        outcome(call)
        for call in (
            lambda: nets.vgg.vgg_16(images, None),
            lambda: nets.inception.inception_v1_base(images, "nowhere"),
            lambda: nets.inception.inception_v2(images, depth_multiplier=0),
            lambda: nets.inception.inception_v3_base(images, depth_multiplier=-1.0),
            lambda: _resnet(tf, 1, output_stride=6, scope="a"),
            lambda: _resnet(tf, 2, output_stride=64, scope="b"),
            lambda: nets.vgg.vgg_16(_images(tf, 100), 3, scope="c"),
        )
    ]
