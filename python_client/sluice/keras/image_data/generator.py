# SPDX-License-Identifier: Apache-2.0
"""Batches of images that change at random in each epoch."""

import warnings

import numpy as np

from ..base import settings
from .changes import apply_affine_transform, apply_brightness_shift, apply_channel_shift
from .iterators import DirectoryIterator, NumpyArrayIterator
from .tables import DataFrameIterator


class ImageDataGenerator:
    """Makes batches of images, changed at random and standardized.

    Args:
        featurewise_center: Whether the mean of the data that fit() saw becomes 0. A bool.
        samplewise_center: Whether the mean of each image becomes 0. A bool.
        featurewise_std_normalization: Whether images are divided by the standard deviation of the
            data that fit() saw. A bool.
        samplewise_std_normalization: Whether each image is divided by its own. A bool.
        zca_whitening: Whether the pixels of the data that fit() saw become uncorrelated. A bool.
        zca_epsilon: A small float, so that nothing is divided by 0.
        rotation_range: The largest angle of a rotation, in degrees.
        width_shift_range: The largest shift of columns: a part below 1, or pixels; or the shifts, a
            list.
        height_shift_range: The largest shift of rows, the same.
        brightness_range: The smallest and the largest factor of brightness. None: it stays.
        shear_range: The largest angle of a shear, in degrees.
        zoom_range: The smallest and the largest factor; or a float d: 1 - d and 1 + d.
        channel_shift_range: The largest number that is added.
        fill_mode: What is outside: "constant", "nearest", "reflect" or "wrap".
        cval: The value outside with "constant", a float.
        horizontal_flip: Whether half of the images are mirrored left to right. A bool.
        vertical_flip: Whether half of the images are mirrored top to bottom. A bool.
        rescale: A factor of all values. None: none.
        preprocessing_function: A function of each changed image. None: none.
        data_format: "channels_last" or "channels_first". None: that of the settings.
        validation_split: The part of the data that subset="validation" is, a float.
        dtype: Dtype of batches, a str. None: that of the settings.

    Raises:
        ValueError: An argument is out of its range.
    """

    def __init__(self, featurewise_center=False, samplewise_center=False,
                 featurewise_std_normalization=False, samplewise_std_normalization=False,
                 zca_whitening=False, zca_epsilon=1e-6, rotation_range=0, width_shift_range=0.0,
                 height_shift_range=0.0, brightness_range=None, shear_range=0.0, zoom_range=0.0,
                 channel_shift_range=0.0, fill_mode="nearest", cval=0.0, horizontal_flip=False,
                 vertical_flip=False, rescale=None, preprocessing_function=None, data_format=None,
                 validation_split=0.0, dtype=None):  # fmt: skip
        data_format = data_format or settings.image_data_format()
        if data_format not in ("channels_last", "channels_first"):
            raise ValueError(
                '`data_format` should be `"channels_last"` or `"channels_first"`. Received: '
                f"{data_format}"
            )
        if validation_split and not 0 < validation_split < 1:
            raise ValueError(
                "`validation_split` must be strictly between 0 and 1.  Received: "
                f"{validation_split}"
            )
        if isinstance(zoom_range, (float, int)):
            zoom_range = [1 - zoom_range, 1 + zoom_range]
        if len(zoom_range) != 2:
            raise ValueError(
                "`zoom_range` should be a float or a tuple or list of two floats. Received: "
                f"{zoom_range}"
            )
        if brightness_range is not None and (
            not isinstance(brightness_range, (tuple, list)) or len(brightness_range) != 2
        ):
            raise ValueError(
                "`brightness_range should be tuple or list of two floats. Received: "
                f"{brightness_range}"
            )
        if zca_whitening and featurewise_std_normalization:
            warnings.warn("zca_whitening overrides featurewise_std_normalization", stacklevel=2)
            featurewise_std_normalization = False
        if (zca_whitening or featurewise_std_normalization) and not featurewise_center:
            warnings.warn("featurewise_center is set too", stacklevel=2)
            featurewise_center = True
        if samplewise_std_normalization and not samplewise_center:
            warnings.warn("samplewise_center is set too", stacklevel=2)
            samplewise_center = True
        self.featurewise_center, self.samplewise_center = featurewise_center, samplewise_center
        self.featurewise_std_normalization = featurewise_std_normalization
        self.samplewise_std_normalization = samplewise_std_normalization
        self.zca_whitening, self.zca_epsilon = zca_whitening, zca_epsilon
        self.rotation_range, self.shear_range = rotation_range, shear_range
        self.width_shift_range, self.height_shift_range = width_shift_range, height_shift_range
        self.brightness_range, self.zoom_range = brightness_range, list(zoom_range)
        self.channel_shift_range, self.fill_mode, self.cval = channel_shift_range, fill_mode, cval
        self.horizontal_flip, self.vertical_flip = horizontal_flip, vertical_flip
        self.rescale, self.preprocessing_function = rescale, preprocessing_function
        self.data_format, self.validation_split = data_format, validation_split
        self.interpolation_order, self.dtype = 1, dtype or settings.floatx()
        last = data_format == "channels_last"
        self.row_axis, self.col_axis, self.channel_axis = (1, 2, 3) if last else (2, 3, 1)
        self.mean = self.std = self.principal_components = None

    def flow(self, x, y=None, batch_size=32, shuffle=True, sample_weight=None, seed=None,
             save_to_dir=None, save_prefix="", save_format="png", subset=None):  # fmt: skip
        """Makes batches of arrays.

        Args:
            x: Images, an array of rank 4; or a pair of it and of other arrays.
            y: Targets, an array. None: none.
            batch_size: How many samples a batch has, an int.
            shuffle: Whether each epoch has another order. A bool.
            sample_weight: Weights, an array. None: none.
            seed: The random seed, an int. None: NumPy's random numbers go on.
            save_to_dir: Folder to which changed images are written, a str. None: none.
            save_prefix: Beginning of the names of those files, a str.
            save_format: Format of those files, a str.
            subset: "training" or "validation". None: all.

        Returns:
            A NumpyArrayIterator.
        """
        return NumpyArrayIterator(
            x, y, self, batch_size, shuffle, sample_weight, seed, self.data_format, save_to_dir,
            save_prefix, save_format, subset, self.dtype,
        )  # fmt: skip

    def flow_from_directory(self, directory, target_size=(256, 256), color_mode="rgb",
                            classes=None, class_mode="categorical", batch_size=32, shuffle=True,
                            seed=None, save_to_dir=None, save_prefix="", save_format="png",
                            follow_links=False, subset=None, interpolation="nearest"):  # fmt: skip
        """Makes batches of the files of a folder, whose folders are the classes.

        Args:
            directory: The folder, a str.
            target_size: Rows and columns, a pair of ints.
            color_mode: "rgb", "rgba" or "grayscale".
            classes: Names of folders, a list of str. None: all, sorted.
            class_mode: The targets: "categorical", "binary", "sparse", "input", or None: none.
            batch_size: How many samples a batch has, an int.
            shuffle: Whether each epoch has another order. A bool.
            seed: The random seed, an int. None: NumPy's random numbers go on.
            save_to_dir: Folder to which changed images are written, a str. None: none.
            save_prefix: Beginning of the names of those files, a str.
            save_format: Format of those files, a str.
            follow_links: Whether links to folders are followed. A bool.
            subset: "training" or "validation". None: all.
            interpolation: How images are resized: see load_img().

        Returns:
            A DirectoryIterator.
        """
        return DirectoryIterator(
            directory, self, target_size, color_mode, classes, class_mode, batch_size, shuffle,
            seed, self.data_format, save_to_dir, save_prefix, save_format, follow_links, subset,
            interpolation, self.dtype,
        )  # fmt: skip

    def flow_from_dataframe(self, dataframe, directory=None, x_col="filename", y_col="class",
                            weight_col=None, target_size=(256, 256), color_mode="rgb",
                            classes=None, class_mode="categorical", batch_size=32, shuffle=True,
                            seed=None, save_to_dir=None, save_prefix="", save_format="png",
                            subset=None, interpolation="nearest", validate_filenames=True,
                            **kwargs):  # fmt: skip
        """Makes batches of the files that a DataFrame of Pandas names.

        Args:
            dataframe: The table.
            directory: The folder of the files, a str. None: the names are paths.
            x_col: Name of the column of the names of files, a str.
            y_col: Name of the column of the targets, a str; or a list of names.
            weight_col: Name of the column of weights, a str. None: none.
            target_size: Rows and columns, a pair of ints.
            color_mode: "rgb", "rgba" or "grayscale".
            classes: The classes that are taken, a list of str. None: all, sorted.
            class_mode: The targets: "categorical", "binary", "sparse", "input", "raw",
                "multi_output", or None: none.
            batch_size: How many samples a batch has, an int.
            shuffle: Whether each epoch has another order. A bool.
            seed: The random seed, an int. None: NumPy's random numbers go on.
            save_to_dir: Folder to which changed images are written, a str. None: none.
            save_prefix: Beginning of the names of those files, a str.
            save_format: Format of those files, a str.
            subset: "training" or "validation". None: all.
            interpolation: How images are resized: see load_img().
            validate_filenames: Whether files that are not there, or are not images, are left out.
            **kwargs: has_ext, sort, drop_duplicates: older arguments. They have no effect.

        Returns:
            An iterator of batches, as flow_from_directory() returns it.

        Raises:
            ValueError: An argument is another one, or class_mode="binary" has other than 2 classes.
            TypeError: A column has values of another type.
        """
        for name in ("has_ext", "sort", "drop_duplicates"):
            if name in kwargs:
                warnings.warn(f"{name} is deprecated and has no effect", stacklevel=2)
        if class_mode == "other":
            warnings.warn('class_mode "other" is deprecated, please use "raw"', stacklevel=2)
            class_mode = "raw"
        return DataFrameIterator(
            dataframe, directory, self, x_col, y_col, weight_col, target_size, color_mode, classes,
            class_mode, batch_size, shuffle, seed, self.data_format, save_to_dir, save_prefix,
            save_format, subset, interpolation, self.dtype, validate_filenames,
        )  # fmt: skip

    def standardize(self, x):
        """Scales an image, as the arguments say. It may change the array.

        Args:
            x: The image, an array of floats.

        Returns:
            An array.
        """
        if self.preprocessing_function:
            x = self.preprocessing_function(x)
        if self.rescale:
            x *= self.rescale
        if self.samplewise_center:
            x -= np.mean(x, keepdims=True)
        if self.samplewise_std_normalization:
            x /= np.std(x, keepdims=True) + 1e-6
        if self.featurewise_center and self._fitted(self.mean, "featurewise_center"):
            x -= self.mean
        if self.featurewise_std_normalization and self._fitted(
            self.std, "featurewise_std_normalization"
        ):
            x /= self.std + 1e-6
        if self.zca_whitening and self._fitted(self.principal_components, "zca_whitening"):
            flat = np.reshape(x, (-1, np.prod(x.shape[-3:])))
            x = np.reshape(np.dot(flat, self.principal_components), x.shape)
        return x

    def _fitted(self, value, argument):
        if value is None:
            warnings.warn(
                f"This ImageDataGenerator specifies `{argument}`, but it hasn't been fit on any "
                "training data. Fit it first by calling `.fit(numpy_data)`.", stacklevel=3,
            )  # fmt: skip
        return value is not None

    def get_random_transform(self, img_shape, seed=None):
        """Draws the changes of one image.

        Args:
            img_shape: Shape of the image, a tuple of ints.
            seed: The random seed, an int. None: NumPy's random numbers go on.

        Returns:
            A dict of theta, tx, ty, shear, zx, zy, flip_horizontal, flip_vertical,
            channel_shift_intensity and brightness.
        """
        if seed is not None:
            np.random.seed(seed)
        uniform = np.random.uniform
        theta = uniform(-self.rotation_range, self.rotation_range) if self.rotation_range else 0
        tx = _shift(self.height_shift_range, img_shape[self.row_axis - 1])
        ty = _shift(self.width_shift_range, img_shape[self.col_axis - 1])
        shear = uniform(-self.shear_range, self.shear_range) if self.shear_range else 0
        zx, zy = (1, 1) if self.zoom_range == [1, 1] else uniform(*self.zoom_range, 2)
        found = {"theta": theta, "tx": tx, "ty": ty, "shear": shear, "zx": zx, "zy": zy}
        found["flip_horizontal"] = (np.random.random() < 0.5) * self.horizontal_flip
        found["flip_vertical"] = (np.random.random() < 0.5) * self.vertical_flip
        found["channel_shift_intensity"] = found["brightness"] = None
        if self.channel_shift_range != 0:
            found["channel_shift_intensity"] = uniform(
                -self.channel_shift_range, self.channel_shift_range
            )
        if self.brightness_range is not None:
            found["brightness"] = uniform(*self.brightness_range)
        return found

    def apply_transform(self, x, transform_parameters):
        """Changes an image.

        Args:
            x: The image, an array of rank 3.
            transform_parameters: What get_random_transform() returned, or a part of it.

        Returns:
            An array of the same shape.
        """
        given = transform_parameters
        rows, columns, channels = self.row_axis - 1, self.col_axis - 1, self.channel_axis - 1
        x = apply_affine_transform(
            x, given.get("theta", 0), given.get("tx", 0), given.get("ty", 0),
            given.get("shear", 0), given.get("zx", 1), given.get("zy", 1), row_axis=rows,
            col_axis=columns, channel_axis=channels, fill_mode=self.fill_mode, cval=self.cval,
            order=self.interpolation_order,
        )  # fmt: skip
        if given.get("channel_shift_intensity") is not None:
            x = apply_channel_shift(x, given["channel_shift_intensity"], channels)
        if given.get("flip_horizontal", False):
            x = np.flip(x, columns)
        if given.get("flip_vertical", False):
            x = np.flip(x, rows)
        if given.get("brightness") is not None:
            x = apply_brightness_shift(x, given["brightness"])
        return x

    def random_transform(self, x, seed=None):
        """Changes an image at random.

        Args:
            x: The image, an array of rank 3.
            seed: The random seed, an int. None: NumPy's random numbers go on.

        Returns:
            An array of the same shape.
        """
        return self.apply_transform(x, self.get_random_transform(x.shape, seed))

    def fit(self, x, augment=False, rounds=1, seed=None):
        """Measures the data for featurewise_center, featurewise_std_normalization, zca_whitening.

        Args:
            x: Images, an array of rank 4.
            augment: Whether the images are changed at random. A bool.
            rounds: How often, an int.
            seed: The random seed, an int. None: NumPy's random numbers go on.

        Raises:
            ValueError: x has another rank.
        """
        x = np.array(x, dtype=self.dtype)
        if x.ndim != 4:
            raise ValueError(
                f"Input to `.fit()` should have rank 4. Got array with shape: {x.shape}"
            )
        if seed is not None:
            np.random.seed(seed)
        if self.rescale:
            x *= self.rescale
        if augment:
            x = np.array(
                [self.random_transform(image) for _ in range(rounds) for image in x], self.dtype
            )
        places = 0, self.row_axis, self.col_axis
        shape = [1, 1, 1]
        shape[self.channel_axis - 1] = x.shape[self.channel_axis]
        if self.featurewise_center:
            self.mean = np.reshape(np.mean(x, axis=places), shape)
            x -= self.mean
        if self.featurewise_std_normalization:
            self.std = np.reshape(np.std(x, axis=places), shape)
            x /= self.std + 1e-6
        if self.zca_whitening:
            flat = np.reshape(x, (x.shape[0], -1))
            u, s, _ = np.linalg.svd(np.dot(flat.T, flat) / flat.shape[0])
            self.principal_components = (u / np.sqrt(s[np.newaxis] + self.zca_epsilon)).dot(u.T)


def _shift(most, size):
    """A random shift in pixels: of a range, or one of a list."""
    if not np.any(most):
        return 0
    try:  # an int, or a list
        shift = np.random.choice(most)
        shift *= np.random.choice([-1, 1])
    except ValueError:
        shift = np.random.uniform(-most, most)
    return shift * size if np.max(most) < 1 else shift


__all__ = ["ImageDataGenerator"]
