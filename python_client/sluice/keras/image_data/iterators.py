# SPDX-License-Identifier: Apache-2.0
"""Batches of images, of arrays and of folders of files."""

import os
import threading

import numpy as np

from ..base import settings
from ..base.sequences import Sequence
from .files import array_to_img, img_to_array, load_img


class Iterator(Sequence):
    """Batches of `n` samples, without end: by next(), or by their number within an epoch.

    Args:
        n: How many samples there are, an int.
        batch_size: How many samples a batch has, an int.
        shuffle: Whether each epoch has another order. A bool.
        seed: The random seed, an int. None: NumPy's random numbers go on.
    """

    white_list_formats = ("png", "jpg", "jpeg", "bmp", "ppm", "tif", "tiff")

    def __init__(self, n, batch_size, shuffle, seed):
        self.n, self.batch_size, self.seed, self.shuffle = n, batch_size, seed, shuffle
        self.batch_index = self.total_batches_seen = 0
        self.lock = threading.Lock()
        self.index_array = None
        self.index_generator = self._flow_index()

    def _set_index_array(self):
        self.index_array = np.random.permutation(self.n) if self.shuffle else np.arange(self.n)

    def _seed_batch(self):
        if self.seed is not None:
            np.random.seed(self.seed + self.total_batches_seen)

    def __getitem__(self, idx):
        if idx >= len(self):
            raise ValueError(
                f"Asked to retrieve element {idx}, but the Sequence has length {len(self)}"
            )
        self._seed_batch()
        self.total_batches_seen += 1
        if self.index_array is None:
            self._set_index_array()
        first = self.batch_size * idx
        return self._get_batches_of_transformed_samples(
            self.index_array[first : first + self.batch_size]
        )

    def __len__(self):
        return -(-self.n // self.batch_size)

    def on_epoch_end(self):
        """Makes the order of the next epoch."""
        self._set_index_array()

    def reset(self):
        """Begins the epoch anew."""
        self.batch_index = 0

    def _flow_index(self):
        self.reset()
        while True:
            self._seed_batch()
            if self.batch_index == 0:
                self._set_index_array()
            first = (self.batch_index * self.batch_size) % self.n if self.n else 0
            self.batch_index = self.batch_index + 1 if first + self.batch_size < self.n else 0
            self.total_batches_seen += 1
            yield self.index_array[first : first + self.batch_size]

    def __iter__(self):
        return self

    def __next__(self):
        return self.next()

    def next(self):
        """Returns the next batch.

        Returns:
            What the derived class makes of the samples.
        """
        with self.lock:
            chosen = next(self.index_generator)
        return self._get_batches_of_transformed_samples(chosen)

    def _get_batches_of_transformed_samples(self, index_array):
        """The batch of the samples of these numbers."""
        raise NotImplementedError


def _changed(generator, x):
    x = generator.apply_transform(x, generator.get_random_transform(x.shape))
    return generator.standardize(x)


def _save(images, numbers, data_format, folder, prefix, kind, most):
    for x, number in zip(images, numbers):
        image = array_to_img(x, data_format, scale=True)
        name = f"{prefix}_{number}_{np.random.randint(most)}.{kind}"
        image.save(os.path.join(folder, name))


def _check_subset(subset):
    if subset not in (None, "training", "validation"):
        raise ValueError(f'Invalid subset name: {subset}; expected "training" or "validation"')


class NumpyArrayIterator(Iterator):
    """Batches of arrays.

    Args:
        x: Images, an array of rank 4; or a pair of it and of another array or a list of arrays.
        y: Targets, an array. None: none.
        image_data_generator: The ImageDataGenerator that changes the images.
        batch_size: How many samples a batch has, an int.
        shuffle: Whether each epoch has another order. A bool.
        sample_weight: Weights, an array. None: none.
        seed: The random seed, an int. None: NumPy's random numbers go on.
        data_format: "channels_last" or "channels_first". None: that of the settings.
        save_to_dir: Folder to which changed images are written, a str. None: none.
        save_prefix: Beginning of the names of those files, a str.
        save_format: Format of those files, a str.
        subset: "training" or "validation", of the generator's validation_split. None: all.
        dtype: Dtype of batches, a str. None: that of the settings.

    Raises:
        ValueError: Arrays have different lengths, or x has another rank.
    """

    def __init__(self, x, y, image_data_generator, batch_size=32, shuffle=False,
                 sample_weight=None, seed=None, data_format=None, save_to_dir=None,
                 save_prefix="", save_format="png", subset=None, dtype=None):  # fmt: skip
        more = []
        if isinstance(x, (tuple, list)):
            x, more = x[0], x[1] if isinstance(x[1], list) else [x[1]]
        more = [np.asarray(one) for one in more]
        _check_subset(subset)
        given = [("y", y), ("sample_weight", sample_weight), *(("x", one) for one in more)]
        for name, one in given:
            if one is not None and len(one) != len(x):
                raise ValueError(
                    f"`x` (images tensor) and `{name}` should have the same length. Found: "
                    f"{len(x)} and {len(one)}"
                )
        if subset is not None:
            middle = int(len(x) * image_data_generator.validation_split)
            if y is not None and not np.array_equal(np.unique(y[:middle]), np.unique(y[middle:])):
                raise ValueError(
                    "Training and validation subsets have different number of classes after the "
                    "split. If your numpy arrays are sorted by the label, you might want to "
                    "shuffle them."
                )
            part = slice(middle) if subset == "validation" else slice(middle, None)
            x, y = x[part], None if y is None else y[part]
            more = [one[part] for one in more]
        self.dtype = dtype or settings.floatx()
        self.x, self.x_misc = np.asarray(x, dtype=self.dtype), more
        if self.x.ndim != 4:
            raise ValueError(
                "Input data in `NumpyArrayIterator` should have rank 4. You passed an array with "
                f"shape {self.x.shape}"
            )
        self.y = None if y is None else np.asarray(y)
        self.sample_weight = None if sample_weight is None else np.asarray(sample_weight)
        self.image_data_generator = image_data_generator
        self.data_format = data_format or settings.image_data_format()
        self.save_to_dir, self.save_prefix = save_to_dir, save_prefix
        self.save_format = save_format
        super().__init__(len(x), batch_size, shuffle, seed)

    def _get_batches_of_transformed_samples(self, index_array):
        images = np.zeros((len(index_array), *self.x.shape[1:]), dtype=self.dtype)
        for place, number in enumerate(index_array):
            x = self.x[number].astype(self.dtype)
            images[place] = _changed(self.image_data_generator, x)
        if self.save_to_dir:
            _save(images, index_array, self.data_format, self.save_to_dir, self.save_prefix,
                  self.save_format, 10000)  # fmt: skip
        more = [one[index_array] for one in self.x_misc]
        found = ([images, *more] if more else images,)
        if self.y is None:
            return found[0]
        found += (self.y[index_array],)
        return found if self.sample_weight is None else (*found, self.sample_weight[index_array])


class FileIterator(Iterator):
    """Batches of files, the base class of those of folders and tables.

    A derived class sets class_mode, filenames, classes, class_indices and, before its own arguments
    are read, calls set_processing_attrs().
    """

    sample_weight = None
    classes = class_indices = targets = None

    def set_processing_attrs(self, image_data_generator, target_size, color_mode, data_format,
                             save_to_dir, save_prefix, save_format, subset,
                             interpolation):  # fmt: skip
        """Keeps how files become batches: see DirectoryIterator.

        Args:
            image_data_generator: The ImageDataGenerator that changes the images.
            target_size: Rows and columns, a pair of ints.
            color_mode: "rgb", "rgba" or "grayscale".
            data_format: "channels_last" or "channels_first". None: that of the settings.
            save_to_dir: Folder to which changed images are written, a str. None: none.
            save_prefix: Beginning of the names of those files, a str.
            save_format: Format of those files, a str.
            subset: "training" or "validation", of the generator's validation_split. None: all.
            interpolation: How images are resized: see load_img().

        Raises:
            ValueError: color_mode or subset is another one.
        """
        channels = {"grayscale": 1, "rgb": 3, "rgba": 4}
        if color_mode not in channels:
            raise ValueError(
                f'Invalid color mode: {color_mode}; expected "rgb", "rgba", or "grayscale".'
            )
        _check_subset(subset)
        self.image_data_generator = image_data_generator
        self.target_size, self.color_mode = tuple(target_size), color_mode
        self.data_format = data_format or settings.image_data_format()
        count = (channels[color_mode],)
        last = self.data_format == "channels_last"
        self.image_shape = self.target_size + count if last else count + self.target_size
        self.save_to_dir, self.save_prefix = save_to_dir, save_prefix
        self.save_format, self.interpolation, self.subset = save_format, interpolation, subset
        part = image_data_generator.validation_split
        self.split = {None: (0, 1), "validation": (0, part), "training": (part, 1)}[subset]

    def _part_of(self, samples):
        """The samples of the subset, a list: `samples` are all."""
        return samples[int(self.split[0] * len(samples)) : int(self.split[1] * len(samples))]

    @property
    def filepaths(self):
        """The paths of the files, a list of str."""
        return [os.path.join(self.directory, name) for name in self.filenames]

    @property
    def labels(self):
        """The targets as they are given: numbers of classes, or columns of a table."""
        return self.classes if self.targets is None else self.targets

    def _get_batches_of_transformed_samples(self, index_array):
        images = np.zeros((len(index_array), *self.image_shape), dtype=self.dtype)
        for place, number in enumerate(index_array):
            image = load_img(
                os.path.join(self.directory, self.filenames[number]), color_mode=self.color_mode,
                target_size=self.target_size, interpolation=self.interpolation,
            )  # fmt: skip
            x = img_to_array(image, self.data_format)
            images[place] = _changed(self.image_data_generator, x)
        if self.save_to_dir:
            _save(images, index_array, self.data_format, self.save_to_dir, self.save_prefix,
                  self.save_format, 10000000)  # fmt: skip
        if self.class_mode is None:
            return images
        found = images, self._targets_of(images, index_array)
        weights = self.sample_weight
        return found if weights is None else (*found, weights[index_array])

    def _targets_of(self, images, index_array):
        """The targets of a batch."""
        if self.class_mode == "input":
            return images.copy()
        if self.class_mode == "multi_output":
            return [column[index_array] for column in self.targets]
        if self.class_mode == "raw":
            return self.targets[index_array]
        own = [self.classes[number] for number in index_array]
        if self.class_mode != "categorical":
            return np.array(own, dtype=self.dtype)
        rows = np.zeros((len(own), len(self.class_indices)), dtype=self.dtype)
        for row, numbers in zip(rows, own):
            row[numbers] = 1
        return rows


class DirectoryIterator(FileIterator):
    """Batches of the files of a folder, whose folders are the classes.

    Args:
        directory: The folder, a str.
        image_data_generator: The ImageDataGenerator that changes the images.
        target_size: Rows and columns, a pair of ints.
        color_mode: "rgb", "rgba" or "grayscale".
        classes: Names of folders, a list of str. None: all, sorted.
        class_mode: The targets: "categorical", "binary", "sparse", "input", or None: none.
        batch_size: How many samples a batch has, an int.
        shuffle: Whether each epoch has another order. A bool.
        seed: The random seed, an int. None: NumPy's random numbers go on.
        data_format: "channels_last" or "channels_first". None: that of the settings.
        save_to_dir: Folder to which changed images are written, a str. None: none.
        save_prefix: Beginning of the names of those files, a str.
        save_format: Format of those files, a str.
        follow_links: Whether links to folders are followed. A bool.
        subset: "training" or "validation", of the generator's validation_split. None: all.
        interpolation: How images are resized: see load_img().
        dtype: Dtype of batches, a str. None: that of the settings.

    Raises:
        ValueError: color_mode, class_mode or subset is another one.
    """

    allowed_class_modes = {"categorical", "binary", "sparse", "input", None}

    def __init__(self, directory, image_data_generator, target_size=(256, 256), color_mode="rgb",
                 classes=None, class_mode="categorical", batch_size=32, shuffle=True, seed=None,
                 data_format=None, save_to_dir=None, save_prefix="", save_format="png",
                 follow_links=False, subset=None, interpolation="nearest",
                 dtype=None):  # fmt: skip
        self.set_processing_attrs(
            image_data_generator, target_size, color_mode, data_format, save_to_dir, save_prefix,
            save_format, subset, interpolation,
        )  # fmt: skip
        if class_mode not in self.allowed_class_modes:
            raise ValueError(
                f"Invalid class_mode: {class_mode}; expected one of: {self.allowed_class_modes}"
            )
        self.directory, self.class_mode = directory, class_mode
        self.dtype = dtype or settings.floatx()
        if not classes:
            inside = sorted(os.listdir(directory))
            classes = [name for name in inside if os.path.isdir(os.path.join(directory, name))]
        self.num_classes = len(classes)
        self.class_indices = {name: number for number, name in enumerate(classes)}
        self.filenames, numbers = [], []
        for number, name in enumerate(classes):
            own = self._files_of(name, follow_links)
            self.filenames += own
            numbers += [number] * len(own)
        self.samples, self.classes = len(numbers), np.array(numbers, dtype="int32")
        print(f"Found {self.samples} images belonging to {self.num_classes} classes.")
        super().__init__(self.samples, batch_size, shuffle, seed)

    def _files_of(self, name, follow_links):
        """Paths, relative to the folder, of the files of one class."""
        found = []
        walked = os.walk(os.path.join(self.directory, name), followlinks=follow_links)
        for root, _, files in sorted(walked, key=lambda entry: entry[0]):
            for file in sorted(files):
                if file.lower().endswith(self.white_list_formats):
                    found.append(os.path.relpath(os.path.join(root, file), self.directory))
        return self._part_of(found)


__all__ = ["DirectoryIterator", "Iterator", "NumpyArrayIterator"]
