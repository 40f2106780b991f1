# SPDX-License-Identifier: Apache-2.0
"""Blocks of pixels, moved to channels or to the batch and back."""

from ..building import thin, with_names

space_to_depth = thin(
    "SpaceToDepth",
    "input block_size name data_format='NHWC'",
    "Moves blocks of pixels into channels.",
)


depth_to_space = thin(
    "DepthToSpace",
    "input block_size name data_format='NHWC'",
    "Moves channels into blocks of pixels. It is the reverse of space_to_depth().",
)


space_to_batch = thin(
    "SpaceToBatch",
    "input paddings block_size|block_shape",
    "Moves pixels of padded blocks into the batch.",
)


batch_to_space = thin(
    "BatchToSpace",
    "input crops block_size|block_shape",
    "Moves images of the batch into blocks of pixels. It is the reverse of space_to_batch().",
)


__all__ = with_names(globals())
