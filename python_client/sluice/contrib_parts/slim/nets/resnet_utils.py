# SPDX-License-Identifier: Apache-2.0
"""Parts of residual nets: blocks of units, and convolutions with steps."""

import collections

from ....graph.keys import GraphKeys
from ....layers.contrib.functions import conv2d, max_pool2d
from ....layers.contrib.initializers import variance_scaling_initializer
from ....layers.contrib.normalization import batch_norm
from ....layers.contrib.regularizers import l2_regularizer
from ....layers.contrib.scopes import add_arg_scope, arg_scope
from ....layers.contrib.utils import collect_named_outputs
from ....ops.array import pad
from ....ops.nn.activations import relu
from ....ops.state.variable_scope import variable_scope
from .tables import settings


class Block(collections.namedtuple("Block", ["scope", "unit_fn", "args"])):
    """Units of a residual net.

    Args:
        scope: Name of the variable scope, a str.
        unit_fn: A function of a tensor, and of one of args, that returns a tensor.
        args: A list of dicts, of each unit the arguments.
    """


def subsample(inputs, factor, scope=None):
    """Takes every so many rows and columns of images.

    Args:
        inputs: Images, a tensor [batch, height, width, channels].
        factor: The distance of the rows and columns, an int.
        scope: Name of the operation, a str.

    Returns:
        A tensor.
    """
    return inputs if factor == 1 else max_pool2d(inputs, [1, 1], stride=factor, scope=scope)


def conv2d_same(inputs, num_outputs, kernel_size, stride, rate=1, scope=None):
    """Convolves images, so that their size is only divided by the steps.

    The padding does not depend on the size of the images, unlike that of conv2d().

    Args:
        inputs: Images, a tensor [batch, height, width, channels].
        num_outputs: How many channels the output has, an int.
        kernel_size: Height and width of the kernel, an int.
        stride: Steps of the kernel, an int.
        rate: Distance of the kernel's elements, an int.
        scope: Name of the variable scope, a str.

    Returns:
        A tensor.
    """
    more = {"stride": stride, "rate": rate, "scope": scope}
    if stride == 1:
        return conv2d(inputs, num_outputs, kernel_size, padding="SAME", **more)
    total = (kernel_size - 1) * rate
    sides = [total // 2, total - total // 2]
    inputs = pad(inputs, [[0, 0], sides, sides, [0, 0]])
    return conv2d(inputs, num_outputs, kernel_size, padding="VALID", **more)


@add_arg_scope
def stack_blocks_dense(net, blocks, output_stride=None, outputs_collections=None):
    """Applies the units of blocks.

    Where output_stride is reached, units have no steps, and their convolutions have holes: so a
    unit sees as much of the image as it would after the steps.

    Args:
        net: The input, a tensor [batch, height, width, channels].
        blocks: A list of Blocks.
        output_stride: By what height and width are divided at most, an int. None: as the units say.
        outputs_collections: Collections that get the outputs of the blocks, a list of str.

    Returns:
        A tensor.

    Raises:
        ValueError: output_stride cannot be reached.
    """
    reached = rate = 1
    for block in blocks:
        with variable_scope(block.scope, "block", [net]) as opened:
            for i, unit in enumerate(block.args):
                if output_stride is not None and reached > output_stride:
                    raise ValueError("The target output_stride cannot be reached.")
                with variable_scope(f"unit_{i + 1}", values=[net]):
                    if output_stride is not None and reached == output_stride:
                        net = block.unit_fn(net, rate=rate, **{**unit, "stride": 1})
                        rate *= unit.get("stride", 1)
                    else:
                        net = block.unit_fn(net, rate=1, **unit)
                        reached *= unit.get("stride", 1)
            net = collect_named_outputs(outputs_collections, opened.name, net)
    if output_stride is not None and reached != output_stride:
        raise ValueError("The target output_stride cannot be reached.")
    return net


@settings(
    "Returns the defaults of the layers of residual nets.",
    batch_norm_decay="Weight of the old value in moving averages, a float.",
    batch_norm_epsilon="A small float, so that nothing is divided by 0.",
    batch_norm_scale="Whether normalised values are multiplied by gamma. A bool.",
)
def resnet_arg_scope(weight_decay=0.0001, batch_norm_decay=0.997, batch_norm_epsilon=1e-5,
                     batch_norm_scale=True):  # fmt: skip
    params = {
        "decay": batch_norm_decay, "epsilon": batch_norm_epsilon, "scale": batch_norm_scale,
        "updates_collections": GraphKeys.UPDATE_OPS,
    }  # fmt: skip
    with arg_scope(
        [conv2d], weights_regularizer=l2_regularizer(weight_decay),
        weights_initializer=variance_scaling_initializer(), activation_fn=relu,
        normalizer_fn=batch_norm, normalizer_params=params,
    ), arg_scope([batch_norm], **params):  # fmt: skip
        with arg_scope([max_pool2d], padding="SAME") as scope:
            return scope
