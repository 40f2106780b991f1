"""Images: [batch, height, width, channels], or one without the batch where that is said.

Long because: the docstring of each function stands beside it.
"""

import math as _math

import numpy as np

from ... import dtypes
from ...graph.convert import constant, convert_to_tensor
from .. import array as arrays
from .. import math, raw_ops
from ..building import thin, with_names
from ..random import random

_CENTRES = "align_corners=False name half_pixel_centers=False"
_RESIZE = "size: [height, width], int32. align_corners: the corners' centres stay in place."
resize_bilinear = thin(
    "ResizeBilinear",
    f"images size {_CENTRES}",
    """Resizes images with bilinear interpolation.

    Args:
        size: The new [height, width], an int32 vector.
        align_corners: Whether corner pixels stay at the corners. A bool.
        half_pixel_centers: Whether pixels have their centres at halves. A bool.

    Returns:
        A float32 tensor [batch, height, width, channels].
    """,
)
resize_nearest_neighbor = thin(
    "ResizeNearestNeighbor",
    f"images size {_CENTRES}",
    """Resizes images: each pixel becomes that of the nearest one.

    Args:
        size: The new [height, width], an int32 vector.
        align_corners: Whether corner pixels stay at the corners. A bool.
        half_pixel_centers: Whether pixels have their centres at halves. A bool.
    """,
)
resize_bicubic = thin(
    "ResizeBicubic",
    f"images size {_CENTRES}",
    """Resizes images with bicubic interpolation.

    Args:
        size: The new [height, width], an int32 vector.
        align_corners: Whether corner pixels stay at the corners. A bool.
        half_pixel_centers: Whether pixels have their centres at halves. A bool.
    """,
)
resize_area = thin(
    "ResizeArea",
    "images size align_corners=False",
    """Resizes images: each pixel becomes the mean of the area it covers.

    Args:
        size: The new [height, width], an int32 vector.
        align_corners: Whether corner pixels stay at the corners. A bool.
    """,
)
rgb_to_hsv = thin(
    "RGBToHSV",
    "images",
    "Converts colours from RGB to hue, saturation and value. All are within [0, 1].",
)
hsv_to_rgb = thin(
    "HSVToRGB",
    "images",
    "Converts colours from hue, saturation and value to RGB. All are within [0, 1].",
)
crop_and_resize = thin(
    "CropAndResize",
    "image boxes box_ind|box_indices crop_size=None method='bilinear' extrapolation_value=0.0",
    "Cuts boxes out of images, and resizes them to one size.",
)
extract_glimpse = thin(
    "ExtractGlimpse",
    "input size offsets centered=True normalized=True uniform_noise=True",
    "Cuts a window around a point out of each image.",
)
extract_image_patches = thin(
    "ExtractImagePatches",
    "images ksizes|sizes strides=None rates=None padding=None",
    "Cuts patches out of images.",
)
non_max_suppression_overlaps = thin(
    "NonMaxSuppressionWithOverlaps",
    "overlaps scores max_output_size overlap_threshold=0.5 score_threshold=-1e30",
    "Chooses the best boxes by score, leaving out those that overlap a better one too much.",
)
sample_distorted_bounding_box = thin(
    "SampleDistortedBoundingBoxV2",
    "image_size bounding_boxes seed=0 seed2=0 min_object_covered=0.1 aspect_ratio_range=[0.75,1.33]"
    " area_range=[0.05,1.0] max_attempts=100 use_image_if_no_bounding_boxes=False",
    "Draws a random box that is suited to cut out a part of an image.",
)


class ResizeMethod:
    """What resize_images computes a pixel from."""

    BILINEAR = 0
    NEAREST_NEIGHBOR = 1
    BICUBIC = 2
    AREA = 3


def _batched(image):
    """The image as a batch, and the function that undoes it."""
    image = convert_to_tensor(image)
    if image.shape.ndims == 3:
        return arrays.expand_dims(image, 0), lambda x: arrays.squeeze(x, [0])
    return image, lambda x: x


