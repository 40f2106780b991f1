# SPDX-License-Identifier: Apache-2.0
"""Random changes of one image: an array of rank 3, by NumPy's global random numbers."""

import numpy as np

from .files import array_to_img, img_to_array, pillow


def apply_affine_transform(x, theta=0, tx=0, ty=0, shear=0, zx=1, zy=1, row_axis=0, col_axis=1,
                           channel_axis=2, fill_mode="nearest", cval=0.0, order=1):  # fmt: skip
    """Rotates, shifts, shears and zooms an image about its centre, in this order.

    Args:
        x: The image, an array of rank 3.
        theta: The angle of the rotation, in degrees.
        tx: The shift of rows, in pixels.
        ty: The shift of columns, in pixels.
        shear: The angle of the shear, in degrees.
        zx: The factor of rows, a float.
        zy: The factor of columns, a float.
        row_axis: The dimension of rows, an int.
        col_axis: The dimension of columns, an int.
        channel_axis: The dimension of channels, an int.
        fill_mode: What is outside: "constant", "nearest", "reflect" or "wrap".
        cval: The value outside with "constant", a float.
        order: Order of the splines, an int.

    Returns:
        An array of the same shape.

    Raises:
        ImportError: It is changed, and the Python package SciPy is not installed.
    """
    angle, lean = np.deg2rad(theta), np.deg2rad(shear)
    cos, sin = np.cos(angle), np.sin(angle)
    steps = []
    if theta != 0:
        steps.append([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    if tx != 0 or ty != 0:
        steps.append([[1, 0, tx], [0, 1, ty], [0, 0, 1]])
    if shear != 0:
        steps.append([[1, -np.sin(lean), 0], [0, np.cos(lean), 0], [0, 0, 1]])
    if zx != 1 or zy != 1:
        steps.append([[zx, 0, 0], [0, zy, 0], [0, 0, 1]])
    if not steps:
        return x
    try:
        from scipy import ndimage
    except ImportError:
        raise ImportError("Image transformations require SciPy. Install SciPy.") from None
    matrix = np.array(steps[0])
    for step in steps[1:]:
        matrix = np.dot(matrix, np.array(step))
    middle = [float(x.shape[axis]) / 2 + 0.5 for axis in (row_axis, col_axis)]
    there = np.array([[1, 0, middle[0]], [0, 1, middle[1]], [0, 0, 1]])
    back = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1]])
    matrix = np.dot(np.dot(there, matrix), back)
    changed = [
        ndimage.affine_transform(
            channel, matrix[:2, :2], matrix[:2, 2], order=order, mode=fill_mode, cval=cval
        )
        for channel in np.moveaxis(x, channel_axis, 0)
    ]
    return np.moveaxis(np.stack(changed, axis=0), 0, channel_axis)


def apply_channel_shift(x, intensity, channel_axis=0):
    """Adds a number to an image, within its smallest and largest value.

    Args:
        x: The image, an array of rank 3.
        intensity: The number.
        channel_axis: The dimension of channels, an int. It has no effect.

    Returns:
        An array of the same shape.
    """
    del channel_axis
    return np.clip(x + intensity, np.min(x), np.max(x))


def apply_brightness_shift(x, brightness):
    """Changes the brightness of an image.

    Args:
        x: The image, an array of rank 3, channels last.
        brightness: The factor, a float: 1 leaves it.

    Returns:
        An array of the same shape, of values 0 ... 255.

    Raises:
        ImportError: Pillow is not installed.
    """
    pillow("apply_brightness_shift")
    from PIL import ImageEnhance

    return img_to_array(ImageEnhance.Brightness(array_to_img(x)).enhance(brightness))


def _about(doc, amount):
    """The documentation of a random affine change."""
    return f"""{doc}

    Args:
        x: The image, an array of rank 3.
        {amount}
        row_axis: The dimension of rows, an int.
        col_axis: The dimension of columns, an int.
        channel_axis: The dimension of channels, an int.
        fill_mode: What is outside: "constant", "nearest", "reflect" or "wrap".
        cval: The value outside with "constant", a float.
        interpolation_order: Order of the splines, an int.

    Returns:
        An array of the same shape.
    """


