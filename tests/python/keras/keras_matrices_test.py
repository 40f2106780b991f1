# SPDX-License-Identifier: Apache-2.0
"""Arrays of HDF5 files, with which models of Keras are trained."""

import h5py
import numpy as np
import pytest
import sluice as sl

X = np.cos(np.arange(48)).reshape(12, 4).astype(np.float32)


@pytest.fixture
def path(tmp_path):
    with h5py.File(tmp_path / "rows.h5", "w") as file:
        file["x"], file["y"] = X, X[:, :1] * 2
    return str(tmp_path / "rows.h5")


def test_keys_count_from_the_first_row(path):
    matrix = sl.keras.utils.HDF5Matrix(path, "x", 2, 9, lambda rows: rows * 10)
    assert (len(matrix), matrix.shape, matrix.ndim, matrix.size) == (7, (7, 4), 2, 28)
    assert matrix.dtype == np.float32
    for key in (1, slice(2, 4), [0, 3], np.array([1, 5]), slice(5, None)):
        np.testing.assert_array_equal(matrix[key], X[2:9][key] * 10)
    for key in (7, slice(3, 9), [1, 8]):
        with pytest.raises(IndexError):
            matrix[key]


def test_a_model_is_trained_as_with_arrays(path):
    losses = []
    for x, y in (
        (X, X[:, :1] * 2),
        (sl.keras.utils.HDF5Matrix(path, "x"), sl.keras.utils.HDF5Matrix(path, "y")),
    ):
        with sl.Graph().as_default():
            dense = sl.keras.layers.Dense(1, kernel_initializer="ones", input_shape=(4,))
            model = sl.keras.Sequential([dense])
            model.compile("sgd", "mse")
            losses.append(model.fit(x, y, 4, 2, shuffle=False, verbose=0).history["loss"])
            losses[-1].append(model.predict(x, 5).tolist())
    assert losses[0] == losses[1]