def resize_images(images, size, method=ResizeMethod.BILINEAR, align_corners=False,
                  preserve_aspect_ratio=False, name=None):  # fmt: skip
    """Resizes images.

    Args:
        images: A tensor [batch, height, width, channels] or [height, width, channels].
        size: The new [height, width], a list of ints or an int32 vector.
        method: ResizeMethod.BILINEAR, NEAREST_NEIGHBOR, BICUBIC or AREA.
        align_corners: Whether corner pixels stay at the corners. A bool.
        preserve_aspect_ratio: Whether the proportions stay; the result is the largest within size.
            A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A float32 tensor; of the nearest neighbour it has the dtype of images.
    """
    function = [resize_bilinear, resize_nearest_neighbor, resize_bicubic, resize_area][method]
    batch, undo = _batched(images)
    size = convert_to_tensor(size, dtypes.int32)
    if preserve_aspect_ratio:
        sides = arrays.cast(arrays.shape(batch)[1:3], dtypes.float32)
        scale = math.reduce_min(arrays.cast(size, dtypes.float32) / sides)
        size = arrays.cast(math.round(scale * sides), dtypes.int32)
    return undo(function(batch, size, align_corners, name=name))


def resize_image_with_pad(image, target_height, target_width, method=ResizeMethod.BILINEAR,
                          align_corners=False):  # fmt: skip
    """Resizes images without distortion, and puts them in the middle of zeros.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        target_height: Height of the result, an int.
        target_width: Width of the result, an int.
        method: ResizeMethod.BILINEAR, NEAREST_NEIGHBOR, BICUBIC or AREA.
        align_corners: Whether corner pixels stay at the corners. A bool.

    Returns:
        A tensor [..., target_height, target_width, channels].
    """
    batch, undo = _batched(image)
    target = convert_to_tensor([target_height, target_width], dtypes.int32)
    sides = arrays.cast(arrays.shape(batch)[1:3], dtypes.float64)
    ratio = math.reduce_max(sides / arrays.cast(target, dtypes.float64))
    size = arrays.cast(math.floor(sides / ratio), dtypes.int32)
    before = math.maximum(0, arrays.cast((target - size) / 2, dtypes.int32))
    resized = resize_images(batch, size, method, align_corners)
    padded = pad_to_bounding_box(resized, before[0], before[1], target_height, target_width)
    return undo(padded)


resize = resize_images


extract_volume_patches = thin(
    "ExtractVolumePatches", "input ksizes strides padding", "Cuts patches out of volumes."
)


def draw_bounding_boxes(images, boxes, name=None, colors=None):
    """Draws boxes on images.

    Args:
        images: A tensor [batch, height, width, channels].
        boxes: A float32 tensor [batch, n, 4] of boxes [y1, x1, y2, x2] within [0, 1].
        name: Name of the operation, a str. None: a default name.
        colors: A matrix with a colour in each row, which are used in turn. None: the default
            colours.

    Returns:
        A tensor of the shape and dtype of images.
    """
    if colors is None:
        return raw_ops.DrawBoundingBoxes(images=images, boxes=boxes, name=name)
    return raw_ops.DrawBoundingBoxesV2(images=images, boxes=boxes, colors=colors, name=name)


def extract_patches(images, sizes, strides, rates, padding, name=None):
    """Cuts patches out of images.

    Args:
        images: A tensor [batch, height, width, channels].
        sizes: Size of a patch, a list of 4 ints.
        strides: Distance of patches, a list of 4 ints.
        rates: Distance of pixels in a patch, a list of 4 ints.
        padding: "SAME" or "VALID".
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [batch, rows, columns, values of a patch].
    """
    return extract_image_patches(images, sizes, strides, rates, padding, name)


def random_crop(value, size, seed=None, name=None):
    """Cuts a window of a given shape out of a tensor at a random place.

    Args:
        value: A tensor.
        size: Shape of the window, a list of ints.
        seed: Seed of the operation, an int. None: see set_random_seed().
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of shape `size`.
    """
    return random.random_crop(value, size, seed, name)