def random_rotation(x, rg, row_axis=1, col_axis=2, channel_axis=0, fill_mode="nearest", cval=0.0,
                    interpolation_order=1):  # fmt: skip
    theta = np.random.uniform(-rg, rg)
    return apply_affine_transform(
        x, theta, row_axis=row_axis, col_axis=col_axis, channel_axis=channel_axis,
        fill_mode=fill_mode, cval=cval, order=interpolation_order,
    )  # fmt: skip


def random_shift(x, wrg, hrg, row_axis=1, col_axis=2, channel_axis=0, fill_mode="nearest",
                 cval=0.0, interpolation_order=1):  # fmt: skip
    tx = np.random.uniform(-hrg, hrg) * x.shape[row_axis]
    ty = np.random.uniform(-wrg, wrg) * x.shape[col_axis]
    return apply_affine_transform(
        x, tx=tx, ty=ty, row_axis=row_axis, col_axis=col_axis, channel_axis=channel_axis,
        fill_mode=fill_mode, cval=cval, order=interpolation_order,
    )  # fmt: skip


def random_shear(x, intensity, row_axis=1, col_axis=2, channel_axis=0, fill_mode="nearest",
                 cval=0.0, interpolation_order=1):  # fmt: skip
    shear = np.random.uniform(-intensity, intensity)
    return apply_affine_transform(
        x, shear=shear, row_axis=row_axis, col_axis=col_axis, channel_axis=channel_axis,
        fill_mode=fill_mode, cval=cval, order=interpolation_order,
    )  # fmt: skip


def random_zoom(x, zoom_range, row_axis=1, col_axis=2, channel_axis=0, fill_mode="nearest",
                cval=0.0, interpolation_order=1):  # fmt: skip
    if len(zoom_range) != 2:
        raise ValueError(
            f"`zoom_range` should be a tuple or list of two floats. Received: {zoom_range}"
        )
    zx = zy = 1
    if not zoom_range[0] == zoom_range[1] == 1:
        zx, zy = np.random.uniform(*zoom_range, 2)
    return apply_affine_transform(
        x, zx=zx, zy=zy, row_axis=row_axis, col_axis=col_axis, channel_axis=channel_axis,
        fill_mode=fill_mode, cval=cval, order=interpolation_order,
    )  # fmt: skip


random_rotation.__doc__ = _about(
    "Rotates an image by a random angle.", "rg: The largest angle, in degrees."
)
random_shift.__doc__ = _about(
    "Shifts an image by random parts of its sizes.",
    "wrg: The largest part of the columns, a float.\n"
    "        hrg: The largest part of the rows, a float.",
)
random_shear.__doc__ = _about(
    "Shears an image by a random angle.", "intensity: The largest angle, in degrees."
)
random_zoom.__doc__ = _about(
    "Zooms an image by random factors.",
    "zoom_range: The smallest and the largest factor, a pair of floats.",
)


def random_channel_shift(x, intensity_range, channel_axis=0):
    """Adds a random number to an image, within its smallest and largest value.

    Args:
        x: The image, an array of rank 3.
        intensity_range: The largest number.
        channel_axis: The dimension of channels, an int.

    Returns:
        An array of the same shape.
    """
    return apply_channel_shift(
        x, np.random.uniform(-intensity_range, intensity_range), channel_axis
    )


def random_brightness(x, brightness_range):
    """Changes the brightness of an image by a random factor.

    Args:
        x: The image, an array of rank 3, channels last.
        brightness_range: The smallest and the largest factor, a pair of floats.

    Returns:
        An array of the same shape, of values 0 ... 255.

    Raises:
        ValueError: brightness_range is not a pair.
    """
    if len(brightness_range) != 2:
        raise ValueError(
            f"`brightness_range should be tuple or list of two floats. Received: {brightness_range}"
        )
    return apply_brightness_shift(x, np.random.uniform(*brightness_range))


__all__ = """
    apply_affine_transform apply_brightness_shift apply_channel_shift random_brightness
    random_channel_shift random_rotation random_shear random_shift random_zoom
""".split()
