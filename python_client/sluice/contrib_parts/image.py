# SPDX-License-Identifier: Apache-2.0
"""Images that are turned, moved and projected."""

from .. import dtypes, modules
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import name_scope
from ..graph.static_values import static_value
from ..ops import array as arrays
from ..ops import math, raw_ops
from ..ops.math.products import matmul

_DTYPES = ("uint8", "int32", "int64", "float16", "float32", "float64")


def _batch(images):
    """Images of rank 2 to 4 as a batch, and the function that undoes it."""
    if images.dtype.name not in _DTYPES:
        raise TypeError(f"Invalid dtype {images.dtype}.")
    rank = images.get_shape().ndims
    if rank is None:
        raise TypeError("image_or_images rank must be statically known")
    if rank == 2:
        return images[None, :, :, None], lambda batch: batch[0, :, :, 0]
    if rank == 3:
        return images[None, :, :, :], lambda batch: batch[0, :, :, :]
    if rank == 4:
        return images, lambda batch: batch
    raise TypeError("Images should have rank between 2 and 4.")


def _columns(tensor, what, rank):
    """A tensor of this rank or one less as one of this rank."""
    ndims = tensor.get_shape().ndims
    if ndims is None:
        raise TypeError(f"{what} rank must be statically known")
    if ndims not in (rank - 1, rank):
        raise TypeError(f"{what.capitalize()} should have rank {rank - 1} or {rank}.")
    return tensor if ndims == rank else tensor[None]


def rotate(images, angles, interpolation="NEAREST", name=None):
    """Turns images around their centres, against the clock.

    Args:
        images: [batch, height, width, channels], one image of that, or [height, width].
        angles: Radians: a float scalar, or one for each image.
        interpolation: "NEAREST" or "BILINEAR".
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of that shape. Pixels from outside are 0.

    Raises:
        TypeError: The images have another rank or dtype.
    """
    with name_scope(name or "rotate"):
        batch, back = _batch(convert_to_tensor(images))
        size = arrays.cast(arrays.shape(batch), dtypes.float32)
        moves = angles_to_projective_transforms(angles, size[1][None], size[2][None])
        return back(transform(batch, moves, interpolation))


def translate(images, translations, interpolation="NEAREST", name=None):
    """Moves images.

    Args:
        images: [batch, height, width, channels], one image of that, or [height, width].
        translations: [dx, dy], or one of these for each image.
        interpolation: "NEAREST" or "BILINEAR".
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of that shape. Pixels from outside are 0.

    Raises:
        TypeError: The images have another rank or dtype.
    """
    with name_scope(name or "translate"):
        return transform(images, translations_to_projective_transforms(translations), interpolation)


def angles_to_projective_transforms(angles, image_height, image_width, name=None):
    """Makes the projections of rotations.

    Args:
        angles: Radians: a float scalar or vector.
        image_height: Height of the images, a float scalar.
        image_width: Width of the images, a float scalar.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A float tensor [angles, 8]: see transform().
    """
    with name_scope(name or "angles_to_projective_transforms"):
        angles = _columns(convert_to_tensor(angles, dtype=dtypes.float32), "angles", 1)
        cos, sin = math.cos(angles), math.sin(angles)
        right, bottom = image_width - 1, image_height - 1
        x = (right - (cos * right - sin * bottom)) / 2.0
        y = (bottom - (sin * right + cos * bottom)) / 2.0
        zeros = arrays.zeros_like(cos)
        return arrays.stack([cos, -sin, x, sin, cos, y, zeros, zeros], axis=1)


def translations_to_projective_transforms(translations, name=None):
    """Makes the projections of moves.

    Args:
        translations: [dx, dy], or a float tensor [moves, 2].
        name: Name of the operation, a str. None: a default name.

    Returns:
        A float tensor [moves, 8]: see transform().
    """
    with name_scope(name or "translations_to_projective_transforms"):
        moves = convert_to_tensor(translations, dtype=dtypes.float32)
        moves = _columns(moves, "translations", 2)
        x, y = -moves[:, 0], -moves[:, 1]
        ones, zeros = arrays.ones_like(x), arrays.zeros_like(x)
        return arrays.stack([ones, zeros, x, zeros, ones, y, zeros, zeros], axis=1)