def non_max_suppression(boxes, scores, max_output_size, iou_threshold=0.5,
                        score_threshold=float("-inf"), name=None):  # fmt: skip
    """Chooses the best boxes by score, leaving out those that overlap a better one too much.

    Args:
        boxes: A float tensor [n, 4] of boxes [y1, x1, y2, x2].
        scores: A float tensor [n]: how good each box is.
        max_output_size: The most boxes to choose, an int or an int32 scalar.
        iou_threshold: Boxes with a larger share of area in common with a better one are left out, a
            float.
        score_threshold: Boxes with a lower score are left out, a float.
        name: Name of the operation, a str. None: a default name.

    Returns:
        An int32 vector of numbers of boxes.
    """
    boxes = convert_to_tensor(boxes)
    return raw_ops.NonMaxSuppressionV3(
        boxes=boxes, scores=scores, max_output_size=max_output_size,
        iou_threshold=constant(iou_threshold, boxes.dtype),
        score_threshold=constant(score_threshold, boxes.dtype), name=name,
    )  # fmt: skip


def non_max_suppression_with_scores(boxes, scores, max_output_size, iou_threshold=0.5,
                                    score_threshold=float("-inf"), soft_nms_sigma=0.0,
                                    name=None):  # fmt: skip
    """Chooses the best boxes as non_max_suppression() does, and returns their scores.

    Args:
        boxes: A float tensor [n, 4] of boxes [y1, x1, y2, x2].
        scores: A float tensor [n]: how good each box is.
        max_output_size: The most boxes to choose, an int or an int32 scalar.
        iou_threshold: Boxes with a larger share of area in common with a better one are left out, a
            float.
        score_threshold: Boxes with a lower score are left out, a float.
        soft_nms_sigma: Above 0, the score of a box shrinks with its overlap instead (Bodla et al.,
            2017). A float.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple: the numbers of boxes, an int32 vector; their scores.
    """
    boxes = convert_to_tensor(boxes)
    found = raw_ops.NonMaxSuppressionV5(
        boxes=boxes, scores=scores, max_output_size=max_output_size,
        iou_threshold=constant(iou_threshold, boxes.dtype),
        score_threshold=constant(score_threshold, boxes.dtype),
        soft_nms_sigma=constant(soft_nms_sigma, boxes.dtype), pad_to_max_output_size=False,
        name=name,
    )  # fmt: skip
    return found.selected_indices, found.selected_scores


def non_max_suppression_padded(boxes, scores, max_output_size, iou_threshold=0.5,
                               score_threshold=float("-inf"), pad_to_max_output_size=False,
                               name=None):  # fmt: skip
    """Chooses the best boxes as non_max_suppression() does, with a result of fixed size.

    Args:
        boxes: A float tensor [n, 4] of boxes [y1, x1, y2, x2].
        scores: A float tensor [n]: how good each box is.
        max_output_size: The most boxes to choose, an int or an int32 scalar.
        iou_threshold: Boxes with a larger share of area in common with a better one are left out, a
            float.
        score_threshold: Boxes with a lower score are left out, a float.
        pad_to_max_output_size: Whether the result is padded with zeros to max_output_size. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A named tuple: the numbers of boxes, an int32 vector; how many of them count.
    """
    boxes = convert_to_tensor(boxes)
    return raw_ops.NonMaxSuppressionV4(
        boxes=boxes, scores=scores, max_output_size=max_output_size,
        iou_threshold=constant(iou_threshold, boxes.dtype),
        score_threshold=constant(score_threshold, boxes.dtype),
        pad_to_max_output_size=pad_to_max_output_size, name=name,
    )  # fmt: skip


def combined_non_max_suppression(boxes, scores, max_output_size_per_class, max_total_size,
                                 iou_threshold=0.5, score_threshold=float("-inf"),
                                 pad_per_class=False, clip_boxes=True, name=None):  # fmt: skip
    """Chooses the best boxes of each class of each image.

    Args:
        boxes: A float tensor [batch, n, classes or 1, 4] of boxes [y1, x1, y2, x2].
        scores: A float tensor [batch, n, classes].
        max_output_size_per_class: The most boxes of a class, an int.
        max_total_size: The most boxes of an image, an int.
        iou_threshold: Boxes with a larger share of area in common with a better one are left out, a
            float.
        score_threshold: Boxes with a lower score are left out, a float.
        pad_per_class: Whether results are padded for each class. A bool.
        clip_boxes: Whether boxes are cut off at [0, 1]. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A named tuple: the boxes, their scores, their classes, and how many count in each image.
    """
    return raw_ops.CombinedNonMaxSuppression(
        boxes=boxes, scores=scores, max_output_size_per_class=max_output_size_per_class,
        max_total_size=max_total_size, iou_threshold=iou_threshold,
        score_threshold=score_threshold, pad_per_class=pad_per_class, clip_boxes=clip_boxes,
        name=name,
    )  # fmt: skip


