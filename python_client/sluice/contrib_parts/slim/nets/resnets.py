# SPDX-License-Identifier: Apache-2.0
"""Residual nets.

He et al., "Deep residual learning for image recognition", 2016: version 1.
He et al., "Identity mappings in deep residual networks", 2016: version 2, which normalises before
each convolution.
"""

from ....layers.contrib.functions import conv2d, max_pool2d, softmax
from ....layers.contrib.normalization import batch_norm
from ....layers.contrib.scopes import add_arg_scope, arg_scope
from ....layers.contrib.utils import (
    collect_named_outputs,
    convert_collection_to_dict,
    last_dimension,
)
from ....ops.math import reduce_mean
from ....ops.nn.activations import relu
from ....ops.state.variable_scope import variable_scope
from .resnet_utils import Block, conv2d_same, stack_blocks_dense, subsample
from .tables import net

_PLAIN = {"activation_fn": None, "normalizer_fn": None}
_UNIT = """{}

    Args:
        inputs: Images, a tensor [batch, height, width, channels].
        depth: How many channels the output has, an int.
        depth_bottleneck: How many channels the first two convolutions have, an int.
        stride: Steps of the second convolution, an int.
        rate: Distance of the elements of its kernel, an int.
        outputs_collections: Collections that get the output, a list of str.
        scope: Name of the variable scope, a str.

    Returns:
        A tensor.
    """
_BLOCK = """Describes a block whose last unit has the steps.

    Args:
        scope: Name of the variable scope, a str.
        base_depth: How many channels the first convolutions have, an int; the output has 4 times as
            many.
        num_units: How many units there are, an int.
        stride: Steps of the last unit, an int.

    Returns:
        A Block.
    """


def _residual(inputs, width, stride, rate):
    residual = conv2d(inputs, width, [1, 1], stride=1, scope="conv1")
    return conv2d_same(residual, width, 3, stride, rate=rate, scope="conv2")


def _unit_v1(inputs, depth, depth_bottleneck, stride, rate=1, outputs_collections=None, scope=None):
    with variable_scope(scope, "bottleneck_v1", [inputs]) as opened:
        if depth == last_dimension(inputs.shape, min_rank=4):
            shortcut = subsample(inputs, stride, "shortcut")
        else:
            shortcut = conv2d(
                inputs, depth, [1, 1], stride=stride, activation_fn=None, scope="shortcut"
            )
        residual = _residual(inputs, depth_bottleneck, stride, rate)
        residual = conv2d(residual, depth, [1, 1], stride=1, activation_fn=None, scope="conv3")
        return collect_named_outputs(outputs_collections, opened.name, relu(shortcut + residual))


def _unit_v2(inputs, depth, depth_bottleneck, stride, rate=1, outputs_collections=None, scope=None):
    with variable_scope(scope, "bottleneck_v2", [inputs]) as opened:
        before = batch_norm(inputs, activation_fn=relu, scope="preact")
        if depth == last_dimension(inputs.shape, min_rank=4):
            shortcut = subsample(inputs, stride, "shortcut")
        else:
            shortcut = conv2d(before, depth, [1, 1], stride=stride, scope="shortcut", **_PLAIN)
        residual = _residual(before, depth_bottleneck, stride, rate)
        residual = conv2d(residual, depth, [1, 1], stride=1, scope="conv3", **_PLAIN)
        return collect_named_outputs(outputs_collections, opened.name, shortcut + residual)


def _unit(function, version, summary):
    function.__name__ = function.__qualname__ = f"bottleneck_v{version}"
    function.__doc__ = _UNIT.format(summary)
    return add_arg_scope(function)


_UNITS = {
    1: _unit(_unit_v1, 1, "Adds three convolutions of images to the images themselves."),
    2: _unit(_unit_v2, 2, "Adds three convolutions of normalised images to the images."),
}


def _net(version, inputs, blocks, num_classes, is_training, global_pool, output_stride,
         include_root_block, reuse, scope):  # fmt: skip
    with variable_scope(scope, f"resnet_v{version}", [inputs], reuse=reuse) as opened:
        ends = opened.original_name_scope + "_end_points"
        layers = [conv2d, _UNITS[version], stack_blocks_dense]
        with arg_scope(layers, outputs_collections=ends), arg_scope(
            [batch_norm], is_training=is_training
        ):
            outputs = inputs
            if include_root_block:
                if output_stride is not None:
                    if output_stride % 4:
                        raise ValueError("The output_stride needs to be a multiple of 4.")
                    output_stride //= 4
                with arg_scope([conv2d], **(_PLAIN if version == 2 else {})):
                    outputs = conv2d_same(outputs, 64, 7, stride=2, scope="conv1")
                outputs = max_pool2d(outputs, [3, 3], stride=2, scope="pool1")
            outputs = stack_blocks_dense(outputs, blocks, output_stride)
            if version == 2:
                outputs = batch_norm(outputs, activation_fn=relu, scope="postnorm")
            if global_pool:
                outputs = reduce_mean(outputs, [1, 2], name="pool5", keepdims=True)
            if num_classes is not None:
                outputs = conv2d(outputs, num_classes, [1, 1], scope="logits", **_PLAIN)
            found = convert_collection_to_dict(ends)
            if num_classes is not None:
                found["predictions"] = softmax(outputs, scope="predictions")
            return outputs, found


def _functions(version):
    """The names of the module of a version, a dict."""
    name = f"resnet_v{version}"

    def block(scope, base_depth, num_units, stride):
        unit = {"depth": base_depth * 4, "depth_bottleneck": base_depth, "stride": 1}
        return Block(
            scope, _UNITS[version], [unit] * (num_units - 1) + [{**unit, "stride": stride}]
        )

    def any_net(inputs, blocks, num_classes=None, is_training=True, global_pool=True,
                output_stride=None, include_root_block=True, reuse=None, scope=None):  # fmt: skip
        return _net(
            version, inputs, blocks, num_classes, is_training, global_pool, output_stride,
            include_root_block, reuse, scope,
        )  # fmt: skip

    def of_layers(layers, counts):
        def one(inputs, num_classes=None, is_training=True, global_pool=True, output_stride=None,
                reuse=None, scope=f"{name}_{layers}"):  # fmt: skip
            blocks = [
                block(f"block{i + 1}", 64 * 2**i, count, 1 if i == 3 else 2)
                for i, count in enumerate(counts)
            ]
            return any_net(
                inputs, blocks, num_classes, is_training, global_pool, output_stride, True, reuse,
                scope,
            )  # fmt: skip

        return net(f"A residual net of {layers} layers.")(one)

    block.__doc__ = _BLOCK
    found = {
        name: net("A residual net of given blocks.", 224)(any_net),
        f"{name}_block": block,
        f"{name}_50": of_layers(50, (3, 4, 6, 3)),
        f"{name}_101": of_layers(101, (3, 4, 23, 3)),
        f"{name}_152": of_layers(152, (3, 8, 36, 3)),
        f"{name}_200": of_layers(200, (3, 24, 36, 3)),
    }
    for key, function in found.items():
        function.__name__ = function.__qualname__ = key
    return {**found, "bottleneck": _UNITS[version]}


V1, V2 = _functions(1), _functions(2)
# Where type stubs and pickles look for functions.
globals().update({made.__name__: made for made in (*V1.values(), *V2.values())})
