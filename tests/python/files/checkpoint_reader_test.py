# SPDX-License-Identifier: Apache-2.0
"""Indexes of checkpoints: whole ones, cut ones, and ones with wrong bytes."""

import os

import harness
import numpy as np
import sluice as sl


def saved(folder):
    with sl.Graph().as_default(), sl.Session() as session:
        for i in range(3):
            sl.get_variable(f"layer_{i}/kernel", initializer=np.float32([i, i + 1]))
        sl.get_variable("parts", [4], partitioner=sl.fixed_size_partitioner(2))
        session.run(sl.global_variables_initializer())
        return sl.train.Saver().save(session, os.path.join(folder, "model"))


def read(path):
    reader = sl.train.NewCheckpointReader(path)
    return reader.get_variable_to_shape_map(), reader.get_variable_to_dtype_map()


def test_parts_are_one_variable(tmp_path):
    path = saved(str(tmp_path))
    shapes, kinds = read(path)
    assert shapes == {f"layer_{i}/kernel": [2] for i in range(3)} | {"parts": [4]}
    assert set(kinds.values()) == {sl.float32}
    assert sl.train.load_variable(path, "layer_2/kernel").tolist() == [2, 3]
    assert sl.train.load_variable(path, "parts").shape == (4,)


def test_a_damaged_index_is_an_error(tmp_path):
    path = saved(str(tmp_path))
    with open(path + ".index", "rb") as file:
        whole = file.read()
    for cut in range(len(whole)):
        with open(path + ".index", "wb") as file:
            file.write(whole[:cut])
        harness.raises(sl.errors.DataLossError, lambda: read(path), "damaged")
    rng = np.random.RandomState(1)
    for _ in range(500):
        wrong = bytearray(whole)
        wrong[rng.randint(len(whole))] = rng.randint(256)
        with open(path + ".index", "wb") as file:
            file.write(wrong)
        try:
            read(path)
        except sl.errors.DataLossError:
            pass


def test_parts_of_version_1_are_one_variable(tmp_path):
    with sl.Graph().as_default(), sl.Session() as session:
        sl.get_variable("parts", [4], partitioner=sl.fixed_size_partitioner(2))
        session.run(sl.global_variables_initializer())
        saver = sl.train.Saver(write_version=sl.train.SaverDef.V1)
        path = saver.save(session, os.path.join(str(tmp_path), "model"))
    assert os.path.exists(path)
    assert read(path) == ({"parts": [4]}, {"parts": sl.float32})
    assert sl.train.load_variable(path, "parts").shape == (4,)


def test_a_damaged_file_of_version_1_is_an_error(tmp_path):
    path = os.path.join(str(tmp_path), "old")
    with open(path, "wb") as file:
        file.write(b"anything")
    harness.raises(sl.errors.DataLossError, lambda: read(path), "damaged")
