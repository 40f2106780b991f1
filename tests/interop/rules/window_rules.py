# SPDX-License-Identifier: Apache-2.0
"""Rules, as in op_rules.py, for windows: convolutions, pooling, blocks, patches."""

import numpy as np

from interop.cases.case import Case, between, i32, known, normal, of
from interop.rules.draws import index, pick, shape_of, table, whole

FLOATS = ("float32", "float64", "float16")


def windows(rng, spaces, dilated=True):
    """Sizes, kernels, strides, dilations and the outputs' sizes of a window over so many spaces."""
    sizes = [whole(rng, 1, 2, 3, 4, 5, 7) for _ in range(spaces)]
    kernels = [whole(rng, 1, 1, 2, 3) for _ in range(spaces)]
    strides = [whole(rng, 1, 1, 2, 3)] * spaces
    dilations = [whole(rng, 1, 1, 1, 2) if dilated else 1] * spaces
    padding = pick(rng, "SAME", "VALID")
    reach = [(k - 1) * d + 1 for k, d in zip(kernels, dilations)]
    if padding == "VALID":
        sizes = [max(n, r) for n, r in zip(sizes, reach)]
    room = [n if padding == "SAME" else n - r + 1 for n, r in zip(sizes, reach)]
    outputs = [-(-n // s) for n, s in zip(room, strides)]
    return sizes, kernels, strides, dilations, padding, outputs


def convolution(op, rng):
    """Convolutions and their gradients; over two or three spaces, depthwise or not."""
    spaces = 3 if "3D" in op else 2
    depthwise = op.startswith("Depthwise")
    sizes, kernels, strides, dilations, padding, outputs = windows(rng, spaces, spaces == 2)
    batch, depth, more = (whole(rng, 1, 2, 3) for _ in range(3))
    image, taps = [batch, *sizes, depth], [*kernels, depth, more]
    result = [batch, *outputs, depth * more if depthwise else more]
    attrs = dict(strides=[1, *strides, 1], dilations=[1, *dilations, 1], padding=padding)
    if "BackpropFilter" in op:
        sized = normal(*taps) if op == "Conv3DBackpropFilter" else i32(taps)
        inputs = [normal(*image), sized, normal(*result)]
    elif "BackpropInput" in op:
        sized = normal(*image) if op == "Conv3DBackpropInput" else i32(image)
        inputs = [sized, normal(*taps), normal(*result)]
    else:
        inputs = [normal(*image), normal(*taps)]
    return Case(op, *inputs, types=FLOATS, atol=1e-3, **attrs)


def fused(op, rng):
    """A convolution of a padded, and perhaps resized, image."""
    height, width, depth, kernel = (whole(rng, 2, 3, 4, 5) for _ in range(4))
    paddings = [[0, 0], *([whole(rng, 0, 1), whole(rng, 0, 1)] for _ in range(2)), [0, 0]]
    inputs = [normal(1, height, width, depth), i32(paddings), normal(kernel, kernel, depth, 2)]
    attrs = dict(mode=pick(rng, "REFLECT", "SYMMETRIC"), strides=[1, 1, 1, 1])
    if "Resize" in op:
        inputs.insert(1, i32([whole(rng, 4, 5, 7), whole(rng, 4, 6, 8)]))
        attrs["resize_align_corners"] = bool(rng.randint(2))
        attrs["rtol"] = 1e-5  # resized in single precision
    inputs = [known(value) for value in inputs]
    return Case(op, *inputs, padding=pick(rng, "SAME", "VALID"), atol=1e-3, **attrs)


def dilation(op, rng):
    sizes, kernels, strides, rates, padding, outputs = windows(rng, 2)
    batch, depth = whole(rng, 1, 2), whole(rng, 1, 2, 3)
    inputs = [normal(batch, *sizes, depth), normal(*kernels, depth)]
    if "Backprop" in op:
        inputs.append(normal(batch, *outputs, depth))
    return Case(op, *inputs, strides=[1, *strides, 1], rates=[1, *rates, 1], padding=padding)


def _largest(image, kernels, strides, padding, outputs):
    """The maxima of the windows, whatever the number of spaces."""
    result = np.zeros([image.shape[0], *outputs, image.shape[-1]])
    for at in np.ndindex(*outputs):
        part = [slice(None)]
        for d, (place, kernel, stride) in enumerate(zip(at, kernels, strides)):
            size = image.shape[d + 1]
            missing = max((outputs[d] - 1) * stride + kernel - size, 0) if padding == "SAME" else 0
            first = place * stride - missing // 2
            part.append(slice(max(first, 0), first + kernel))
        axes = tuple(range(1, len(kernels) + 1))
        result[(slice(None), *at)] = image[tuple(part)].max(axis=axes)
    return result


def pool(op, rng):
    """Pooling and its gradients; orig_output is the maxima of orig_input, which has no ties."""
    spaces = 3 if "3D" in op else 2
    sizes, kernels, strides, _, padding, outputs = windows(rng, spaces, False)
    image = [whole(rng, 1, 2), *sizes, whole(rng, 1, 2)]
    result = [image[0], *outputs, image[-1]]
    ksize, steps = [1, *kernels, 1], [1, *strides, 1]
    if op.startswith("Avg") and "Grad" in op:
        inputs = [i32(image), normal(*result)]
    elif "Grad" in op:
        values = rng.permutation(int(np.prod(image))).reshape(image)
        grad = image if "GradGrad" in op else result
        largest = of(_largest(values, kernels, strides, padding, outputs))
        inputs = [of(values), largest, normal(*grad)]
    else:
        inputs = [normal(*image)]
    attrs = dict(padding=padding)
    if op.endswith("V2"):
        inputs += [i32(ksize), i32(steps)]
    else:
        attrs.update(ksize=ksize, strides=steps)
    if op == "MaxPoolWithArgmax":
        attrs.update(
            Targmax=pick(rng, "int32", "int64"), include_batch_in_index=bool(rng.randint(2))
        )
    return Case(op, *inputs, types=FLOATS, **attrs)


def fractional(op, rng):
    ratio = [1.0, float(rng.uniform(1, 2.5)), float(rng.uniform(1, 2.5)), 1.0]
    flags = {n: bool(rng.randint(2)) for n in ("pseudo_random", "overlapping")}
    shape = [whole(rng, 1, 2), whole(rng, 3, 5, 8), whole(rng, 3, 6, 9), whole(rng, 1, 2)]
    seeds = dict(seed=whole(rng, 1, 7), seed2=whole(rng, 3, 9), deterministic=True)
    return Case(op, normal(*shape), pooling_ratio=ratio, **flags, **seeds)


def patches(op, rng):
    spaces = 3 if "Volume" in op else 2
    sizes, kernels, strides, rates, padding, _ = windows(rng, spaces, spaces == 2)
    attrs = dict(ksizes=[1, *kernels, 1], strides=[1, *strides, 1], padding=padding)
    if spaces == 2:
        attrs["rates"] = [1, *rates, 1]
    return Case(op, normal(whole(rng, 1, 2), *sizes, whole(rng, 1, 3)), **attrs)


def blocks(op, rng):
    """SpaceToBatch and BatchToSpace, with the sizes of blocks as input or as attribute."""
    any_number = op.endswith("ND")
    spaces = whole(rng, 1, 2, 3) if any_number else 2
    block = (
        [whole(rng, 1, 2, 3) for _ in range(spaces)] if any_number else [whole(rng, 2, 2, 3)] * 2
    )
    pads = [[whole(rng, 0, 1, 2), whole(rng, 0, 1)] for _ in range(spaces)]
    sizes = [b * whole(rng, 2, 3) for b in block]
    rest = shape_of(rng, 0, 2) if any_number else [whole(rng, 1, 2)]
    if op.startswith("Space"):
        shape = [whole(rng, 1, 2), *(max(n - a - b, 0) for n, (a, b) in zip(sizes, pads)), *rest]
        pads = [[a, n - a - s] for n, (a, _), s in zip(sizes, pads, shape[1:])]
    else:
        shape = [
            int(np.prod(block)) * whole(rng, 1, 2),
            *(whole(rng, 2, 3, 4) for _ in block),
            *rest,
        ]
    if any_number:
        return Case(op, known(normal(*shape)), index(rng, block), index(rng, pads))
    return Case(op, normal(*shape), index(rng, pads), block_size=block[0])


def depth_blocks(op, rng):
    size, height, width, depth = whole(rng, 2, 3), *(whole(rng, 1, 2, 3) for _ in range(3))
    if op == "DepthToSpace":
        depth *= size * size
    else:
        height, width = height * size, width * size
    return Case(op, normal(whole(rng, 0, 1, 2), height, width, depth), block_size=size)


def response(op, rng):
    shape = [whole(rng, 1, 2), whole(rng, 1, 3), whole(rng, 1, 2), whole(rng, 1, 4, 7)]
    attrs = dict(
        depth_radius=whole(rng, 1, 2, 5), bias=1.0, alpha=0.3, beta=pick(rng, 0.5, 0.75, 1.0)
    )
    count = 3 if op == "LRNGrad" else 1
    return Case(op, *(between(-2, 2, *shape) for _ in range(count)), rtol=1e-3, **attrs)


RULES = table(
    (convolution, "Conv2DBackpropFilter Conv2DBackpropInput Conv3D Conv3DBackpropFilter"),
    (convolution, "Conv3DBackpropFilterV2 Conv3DBackpropInput Conv3DBackpropInputV2"),
    (convolution, "DepthwiseConv2dNative DepthwiseConv2dNativeBackpropFilter"),
    (convolution, "DepthwiseConv2dNativeBackpropInput"),
    (fused, "FusedPadConv2D FusedResizeAndPadConv2D"),
    (dilation, "Dilation2D Dilation2DBackpropFilter Dilation2DBackpropInput"),
    (pool, "AvgPoolGrad AvgPool3D AvgPool3DGrad MaxPool3D MaxPool3DGrad MaxPool3DGradGrad"),
    (pool, "MaxPoolV2 MaxPoolGrad MaxPoolGradV2 MaxPoolGradGrad MaxPoolGradGradV2"),
    (pool, "MaxPoolWithArgmax"),
    (fractional, "FractionalAvgPool FractionalMaxPool"),
    (patches, "ExtractImagePatches ExtractVolumePatches"),
    (blocks, "SpaceToBatch BatchToSpace SpaceToBatchND BatchToSpaceND"),
    (depth_blocks, "SpaceToDepth DepthToSpace"),
    (response, "LRN LRNGrad"),
)