def convert_image_dtype(image, dtype, saturate=False, name=None):
    """Converts images to another dtype, and scales values to its range: [0, 1] of floats, [0, max]
    of integers.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        dtype: The new dtype.
        saturate: Whether values outside of the range become its limits. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of dtype `dtype` and of the shape of image.
    """
    image, dtype = convert_to_tensor(image), dtypes.as_dtype(dtype)
    to = arrays.saturate_cast if saturate else arrays.cast
    source = image.dtype
    if source == dtype:
        return arrays.identity(image, name)
    if source.is_integer and dtype.is_integer:
        if source.max > dtype.max:
            return to(math.floordiv(image, (source.max + 1) // (dtype.max + 1)), dtype, name)
        scale = (dtype.max + 1) // (source.max + 1)
        return math.multiply(arrays.cast(image, dtype), scale, name)
    if dtype.is_integer:
        return to(math.multiply(image, dtype.max + 0.5), dtype, name)
    if source.is_floating:
        return arrays.cast(image, dtype, name)
    return math.multiply(arrays.cast(image, dtype), 1.0 / source.max, name)


def _as_float(image, function):
    """function(image in [0, 1]) in the image's own dtype."""
    image = convert_to_tensor(image)
    kind = image.dtype if image.dtype.is_floating else dtypes.float32
    return convert_image_dtype(function(convert_image_dtype(image, kind)), image.dtype, True)


def adjust_brightness(image, delta):
    """Adds a number to all pixels.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        delta: The number, within [-1, 1] of the range of values.

    Returns:
        A tensor of the shape and dtype of image.
    """
    return _as_float(image, lambda x: math.add(x, arrays.cast(convert_to_tensor(delta), x.dtype)))


def adjust_contrast(images, contrast_factor):
    """Scales the difference of pixels from the mean of their channel.

    Args:
        images: A tensor [..., height, width, channels].
        contrast_factor: The factor, a float.

    Returns:
        A tensor of the shape and dtype of images.
    """
    return _as_float(
        images, lambda x: raw_ops.AdjustContrastv2(images=x, contrast_factor=contrast_factor)
    )


def adjust_gamma(image, gamma=1, gain=1):
    """Computes gain * image^gamma.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        gamma: The power, a number that is 0 or more.
        gain: The factor, a number.

    Returns:
        A tensor of the shape and dtype of image.
    """
    return _as_float(image, lambda x: math.multiply(math.pow(x, gamma), gain))


def adjust_hue(image, delta, name=None):
    """Turns the hue of RGB images.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        delta: How far, a float within [-1, 1]; 1 is once around.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of image.
    """
    return _as_float(image, lambda x: raw_ops.AdjustHue(images=x, delta=delta, name=name))


def adjust_saturation(image, saturation_factor, name=None):
    """Scales the saturation of RGB images.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        saturation_factor: The factor, a float.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of image.
    """
    return _as_float(
        image, lambda x: raw_ops.AdjustSaturation(images=x, scale=saturation_factor, name=name)
    )


def _drawn(low, high, seed):
    return random.uniform([], low, high, seed=seed)


def random_brightness(image, max_delta, seed=None):
    """Changes the brightness by a random number within [-max_delta, max_delta).

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        max_delta: The limit of the change, a float that is 0 or more.
        seed: Seed of the operation, an int. None: see set_random_seed().

    Returns:
        A tensor of the shape and dtype of image.
    """
    return adjust_brightness(image, _drawn(-max_delta, max_delta, seed))


def random_contrast(image, lower, upper, seed=None):
    """Changes the contrast by a random factor within [lower, upper).

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        lower: The lowest factor, a float.
        upper: The highest factor, a float.
        seed: Seed of the operation, an int. None: see set_random_seed().

    Returns:
        A tensor of the shape and dtype of image.
    """
    return adjust_contrast(image, _drawn(lower, upper, seed))


def random_hue(image, max_delta, seed=None):
    """Turns the hue by a random number within [-max_delta, max_delta).

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        max_delta: The limit of the change, a float that is 0 or more.
        seed: Seed of the operation, an int. None: see set_random_seed().

    Returns:
        A tensor of the shape and dtype of image.
    """
    return adjust_hue(image, _drawn(-max_delta, max_delta, seed))


def random_saturation(image, lower, upper, seed=None):
    """Scales the saturation by a random factor within [lower, upper).

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        lower: The lowest factor, a float.
        upper: The highest factor, a float.
        seed: Seed of the operation, an int. None: see set_random_seed().

    Returns:
        A tensor of the shape and dtype of image.
    """
    return adjust_saturation(image, _drawn(lower, upper, seed))


def flip_left_right(image):
    """Mirrors images left to right.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.

    Returns:
        A tensor of the shape and dtype of image.
    """
    return arrays.reverse(image, [-2])


def flip_up_down(image):
    """Mirrors images top to bottom.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.

    Returns:
        A tensor of the shape and dtype of image.
    """
    return arrays.reverse(image, [-3])


def _random_flip(image, seed, axis):
    batch, undo = _batched(image)
    chosen = random.uniform([arrays.shape(batch)[0], 1, 1, 1], seed=seed) < 0.5
    return undo(raw_ops.SelectV2(condition=chosen, t=arrays.reverse(batch, [axis]), e=batch))


def random_flip_left_right(image, seed=None):
    """Mirrors each image left to right with probability 1/2.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        seed: Seed of the operation, an int. None: see set_random_seed().

    Returns:
        A tensor of the shape and dtype of image.
    """
    return _random_flip(image, seed, 2)


def random_flip_up_down(image, seed=None):
    """Mirrors each image top to bottom with probability 1/2.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        seed: Seed of the operation, an int. None: see set_random_seed().

    Returns:
        A tensor of the shape and dtype of image.
    """
    return _random_flip(image, seed, 1)


def transpose(image, name=None):
    """Exchanges rows and columns of images.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [..., width, height, channels].
    """
    batch, undo = _batched(image)
    return undo(arrays.transpose(batch, [0, 2, 1, 3], name))


transpose_image = transpose


def rot90(image, k=1, name=None):
    """Turns images counter-clockwise by multiples of 90 degrees.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        k: How often, an int or an int32 scalar.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the dtype of image.
    """
    batch, undo = _batched(image)
    k %= 4
    if k == 1:
        batch = arrays.reverse(arrays.transpose(batch, [0, 2, 1, 3]), [1])
    elif k == 2:
        batch = arrays.reverse(batch, [1, 2])
    elif k == 3:
        batch = arrays.transpose(arrays.reverse(batch, [1]), [0, 2, 1, 3])
    return arrays.identity(undo(batch), name)


def _weights(images, rows):
    images = convert_to_tensor(images)
    return _dot(images, constant(np.array(rows).T, images.dtype))


def _dot(images, matrix):
    """Each pixel's channels times a matrix [channels, new channels]."""
    flat = arrays.reshape(images, [-1, matrix.shape[0]])
    size = arrays.concat([arrays.shape(images)[:-1], [matrix.shape[1]]], 0)
    return arrays.reshape(raw_ops.MatMul(a=flat, b=matrix), size)


def rgb_to_grayscale(images, name=None):
    """Computes 0.2989 red + 0.587 green + 0.114 blue.

    Args:
        images: A tensor [..., 3].
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [..., 1] of the same dtype.
    """
    return arrays.identity(_as_float(images, lambda x: _weights(x, [[0.2989, 0.587, 0.114]])), name)


def grayscale_to_rgb(images, name=None):
    """Repeats the only channel three times.

    Args:
        images: A tensor [..., 1].
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [..., 3].
    """
    return arrays.concat([images] * 3, -1, name)


_YIQ = [[0.299, 0.587, 0.114], [0.59590059, -0.27455667, -0.32134392],
        [0.21153661, -0.52273617, 0.31119955]]  # fmt: skip
_YUV = [[0.299, 0.587, 0.114], [-0.14714119, -0.28886916, 0.43601035],
        [0.61497538, -0.51496512, -0.10001026]]  # fmt: skip


def rgb_to_yiq(images):
    """Converts colours from RGB to YIQ.

    Args:
        images: A float tensor [..., 3] within [0, 1].

    Returns:
        A tensor of the shape and dtype of images.
    """
    return _weights(images, _YIQ)


def yiq_to_rgb(images):
    """Converts colours from YIQ to RGB.

    Args:
        images: A float tensor [..., 3].

    Returns:
        A tensor of the shape and dtype of images.
    """
    return _weights(images, np.linalg.inv(_YIQ))


def rgb_to_yuv(images):
    """Converts colours from RGB to YUV.

    Args:
        images: A float tensor [..., 3] within [0, 1].

    Returns:
        A tensor of the shape and dtype of images.
    """
    return _weights(images, _YUV)


def yuv_to_rgb(images):
    """Converts colours from YUV to RGB.

    Args:
        images: A float tensor [..., 3].

    Returns:
        A tensor of the shape and dtype of images.
    """
    return _weights(images, np.linalg.inv(_YUV))


def crop_to_bounding_box(image, offset_height, offset_width, target_height, target_width):
    """Cuts a window out of images.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        offset_height: Rows above, an int.
        offset_width: Columns to the left, an int.
        target_height: Height of the result, an int.
        target_width: Width of the result, an int.

    Returns:
        A tensor [..., target_height, target_width, channels].

    Raises:
        ValueError: The window is not within the image.
    """
    batch, undo = _batched(image)
    begin = [0, offset_height, offset_width, 0]
    return undo(arrays.slice(batch, begin, [-1, target_height, target_width, -1]))


def pad_to_bounding_box(image, offset_height, offset_width, target_height, target_width):
    """Puts zeros around images.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        offset_height: Rows above, an int.
        offset_width: Columns to the left, an int.
        target_height: Height of the result, an int.
        target_width: Width of the result, an int.

    Returns:
        A tensor [..., target_height, target_width, channels].

    Raises:
        ValueError: The image does not fit.
    """
    batch, undo = _batched(image)
    sizes = arrays.shape(batch)
    below = target_height - offset_height - sizes[1]
    right = target_width - offset_width - sizes[2]
    pads = [[0, 0], [offset_height, below], [offset_width, right], [0, 0]]
    return undo(arrays.pad(batch, convert_to_tensor(pads, dtypes.int32)))


def resize_with_crop_or_pad(image, target_height, target_width):
    """Cuts out the middle of images, or puts zeros around them, until they have a size.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        target_height: Height of the result, an int.
        target_width: Width of the result, an int.

    Returns:
        A tensor [..., target_height, target_width, channels].
    """
    batch, undo = _batched(image)
    height, width = batch.shape[1], batch.shape[2]
    cut = [max(0, height - target_height), max(0, width - target_width)]
    batch = crop_to_bounding_box(batch, cut[0] // 2, cut[1] // 2, height - cut[0], width - cut[1])
    extra = [max(0, target_height - height), max(0, target_width - width)]
    batch = pad_to_bounding_box(batch, extra[0] // 2, extra[1] // 2, target_height, target_width)
    return undo(batch)


resize_image_with_crop_or_pad = resize_with_crop_or_pad


def central_crop(image, central_fraction):
    """Cuts out the middle of images of known size.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.
        central_fraction: The fraction of each side that stays, a float within (0, 1].

    Returns:
        A tensor with smaller sides.

    Raises:
        ValueError: The size is not known, or the fraction is out of range.
    """
    if not 0 < central_fraction <= 1:
        raise ValueError(f"central_fraction must be in (0, 1], it is {central_fraction}")
    batch, undo = _batched(image)
    height, width = batch.shape[1], batch.shape[2]
    top = int((height - height * central_fraction) / 2)
    left = int((width - width * central_fraction) / 2)
    return undo(crop_to_bounding_box(batch, top, left, height - 2 * top, width - 2 * left))


def per_image_standardization(image):
    """Computes (x - mean) / max(deviation, 1 / sqrt(pixels)) of each image.

    Args:
        image: A tensor [height, width, channels], or with a batch before it.

    Returns:
        A float32 tensor of the shape of image.
    """
    image = convert_to_tensor(image)
    x = image if image.dtype.is_floating else arrays.cast(image, dtypes.float32)
    axes = [-1, -2, -3]
    count = _math.prod(image.shape[-3:])
    deviation = math.maximum(math.reduce_std(x, axes, True), 1 / _math.sqrt(count))
    return (x - math.reduce_mean(x, axes, True)) / deviation


def total_variation(images, name=None):
    """Adds up the differences between neighbouring pixels.

    Args:
        images: A tensor [batch, height, width, channels].
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [batch] of the dtype of images.
    """
    x = convert_to_tensor(images)
    rows = math.abs(x[..., 1:, :, :] - x[..., :-1, :, :])
    columns = math.abs(x[..., 1:, :] - x[..., :-1, :])
    axes = [-3, -2, -1]
    return math.add(math.reduce_sum(rows, axes), math.reduce_sum(columns, axes), name)


def image_gradients(image):
    """Computes the difference to the next row and to the next column, which is 0 at the end.

    Args:
        image: A tensor [batch, height, width, channels].

    Returns:
        A tuple of two tensors of the shape of image.
    """
    x = convert_to_tensor(image)
    dy = arrays.pad(x[:, 1:] - x[:, :-1], [[0, 0], [0, 1], [0, 0], [0, 0]])
    dx = arrays.pad(x[:, :, 1:] - x[:, :, :-1], [[0, 0], [0, 0], [0, 1], [0, 0]])
    return dy, dx


def sobel_edges(image):
    """Computes how much each channel changes down and to the right, by Sobel's filters.

    Args:
        image: A tensor [batch, height, width, channels].

    Returns:
        A tensor [batch, height, width, channels, 2].
    """
    x = convert_to_tensor(image)
    down = np.array([[-1, -2, -1], [0, 0, 0], [1, 2, 1]], np.float32)
    filters = np.stack([down, down.T], -1)[:, :, None, :]
    channels = x.shape[-1]
    padded = arrays.pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]], "REFLECT")
    edges = raw_ops.DepthwiseConv2dNative(
        input=padded, filter=constant(np.tile(filters, [1, 1, channels, 1]), x.dtype),
        strides=[1, 1, 1, 1], padding="VALID",
    )  # fmt: skip
    return arrays.reshape(edges, arrays.concat([arrays.shape(x), [2]], 0))


def psnr(a, b, max_val, name=None):
    """Computes the peak signal to noise ratio of pairs of images.

    Args:
        a: A tensor [..., height, width, channels].
        b: A tensor of the shape and dtype of a.
        max_val: The range of values, a number: 255 for uint8, 1 for floats.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A float32 tensor [...], in decibels.
    """
    a, b = (convert_image_dtype(v, dtypes.float32) for v in (a, b))
    a_dtype = convert_to_tensor(max_val)
    peak = convert_image_dtype(a_dtype, dtypes.float32)
    error = math.reduce_mean(math.squared_difference(a, b), [-3, -2, -1])
    return math.subtract(20 * math.log(peak) / np.log(10), 10 / np.log(10) * math.log(error), name)


def ssim(img1, img2, max_val, filter_size=11, filter_sigma=1.5, k1=0.01, k2=0.03):
    """Computes how alike images are in structure (Wang et al., 2004).

    Args:
        img1: A tensor [..., height, width, channels].
        img2: A tensor of the shape and dtype of img1.
        max_val: The range of values, a number: 255 for uint8, 1 for floats.
        filter_size: Size of the Gaussian window, an int.
        filter_sigma: Width of the Gaussian window, a float.
        k1: Constant of the formula, a float.
        k2: Constant of the formula, a float.

    Returns:
        A float32 tensor [...], at most 1.
    """
    a, b, peak = _measured(img1, img2, max_val)
    found, _ = _ssim_per_channel(a, b, peak, filter_size, filter_sigma, k1, k2)
    return math.reduce_mean(found, [-1])


_SCALES = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)


