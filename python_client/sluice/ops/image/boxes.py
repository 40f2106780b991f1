# SPDX-License-Identifier: Apache-2.0
"""Boxes in images."""

from ...graph.convert import constant, convert_to_tensor
from .. import raw_ops
from ..building import thin, with_names

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


non_max_suppression_overlaps = thin(
    "NonMaxSuppressionWithOverlaps",
    "overlaps scores max_output_size overlap_threshold=0.5 score_threshold=-1e999",
    "Chooses the best boxes by score, leaving out those that overlap a better one too much.",
)


sample_distorted_bounding_box = thin(
    "SampleDistortedBoundingBoxV2",
    "image_size bounding_boxes seed=0 seed2=0 min_object_covered=0.1 aspect_ratio_range=[0.75,1.33]"
    " area_range=[0.05,1.0] max_attempts=100 use_image_if_no_bounding_boxes=False",
    "Draws a random box that is suited to cut out a part of an image.",
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


__all__ = with_names(globals())
