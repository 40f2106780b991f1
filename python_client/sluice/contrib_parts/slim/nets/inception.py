# SPDX-License-Identifier: Apache-2.0
"""The Inception nets.

Szegedy et al., "Going deeper with convolutions", 2015: version 1.
Ioffe and Szegedy, "Batch normalization", 2015: version 2.
Szegedy et al., "Rethinking the Inception architecture for computer vision", 2016: version 3.
"""

from ....graph.keys import GraphKeys
from ....layers.contrib.functions import (
    avg_pool2d,
    conv2d,
    dropout,
    fully_connected,
    max_pool2d,
    separable_conv2d,
    softmax,
)
from ....layers.contrib.initializers import variance_scaling_initializer
from ....layers.contrib.normalization import batch_norm
from ....layers.contrib.regularizers import l2_regularizer
from ....layers.contrib.scopes import arg_scope
from ....ops.array import concat, squeeze
from ....ops.nn.activations import relu
from ....ops.state.variable_scope import variable_scope
from . import inception_tables as tables
from .tables import kernel_of, layer, net, settings, truncated

_UNSCALED = {"activation_fn": None, "normalizer_fn": None}


def _name(text, position):
    """The default name of a layer of a branch, a str."""
    kind = {"max": "MaxPool", "avg": "AvgPool"}.get(text[:3], "Conv2d")
    place = "1a" if "/2" in text else "0" + "abcdef"[position]
    return f"{kind}_{place}_{kernel_of(text)}"


def _branch(text, inputs, depth):
    position = 0
    for item in text.split(", "):
        texts = item.split(" & ")
        parts = []
        for one in texts:
            parts.append(layer(one, inputs, _name(one, position), depth))
            position += 1
        inputs = parts[0] if len(parts) == 1 else concat(parts, 3)
    return inputs


def _layers(outputs, table, final_endpoint, depth, ends):
    """Applies the layers of a table up to the one with the name final_endpoint."""
    for line in table.strip().split("\n"):
        if final_endpoint in ends:
            break
        name, *branches = (part.strip() for part in line.split("|"))
        if len(branches) == 1:
            outputs = layer(branches[0], outputs, name, depth)
        else:
            parts = []
            with variable_scope(name):
                for i, text in enumerate(branches):
                    with variable_scope(f"Branch_{i}"):
                        parts.append(_branch(text, outputs, depth))
                outputs = concat(parts, 3)
        ends[name] = outputs
    if final_endpoint not in ends:
        raise ValueError(f"unknown layer {final_endpoint!r}")
    return outputs, ends


def _depths(multiplier, least):
    if multiplier <= 0:
        raise ValueError(f"depth_multiplier must be above 0: it is {multiplier}")
    return lambda channels: max(int(channels * multiplier), least)


def _fitting(outputs, size):
    """The size of a window that is not larger than the images, two ints."""
    return [size if known is None else min(size, known) for known in outputs.shape.as_list()[1:3]]


def _classes(outputs, num_classes, spatial_squeeze, scope, **more):
    logits = conv2d(outputs, num_classes, [1, 1], scope=scope, **_UNSCALED, **more)
    return squeeze(logits, [1, 2], name="SpatialSqueeze") if spatial_squeeze else logits


@net("The layers of inception_v1() before the logits.")
def inception_v1_base(inputs, final_endpoint="Mixed_5c", scope="InceptionV1"):
    with variable_scope(scope, "InceptionV1", [inputs]), arg_scope(
        [conv2d, fully_connected], weights_initializer=truncated(0.01)
    ), arg_scope([conv2d, max_pool2d], stride=1, padding="SAME"):
        return _layers(inputs, tables.V1, final_endpoint, int, {})


