# SPDX-License-Identifier: Apache-2.0
"""flow_from_dataframe(): which files and targets a table gives. A dict of lists stands in for a
DataFrame of Pandas, which these tests do not need."""

import harness
import numpy as np
import pytest
import sluice as sl

TABLE = {
    "filename": ["a.png", "b.png", "c.png", "gone.png", "d.txt"],
    "class": ["x", "y", "x", "y", "x"],
    "several": [["x", "y"], "z", ("y",), "x", "x"],
    "number": [0.5, 1.5, 2.5, 3.5, 4.5],
}


@pytest.fixture
def batches(tmp_path):
    for name in ("a.png", "b.png", "c.png", "d.txt"):
        (tmp_path / name).write_bytes(b"")
    generator = sl.keras.preprocessing.image.ImageDataGenerator(validation_split=0.4)

    def made(**kwargs):
        return generator.flow_from_dataframe(TABLE, str(tmp_path), shuffle=False, **kwargs)

    return made


def test_files_that_are_not_there_or_no_images_are_left_out(batches):
    with pytest.warns(UserWarning, match="Found 2 invalid image filename"):
        found = batches()
    assert found.filenames == ["a.png", "b.png", "c.png"] and found.samples == 3
    assert found.class_indices == {"x": 0, "y": 1} and found.classes == [0, 1, 0]
    assert batches(validate_filenames=False).samples == 5


def test_a_row_may_have_several_classes(batches):
    found = batches(y_col="several", validate_filenames=False)
    assert found.classes == [[0, 1], 2, [1], 0, 0]
    found = batches(y_col="several", classes=["y"], validate_filenames=False)
    assert found.filenames == ["a.png", "c.png"] and found.classes == [[0], [0]]


def test_columns_are_targets_as_they_are(batches):
    found = batches(class_mode="raw", y_col="number", validate_filenames=False)
    np.testing.assert_array_equal(found.labels, TABLE["number"])
    found = batches(
        class_mode="multi_output", y_col=["number", "class"], weight_col="number",
        validate_filenames=False,
    )  # fmt: skip
    assert [list(column) for column in found.labels] == [TABLE["number"], TABLE["class"]]
    np.testing.assert_array_equal(found.sample_weight, TABLE["number"])


def test_a_subset_is_a_part_of_the_rows(batches):
    of_rows = {
        subset: batches(subset=subset, validate_filenames=False).filenames
        for subset in ("training", "validation")
    }
    assert of_rows == {"validation": ["a.png", "b.png"], "training": ["c.png", "gone.png", "d.txt"]}


def test_columns_of_other_types_are_refused(batches):
    for kwargs, error, text in (
        ({"x_col": "number"}, TypeError, "All values in column x_col=number must be strings."),
        ({"y_col": "number"}, TypeError, "must be type string, list or tuple."),
        ({"y_col": "number", "class_mode": "sparse"}, TypeError, "must be strings."),
        ({"weight_col": "class"}, TypeError, "Column weight_col=class must be numeric."),
        ({"class_mode": "multi_output"}, TypeError, "y_col must be a list. Received str."),
        ({"class_mode": "binary", "y_col": "filename"}, ValueError, "Found 5 classes."),
        ({"class_mode": "none"}, ValueError, "Invalid class_mode: none"),
        ({"color_mode": "none"}, ValueError, "Invalid color mode"),
    ):
        harness.raises(error, lambda kwargs=kwargs: batches(**kwargs), text)
