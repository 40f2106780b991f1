# SPDX-License-Identifier: Apache-2.0
"""Models of Keras with sparse inputs."""

import numpy as np
import pytest
import sluice as sl
from sluice.keras.base.sparse_rows import SparseRows, rows_of

DENSE = np.where(np.random.RandomState(2).rand(20, 6) > 0.6, 1.5, 0).astype(np.float32)
TARGETS = DENSE.sum(1, keepdims=True) / 3


class Matrix:
    """A matrix as SciPy has them: what rows_of() uses of it."""

    def __init__(self, dense):
        self._dense, self.shape = dense, dense.shape

    def tocoo(self):
        self.row, self.col = np.nonzero(self._dense)
        self.data = self._dense[self.row, self.col]
        return self


def value_of(dense):
    places = np.argwhere(dense)
    return sl.SparseTensorValue(places, dense[tuple(places.T)], dense.shape)


def trained(sparse, x, **options):
    """What a model gives that is trained on x."""
    with sl.Graph().as_default():
        inputs = sl.keras.layers.Input((6,), sparse=sparse)
        layer = sl.keras.layers.Dense(2, "tanh", kernel_initializer="ones")
        model = sl.keras.Model(inputs, sl.keras.layers.Dense(1, kernel_initializer="ones")(
            layer(inputs)))  # fmt: skip
        model.compile(sl.keras.optimizers.SGD(0.1), "mse")
        losses = model.fit(x, TARGETS, 8, 2, shuffle=False, verbose=0, **options).history
        assert model.layers[0].get_config()["sparse"] == sparse
        return losses, model.evaluate(x, TARGETS, verbose=0), model.predict(x)


@pytest.mark.parametrize("options", ({}, {"validation_split": 0.25}))
@pytest.mark.parametrize("sparse", (True, False))
@pytest.mark.parametrize("make", (Matrix, value_of))
def test_a_sparse_matrix_trains_as_its_dense_one(make, sparse, options):
    for ours, wanted in zip(
        trained(sparse, make(DENSE), **options), trained(False, DENSE, **options)
    ):
        if isinstance(wanted, dict):
            ours, wanted = (np.array([d[k] for k in sorted(d)]) for d in (ours, wanted))
        np.testing.assert_allclose(ours, wanted, rtol=1e-5)


def test_a_data_set_of_sparse_tensors_trains_a_model():
    with sl.Graph().as_default():
        inputs = sl.keras.layers.Input((6,), sparse=True)
        model = sl.keras.Model(inputs, sl.keras.layers.Dense(1, kernel_initializer="ones")(inputs))
        model.compile(sl.keras.optimizers.SGD(0.1), "mse")
        value = value_of(DENSE)
        rows = sl.data.Dataset.from_tensor_slices((sl.SparseTensor(*value), TARGETS)).batch(10)
        losses = model.fit(rows, epochs=2, verbose=0).history["loss"]
        assert losses[1] < losses[0]


def test_a_sparse_input_refuses_an_array():
    with sl.Graph().as_default():
        inputs = sl.keras.layers.Input((6,), sparse=True)
        model = sl.keras.Model(inputs, sl.keras.layers.Dense(1)(inputs))
        with pytest.raises(ValueError, match="takes a SparseTensorValue or a matrix of SciPy"):
            model.predict(DENSE)


@pytest.mark.parametrize("chosen", (slice(3, 9), [4, 4, 0], np.array([19, 1]), slice(0, 0)))
def test_rows_are_taken_as_of_an_array(chosen):
    rows = rows_of(value_of(DENSE))
    assert isinstance(rows, SparseRows) and (len(rows), rows.ndim) == (20, 2)
    np.testing.assert_array_equal(rows[chosen].to_dense(), DENSE[chosen])
    assert rows_of(DENSE) is None