@net("The net GoogLeNet, with batch normalisation.", 224)
def inception_v1(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.8,
                 prediction_fn=softmax, spatial_squeeze=True, reuse=None,
                 scope="InceptionV1"):  # fmt: skip
    with variable_scope(scope, "InceptionV1", [inputs, num_classes], reuse=reuse) as opened:
        with arg_scope([batch_norm, dropout], is_training=is_training):
            outputs, ends = inception_v1_base(inputs, scope=opened)
            with variable_scope("Logits"):
                outputs = avg_pool2d(outputs, [7, 7], stride=1, scope="MaxPool_0a_7x7")
                outputs = dropout(outputs, dropout_keep_prob, scope="Dropout_0b")
                logits = _classes(outputs, num_classes, spatial_squeeze, "Conv2d_0c_1x1")
                ends["Logits"] = logits
                ends["Predictions"] = prediction_fn(logits, scope="Predictions")
            return logits, ends


@net("The layers of inception_v2() before the logits.")
def inception_v2_base(inputs, final_endpoint="Mixed_5c", min_depth=16, depth_multiplier=1.0,
                      scope=None):  # fmt: skip
    depth, name = _depths(depth_multiplier, min_depth), "Conv2d_1a_7x7"
    with variable_scope(scope, "InceptionV2", [inputs]), arg_scope(
        [conv2d, max_pool2d, avg_pool2d, separable_conv2d], stride=1, padding="SAME"
    ):
        channels = depth(64)
        outputs = separable_conv2d(
            inputs, channels, [7, 7], depth_multiplier=min(channels // 3, 8), stride=2,
            weights_initializer=truncated(1.0), scope=name,
        )  # fmt: skip
        return _layers(outputs, tables.V2, final_endpoint, depth, {name: outputs})


def _predicted(outputs, ends, size, num_classes, keep, spatial_squeeze, prediction_fn, before=None):
    with variable_scope("Logits"):
        kernel = _fitting(outputs, size)
        outputs = avg_pool2d(
            outputs, kernel, padding="VALID", scope="AvgPool_1a_{}x{}".format(*kernel)
        )
        outputs = dropout(outputs, keep, scope="Dropout_1b")
        if before:
            ends[before] = outputs
        logits = _classes(outputs, num_classes, spatial_squeeze, "Conv2d_1c_1x1")
    ends["Logits"] = logits
    ends["Predictions"] = prediction_fn(logits, scope="Predictions")
    return logits, ends


@net("The second Inception net: its first layer is a separable convolution.", 224)
def inception_v2(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.8, min_depth=16,
                 depth_multiplier=1.0, prediction_fn=softmax, spatial_squeeze=True, reuse=None,
                 scope="InceptionV2"):  # fmt: skip
    _depths(depth_multiplier, min_depth)
    with variable_scope(scope, "InceptionV2", [inputs, num_classes], reuse=reuse) as opened:
        with arg_scope([batch_norm, dropout], is_training=is_training):
            outputs, ends = inception_v2_base(
                inputs, min_depth=min_depth, depth_multiplier=depth_multiplier, scope=opened
            )
            return _predicted(
                outputs, ends, 7, num_classes, dropout_keep_prob, spatial_squeeze, prediction_fn
            )


@net("The layers of inception_v3() before the logits.")
def inception_v3_base(inputs, final_endpoint="Mixed_7c", min_depth=16, depth_multiplier=1.0,
                      scope=None):  # fmt: skip
    depth = _depths(depth_multiplier, min_depth)
    with variable_scope(scope, "InceptionV3", [inputs]), arg_scope(
        [conv2d, max_pool2d, avg_pool2d], stride=1, padding="SAME"
    ):
        return _layers(inputs, tables.V3, final_endpoint, depth, {})


def _auxiliary_logits(outputs, depth, num_classes, spatial_squeeze):
    with arg_scope([conv2d, max_pool2d, avg_pool2d], stride=1, padding="SAME"), variable_scope(
        "AuxLogits"
    ):
        outputs = layer("avg 5x5/3v", outputs, "AvgPool_1a_5x5")
        outputs = layer("1x1 128", outputs, "Conv2d_1b_1x1", depth)
        kernel = _fitting(outputs, 5)
        outputs = conv2d(
            outputs, depth(768), kernel, weights_initializer=truncated(0.01), padding="VALID",
            scope="Conv2d_2a_{}x{}".format(*kernel),
        )  # fmt: skip
        return _classes(
            outputs, num_classes, spatial_squeeze, "Conv2d_2b_1x1",
            weights_initializer=truncated(0.001),
        )  # fmt: skip


@net("The third Inception net, with auxiliary logits.", 299)
def inception_v3(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.8, min_depth=16,
                 depth_multiplier=1.0, prediction_fn=softmax, spatial_squeeze=True, reuse=None,
                 scope="InceptionV3"):  # fmt: skip
    depth = _depths(depth_multiplier, min_depth)
    with variable_scope(scope, "InceptionV3", [inputs, num_classes], reuse=reuse) as opened:
        with arg_scope([batch_norm, dropout], is_training=is_training):
            outputs, ends = inception_v3_base(
                inputs, min_depth=min_depth, depth_multiplier=depth_multiplier, scope=opened
            )
            ends["AuxLogits"] = _auxiliary_logits(
                ends["Mixed_6e"], depth, num_classes, spatial_squeeze
            )
            return _predicted(
                outputs, ends, 8, num_classes, dropout_keep_prob, spatial_squeeze, prediction_fn,
                "PreLogits",
            )  # fmt: skip


_COLLECTION = {
    "batch_norm_var_collection": "Collection that gets the moving averages, a str.",
    "use_batch_norm": "Whether the layers are normalised. A bool.",
    "batch_norm_decay": "Weight of the old value in moving averages, a float.",
    "batch_norm_epsilon": "A small float, so that nothing is divided by 0.",
    "updates_collections": "Collection that gets the updates of moving averages, a str.",
    "use_fused_batchnorm": "Whether images are normalised by one operation. A bool.",
}


def _settings(weight_decay, collection, normalizer_fn=batch_norm, **more):
    params = {
        "decay": 0.9997, "epsilon": 0.001, "updates_collections": GraphKeys.UPDATE_OPS, **more,
        "variables_collections": {
            "beta": None, "gamma": None, "moving_mean": [collection],
            "moving_variance": [collection],
        },
    }  # fmt: skip
    losses = l2_regularizer(weight_decay)
    with arg_scope([conv2d, fully_connected], weights_regularizer=losses), arg_scope(
        [conv2d], weights_initializer=variance_scaling_initializer(), activation_fn=relu,
        normalizer_fn=normalizer_fn, normalizer_params=params if normalizer_fn else {},
    ) as scope:  # fmt: skip
        return scope


@settings("Returns the defaults of the layers of inception_v1().", **_COLLECTION)
def inception_v1_arg_scope(weight_decay=0.00004, use_batch_norm=True,
                           batch_norm_var_collection="moving_vars"):  # fmt: skip
    normalizer_fn = batch_norm if use_batch_norm else None
    return _settings(weight_decay, batch_norm_var_collection, normalizer_fn)


@settings("Returns the defaults of the layers of inception_v2().", **_COLLECTION)
def inception_v2_arg_scope(weight_decay=0.00004, batch_norm_var_collection="moving_vars"):
    return _settings(weight_decay, batch_norm_var_collection)


@settings("Returns the defaults of the layers of inception_v3().", **_COLLECTION)
def inception_v3_arg_scope(weight_decay=0.00004, batch_norm_var_collection="moving_vars",
                           batch_norm_decay=0.9997, batch_norm_epsilon=0.001,
                           updates_collections=GraphKeys.UPDATE_OPS,
                           use_fused_batchnorm=True):  # fmt: skip
    return _settings(
        weight_decay, batch_norm_var_collection, decay=batch_norm_decay,
        epsilon=batch_norm_epsilon, updates_collections=updates_collections,
        fused=use_fused_batchnorm,
    )  # fmt: skip
