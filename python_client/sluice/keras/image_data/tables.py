# SPDX-License-Identifier: Apache-2.0
"""Batches of the files that a table names, with targets in its other columns."""

import os
import warnings

import numpy as np

from .iterators import FileIterator

_WITHOUT_CLASSES = ("input", "multi_output", "raw", None)


class DataFrameIterator(FileIterator):
    """Batches of the files that a DataFrame of Pandas names.

    Args:
        dataframe: The table.
        directory: The folder of the files, a str. None: the names are paths.
        image_data_generator: The ImageDataGenerator that changes the images.
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
        data_format: "channels_last" or "channels_first". None: that of the settings.
        save_to_dir: Folder to which changed images are written, a str. None: none.
        save_prefix: Beginning of the names of those files, a str.
        save_format: Format of those files, a str.
        subset: "training" or "validation", of the generator's validation_split. None: all.
        interpolation: How images are resized: see load_img().
        dtype: Dtype of batches, a str. None: that of the settings.
        validate_filenames: Whether files that are not there, or are not images, are left out.

    Raises:
        ValueError: An argument is another one, or class_mode="binary" has other than 2 classes.
        TypeError: A column has values of another type.
    """

    allowed_class_modes = {"binary", "categorical", "input", "multi_output", "raw", "sparse", None}

    def __init__(self, dataframe, directory=None, image_data_generator=None, x_col="filename",
                 y_col="class", weight_col=None, target_size=(256, 256), color_mode="rgb",
                 classes=None, class_mode="categorical", batch_size=32, shuffle=True, seed=None,
                 data_format="channels_last", save_to_dir=None, save_prefix="", save_format="png",
                 subset=None, interpolation="nearest", dtype="float32",
                 validate_filenames=True):  # fmt: skip
        self.set_processing_attrs(
            image_data_generator, target_size, color_mode, data_format, save_to_dir, save_prefix,
            save_format, subset, interpolation,
        )  # fmt: skip
        self.directory, self.class_mode, self.dtype = directory or "", class_mode, dtype
        self._check(dataframe, x_col, y_col, weight_col, classes)
        names = list(dataframe[x_col])
        rows = list(range(len(names)))
        if validate_filenames:
            rows = self._valid(rows, names, x_col)
        labels = None
        if class_mode not in _WITHOUT_CLASSES:
            given = list(dataframe[y_col])
            labels = _labels(given, classes)
            rows = [row for row in rows if labels[row]]
            if not classes:
                classes = {one for row in rows for one in labels[row]}
            self.class_indices = {one: number for number, one in enumerate(sorted(set(classes)))}
        rows = self._part_of(rows)
        self.filenames = [names[row] for row in rows]
        self.samples = len(rows)
        if labels is not None:
            self.classes = [self._numbers(given[row], labels[row]) for row in rows]
        if class_mode == "multi_output":
            columns = [list(dataframe[column]) for column in y_col]
            self.targets = [np.array([column[row] for row in rows]) for column in columns]
        if class_mode == "raw":
            self.targets = np.asarray(dataframe[y_col])[rows]
        if weight_col:
            self.sample_weight = np.asarray(dataframe[weight_col])[rows]
        kind = "validated" if validate_filenames else "non-validated"
        of = "" if labels is None else f" belonging to {len(self.class_indices)} classes"
        print(f"Found {self.samples} {kind} image filenames{of}.")
        super().__init__(self.samples, batch_size, shuffle, seed)

    def _check(self, table, x_col, y_col, weight_col, classes):
        mode = self.class_mode
        if mode not in self.allowed_class_modes:
            raise ValueError(
                f"Invalid class_mode: {mode}; expected one of: {self.allowed_class_modes}"
            )
        if mode == "multi_output" and not isinstance(y_col, list):
            raise TypeError(
                f'If class_mode="{mode}", y_col must be a list. Received {type(y_col).__name__}.'
            )
        if not all(isinstance(name, str) for name in table[x_col]):
            raise TypeError(f"All values in column x_col={x_col} must be strings.")
        kinds = {"categorical": (str, list, tuple), "binary": str, "sparse": str}
        if mode in kinds and not all(isinstance(one, kinds[mode]) for one in table[y_col]):
            what = "must be type string, list or tuple" if mode == "categorical" else (
                "must be strings"
            )  # fmt: skip
            raise TypeError(f'If class_mode="{mode}", y_col="{y_col}" column values {what}.')
        if mode == "binary":
            count = len(set(classes or table[y_col]))
            if count != 2:
                found = f"{count} class/es were given." if classes else f"Found {count} classes."
                raise ValueError(f'If class_mode="binary" there must be 2 classes. {found}')
        if classes and mode in _WITHOUT_CLASSES:
            warnings.warn(f'`classes` will be ignored given the class_mode="{mode}"', stacklevel=3)
        if weight_col and np.asarray(table[weight_col]).dtype.kind not in "iufc":
            raise TypeError(f"Column weight_col={weight_col} must be numeric.")

    def _valid(self, rows, names, x_col):
        """The rows whose files are there and are images."""
        paths = [os.path.join(self.directory, name) for name in names]
        kept = [
            row for row in rows
            if paths[row].lower().endswith(self.white_list_formats) and os.path.isfile(paths[row])
        ]  # fmt: skip
        if len(kept) < len(rows):
            warnings.warn(
                f'Found {len(rows) - len(kept)} invalid image filename(s) in x_col="{x_col}". '
                "These filename(s) will be ignored.", stacklevel=3,
            )  # fmt: skip
        return kept

    def _numbers(self, given, labels):
        """The number of the class of a row, or, if it was given a list, a list of numbers."""
        numbers = [self.class_indices[one] for one in labels]
        return numbers[0] if isinstance(given, str) else numbers


def _labels(column, classes):
    """The classes of each row, lists, without those that are not taken."""
    rows = [[value] if isinstance(value, str) else list(value) for value in column]
    return [[one for one in row if not classes or one in classes] for row in rows]