def transform(images, transforms, interpolation="NEAREST", output_shape=None, name=None):
    """Projects images.

    The pixel (x, y) of an output is that of the image at
    ((a0 x + a1 y + a2) / k, (b0 x + b1 y + b2) / k), where k = c0 x + c1 y + 1.

    Args:
        images: [batch, height, width, channels], one image of that, or [height, width].
        transforms: [a0, a1, a2, b0, b1, b2, c0, c1], or one of these for each image.
        interpolation: "NEAREST" or "BILINEAR".
        output_shape: [height, width] of the output. None: that of the images.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The images. Pixels from outside are 0.

    Raises:
        TypeError: The images or transforms have another rank or dtype.
        ValueError: output_shape has another shape.
    """
    with name_scope(name or "transform"):
        batch, back = _batch(convert_to_tensor(images))
        transforms = convert_to_tensor(transforms, dtype=dtypes.float32)
        if output_shape is None:
            output_shape = arrays.shape(batch)[1:3]
            value = static_value(output_shape)
            output_shape = output_shape if value is None else value
        output_shape = convert_to_tensor(output_shape, dtype=dtypes.int32)
        if not output_shape.get_shape().is_compatible_with([2]):
            raise ValueError(
                "output_shape must be a 1-D Tensor of 2 elements: new_height, new_width"
            )
        return back(
            raw_ops.ImageProjectiveTransformV2(
                images=batch, transforms=_columns(transforms, "transforms", 2),
                output_shape=output_shape, interpolation=interpolation.upper(),
            )
        )  # fmt: skip


def compose_transforms(*transforms):
    """Makes one projection of several: the last one comes first.

    Args:
        *transforms: Projections, float tensors [8] or [batch, 8].

    Returns:
        A float tensor [batch, 8].
    """
    assert transforms, "transforms cannot be empty"
    with name_scope("compose_transforms"):
        found = flat_transforms_to_matrices(transforms[0])
        for one in transforms[1:]:
            found = matmul(found, flat_transforms_to_matrices(one))
        return matrices_to_flat_transforms(found)


def flat_transforms_to_matrices(transforms):
    """Writes projections as matrices.

    Args:
        transforms: A float tensor [8] or [batch, 8].

    Returns:
        A float tensor [batch, 3, 3].

    Raises:
        ValueError: The rank is another one.
    """
    with name_scope("flat_transforms_to_matrices"):
        transforms = convert_to_tensor(transforms)
        if transforms.shape.ndims not in (1, 2):
            raise ValueError(f"Transforms should be 1D or 2D, got: {transforms}")
        transforms = arrays.reshape(transforms, [-1, 8])
        ones = arrays.ones_like(transforms[:, :1])
        return arrays.reshape(arrays.concat([transforms, ones], 1), [-1, 3, 3])


def matrices_to_flat_transforms(transform_matrices):
    """Writes matrices as projections.

    Args:
        transform_matrices: A float tensor [3, 3] or [batch, 3, 3].

    Returns:
        A float tensor [batch, 8].

    Raises:
        ValueError: The rank is another one.
    """
    with name_scope("matrices_to_flat_transforms"):
        matrices = convert_to_tensor(transform_matrices)
        if matrices.shape.ndims not in (2, 3):
            raise ValueError(f"Matrices should be 2D or 3D, got: {matrices}")
        rows = arrays.reshape(matrices, [-1, 9])
        return (rows / rows[:, 8:9])[:, :8]


def bipartite_match(distance_mat, num_valid_rows, top_k=-1, name="bipartite_match"):
    """Matches rows and columns, the nearest pair first.

    Args:
        distance_mat: Distances, a float tensor [rows, columns].
        num_valid_rows: How many rows count, a float scalar.
        top_k: How many pairs there are at most, an int. -1: no bound.
        name: Name of the operation, a str.

    Returns:
        The column of each row and the row of each column, int32 vectors. -1: none.
    """
    return raw_ops.BipartiteMatch(
        distance_mat=distance_mat, num_valid_rows=num_valid_rows, top_k=top_k, name=name
    )


_FUNCTIONS = (
    angles_to_projective_transforms, bipartite_match, compose_transforms,
    flat_transforms_to_matrices, matrices_to_flat_transforms, rotate, transform, translate,
    translations_to_projective_transforms,
)  # fmt: skip
module = modules.make(
    "contrib.image",
    "Images that are turned, moved and projected.",
    {function.__name__: function for function in _FUNCTIONS},
)