def ssim_multiscale(img1, img2, max_val, power_factors=_SCALES, filter_size=11, filter_sigma=1.5,
                    k1=0.01, k2=0.03):  # fmt: skip
    """Computes how alike images and their reduced copies are in structure (Wang et al., 2003).

    Args:
        img1: A tensor [..., height, width, channels].
        img2: A tensor of the shape and dtype of img1.
        max_val: The range of values, a number: 255 for uint8, 1 for floats.
        power_factors: The power for each scale, a list of floats.
        filter_size: Size of the Gaussian window, an int.
        filter_sigma: Width of the Gaussian window, a float.
        k1: Constant of the formula, a float.
        k2: Constant of the formula, a float.

    Returns:
        A float32 tensor [...], at most 1.
    """
    a, b, peak = _measured(img1, img2, max_val)
    lead = arrays.shape(a)[:-3]
    a, b = (arrays.reshape(x, arrays.concat([[-1], arrays.shape(x)[-3:]], 0)) for x in (a, b))
    parts = []
    for i in range(len(power_factors)):
        if i:
            a, b = _halved(a), _halved(b)
        found, contrast = _ssim_per_channel(a, b, peak, filter_size, filter_sigma, k1, k2)
        parts.append(raw_ops.Relu(features=contrast if i + 1 < len(power_factors) else found))
    powers = [math.pow(part, factor) for part, factor in zip(parts, power_factors)]
    product = math.reduce_prod(arrays.stack(powers, -1), [-1])
    channels = arrays.shape(product)[-1:]
    return math.reduce_mean(arrays.reshape(product, arrays.concat([lead, channels], 0)), [-1])


