# SPDX-License-Identifier: Apache-2.0
"""Names that are not there: why, or which one is meant."""

import harness
import sluice as sl

MEANT = {
    "resnape": "reshape",
    "relu": "nn.relu",
    "AdamOptimiser": "train.AdamOptimizer",
    "get_varable": "get_variable",
    "nn.rellu": "nn.relu",
    "nn.RELU": "nn.relu",
    "train.AdamOptimiser": "train.AdamOptimizer",
    "train.reshape": "reshape",
    "debugging.assert_equl": "debugging.assert_equal",
    "raw_ops.MatMull": "raw_ops.MatMul",
}
REASONS = {
    "data.experimental.TensorArrayStructure": "have no TensorArrays",
    "nondifferentiable_batch_function": "Python code cannot run in the servers",
    "distribute.coordinator": "no coordinator",
    "tpu": "the servers have no TPUs",
    "contrib.layers.bow_encoder": "of contrib there are",
    "contrib.bayesflow": "of contrib there are",
    "contrib.training.bucket": "of contrib there are",
    "enable_eager_execution": "no eager execution",
    "saved_model.load_v2": "saved_model.load(session, tags, folder)",
    "train.experimental.PythonState": "checkpoints hold variables",
}


def missing(name):
    """The AttributeError of a name with dots; the last part is what is not there."""
    module = sl
    *parts, last = name.split(".")
    for part in parts:
        module = getattr(module, part)
    error = harness.raises(AttributeError, lambda: getattr(module, last), f"sluice has no {name}")
    assert error.name == last and error.obj is module, (error.name, error.obj)
    return str(error)


def test_a_misspelt_name_gets_a_suggestion():
    for name, meant in MEANT.items():
        said = missing(name)
        assert said.endswith(f"did you mean: {meant}?"), said


def test_a_name_absent_on_purpose_says_why():
    for name, why in REASONS.items():
        said = missing(name)
        assert why in said and "did you mean" not in said, said


def test_an_unrelated_name_gets_no_suggestion():
    assert missing("zzyzx") == "sluice has no zzyzx"


def test_private_names_are_plainly_missing():
    assert not hasattr(sl, "__path_not_there__") and not hasattr(sl.nn, "_private")
