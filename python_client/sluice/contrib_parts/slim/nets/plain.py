# SPDX-License-Identifier: Apache-2.0
"""Nets that are a sequence of layers: AlexNet, OverFeat and those of the Visual Geometry Group.

Krizhevsky, "One weird trick for parallelizing convolutional neural networks", 2014.
Sermanet et al., "OverFeat", 2014.
Simonyan and Zisserman, "Very deep convolutional networks for large-scale image recognition", 2015.
"""

from ....layers.contrib.functions import conv2d, dropout, fully_connected, max_pool2d, repeat
from ....layers.contrib.regularizers import l2_regularizer
from ....layers.contrib.scopes import arg_scope
from ....layers.contrib.utils import convert_collection_to_dict
from ....ops.array import squeeze
from ....ops.nn.activations import relu
from ....ops.state.initializers import constant, zeros
from ....ops.state.variable_scope import variable_scope
from .tables import layer, net, settings, truncated

_ALEXNET = """
    conv1: 11x11/4v 64, pool1: max 3x3/2, conv2: 5x5 192, pool2: max 3x3/2, conv3: 3x3 384,
    conv4: 3x3 384, conv5: 3x3 256, pool5: max 3x3/2
"""
_OVERFEAT = """
    conv1: 11x11/4v 64, pool1: max 2x2, conv2: 5x5v 256, pool2: max 2x2, conv3: 3x3 512,
    conv4: 3x3 1024, conv5: 3x3 1024, pool5: max 2x2
"""
_DEPTHS = (64, 128, 256, 512, 512)


def _body(table):
    def body(inputs):
        for text in table.split(","):
            inputs = layer(text.strip(), inputs)
        return inputs

    return body


def _repeated(counts):
    def body(inputs):
        for i, (count, depth) in enumerate(zip(counts, _DEPTHS)):
            inputs = repeat(inputs, count, conv2d, depth, [3, 3], scope=f"conv{i + 1}")
            inputs = max_pool2d(inputs, [2, 2], scope=f"pool{i + 1}")
        return inputs

    return body


def _net(inputs, body, head, classes, training, keep, spatial_squeeze, scope, name, unique=True,
         drawn=False):  # fmt: skip
    """unique: whether each call has a collection of its own; drawn: whether the last layers have
    initializers of their own."""
    with variable_scope(scope, name, [inputs]) as opened:
        ends = (opened.original_name_scope if unique else opened.name) + "_end_points"
        with arg_scope([conv2d, fully_connected, max_pool2d], outputs_collections=ends):
            outputs = body(inputs)
            own = {}
            if drawn:
                own["weights_initializer"] = truncated(0.005)
                own["biases_initializer"] = constant(0.1)
            for i, text in enumerate(head):
                outputs = layer(text, outputs, f"fc{i + 6}", **own)
                outputs = dropout(outputs, keep, is_training=training, scope=f"dropout{i + 6}")
            if drawn:
                own["biases_initializer"] = zeros()
            outputs = conv2d(
                outputs, classes, [1, 1], activation_fn=None, normalizer_fn=None, scope="fc8", **own
            )
        found = convert_collection_to_dict(ends)
        if spatial_squeeze:
            outputs = squeeze(outputs, [1, 2], name="fc8/squeezed")
            found[f"{opened.name}/fc8"] = outputs
        return outputs, found


def _settings(weight_decay, biases):
    losses = l2_regularizer(weight_decay)
    with arg_scope(
        [conv2d, fully_connected], activation_fn=relu, weights_regularizer=losses,
        biases_initializer=biases,
    ), arg_scope([conv2d], padding="SAME") as scope:  # fmt: skip
        return scope


def _with_narrow_pools(settings):
    with arg_scope(settings), arg_scope([max_pool2d], padding="VALID") as scope:
        return scope


@settings("Returns the defaults of AlexNet's layers.")
def alexnet_v2_arg_scope(weight_decay=0.0005):
    return _with_narrow_pools(_settings(weight_decay, constant(0.1)))


@settings("Returns the defaults of OverFeat's layers.")
def overfeat_arg_scope(weight_decay=0.0005):
    return _with_narrow_pools(_settings(weight_decay, zeros()))


@settings("Returns the defaults of the layers of vgg_16() and the like.")
def vgg_arg_scope(weight_decay=0.0005):
    return _settings(weight_decay, zeros())


@net("AlexNet, of one column, as a net of convolutions only.", 224)
def alexnet_v2(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.5,
               spatial_squeeze=True, scope="alexnet_v2"):  # fmt: skip
    return _net(
        inputs, _body(_ALEXNET), ("5x5v 4096", "1x1 4096"), num_classes, is_training,
        dropout_keep_prob, spatial_squeeze, scope, "alexnet_v2", drawn=True,
    )  # fmt: skip


@net("OverFeat, as a net of convolutions only, for images of 231 x 231.")
def overfeat(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.5,
             spatial_squeeze=True, scope="overfeat"):  # fmt: skip
    return _net(
        inputs, _body(_OVERFEAT), ("6x6v 3072", "1x1 4096"), num_classes, is_training,
        dropout_keep_prob, spatial_squeeze, scope, "overfeat", unique=False, drawn=True,
    )  # fmt: skip


def _vgg(counts, unique, name, *given):
    head = ("7x7v 4096", "1x1 4096")
    inputs, classes, training, keep, spatial_squeeze, scope = given
    return _net(
        inputs, _repeated(counts), head, classes, training, keep, spatial_squeeze, scope, name,
        unique,
    )  # fmt: skip


@net("A net of 11 layers, as one of convolutions only.", 224)
def vgg_a(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.5, spatial_squeeze=True,
          scope="vgg_a"):  # fmt: skip
    return _vgg(
        (1, 1, 2, 2, 2), True, "vgg_a", inputs, num_classes, is_training, dropout_keep_prob,
        spatial_squeeze, scope,
    )  # fmt: skip


@net("A net of 16 layers, as one of convolutions only.", 224)
def vgg_16(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.5,
           spatial_squeeze=True, scope="vgg_16"):  # fmt: skip
    return _vgg(
        (2, 2, 3, 3, 3), True, "vgg_16", inputs, num_classes, is_training, dropout_keep_prob,
        spatial_squeeze, scope,
    )  # fmt: skip


@net("A net of 19 layers, as one of convolutions only.", 224)
def vgg_19(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.5,
           spatial_squeeze=True, scope="vgg_19"):  # fmt: skip
    return _vgg(
        (2, 2, 4, 4, 4), False, "vgg_19", inputs, num_classes, is_training, dropout_keep_prob,
        spatial_squeeze, scope,
    )  # fmt: skip