def _measured(img1, img2, max_val):
    """Two images and the largest value as floats in [0, 1]."""
    a, b = convert_to_tensor(img1), convert_to_tensor(img2)
    peak = convert_image_dtype(arrays.cast(convert_to_tensor(max_val), a.dtype), dtypes.float32)
    return *(convert_image_dtype(x, dtypes.float32) for x in (a, b)), peak


def _halved(x):
    """Means of 2 x 2 pixels; an odd side is mirrored first."""
    sides = arrays.shape(x)[1:3] % 2
    pads = arrays.stack([[0, 0], arrays.stack([0, sides[0]]), arrays.stack([0, sides[1]]), [0, 0]])
    return raw_ops.AvgPool(
        value=arrays.pad(x, pads, "SYMMETRIC"), ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1],
        padding="VALID",
    )  # fmt: skip


def _ssim_per_channel(a, b, peak, size, sigma, k1, k2):
    """[..., channels]: (luminance times contrast and structure, the latter alone)."""
    steps = np.arange(size) - (size - 1) / 2
    weights = np.exp(-0.5 * (steps / sigma) ** 2)
    kernel = np.outer(weights, weights) / np.sum(weights) ** 2
    channels = a.shape[-1]
    kernel = constant(np.tile(kernel[:, :, None, None], [1, 1, channels, 1]), a.dtype)

    def mean(x):
        sizes = arrays.shape(x)
        flat = arrays.reshape(x, arrays.concat([[-1], sizes[-3:]], 0))
        y = raw_ops.DepthwiseConv2dNative(
            input=flat, filter=kernel, strides=[1, 1, 1, 1], padding="VALID"
        )
        return arrays.reshape(y, arrays.concat([sizes[:-3], arrays.shape(y)[1:]], 0))

    c1, c2 = (k1 * peak) ** 2, (k2 * peak) ** 2
    mean_a, mean_b = mean(a), mean(b)
    both, squares = mean_a * mean_b * 2.0, math.square(mean_a) + math.square(mean_b)
    luminance = (both + c1) / (squares + c1)
    contrast = (mean(a * b) * 2.0 - both + c2) / (mean(a * a + b * b) - squares + c2)
    axes = [-3, -2]
    return math.reduce_mean(luminance * contrast, axes), math.reduce_mean(contrast, axes)


__all__ = with_names(globals())
