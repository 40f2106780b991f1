# SPDX-License-Identifier: Apache-2.0
"""Patches of images and volumes."""

from ..building import thin, with_names

extract_image_patches = thin(
    "ExtractImagePatches",
    "images ksizes|sizes strides=None rates=None padding=None",
    "Cuts patches out of images.",
)


extract_volume_patches = thin(
    "ExtractVolumePatches", "input ksizes strides padding", "Cuts patches out of volumes."
)


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


__all__ = with_names(globals())
