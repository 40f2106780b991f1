# SPDX-License-Identifier: Apache-2.0
"""The functions of Keras that prepare data for training, which programs and tests import."""

import numpy as np

from interop.programs.client._outcomes import outcome, says
from interop.programs.client.others.keras_sources_1x import _module

ONLY_1X = True  # later TensorFlows have another Keras


def numbers_of_samples(tf):
    utils = _module(tf, "engine.training_utils")
    x, tensor = [np.ones([5, 2]), np.ones([5, 3])], tf.ones([3, 2])
    count = utils.check_num_samples
    return [
        count(x), count(x, batch_size=2), count(x, steps=3), count([tensor], steps=3),
        says("`batch_size` must be None", count, x, 2, 3), outcome(count, [tensor]),
        says("`own` argument", count, [tensor], steps_name="own"), outcome(count, []),
        utils.check_steps_argument(tf.data.Dataset.range(3), None, "steps"),
        utils.has_tensors(x), utils.has_tensors([*x, tensor]), utils.has_tensors({"a": tensor}),
    ]  # fmt: skip


def lengths(tf):
    check = _module(tf, "engine.training_utils").check_array_lengths
    a, b = np.ones([4, 3]), np.ones([5, 3])
    cases = [
        ([a], [a], [a]), ([a, a], [a, a], [a, None]), ([a], None, None), (None, [a], None),
        ([a, b], [a], [a]), ([a], [a, b], None), ([a], [b], None), ([a], [a], [b]),
        ([a], [a], [a, b]), ([a], [tf.ones([9, 3])], None),
    ]  # fmt: skip
    return [says("same number of samples", check, *case) for case in cases]


def weights(tf):
    utils = _module(tf, "engine.training_utils")
    y, steps = np.array([[0], [1], [1]]), np.ones([3, 2, 4])
    w, make = np.array([0.5, 1.0, 2.0]), utils.standardize_weights
    return [
        make(y), make(y, w), make(y, (w,)), make(y, class_weight={0: 2.0, 1: 3.0}),
        make(y, w, {0: 2.0, 1: 3.0}), make(np.eye(3), class_weight={0: 1, 1: 5, 2: 7}),
        make(np.array([1, 0]), class_weight={0: 2, 1: 3}),
        make(steps, np.ones([3, 2]), sample_weight_mode="temporal"),
        outcome(make, y, class_weight={0: 2.0}), outcome(make, steps, class_weight={0: 1}),
        outcome(make, y, w, sample_weight_mode="other"), outcome(make, y, w[:2]),
        outcome(make, y, w, sample_weight_mode="temporal"), outcome(make, y, np.ones([3, 1])),
    ]  # fmt: skip


def weights_of_outputs(tf):
    utils, found = _module(tf, "engine.training_utils"), []
    for make in (utils.standardize_sample_weights, utils.standardize_class_weights):
        for given in (None, [1, 2], {"b": 3}, [1], {"no": 1}, 4):
            done = outcome(make, given, ["a", "b"])
            found.append([done, make(given, ["a", "b"]) if done == "fine" else None])
        found.append([make({"a": 5}, ["a"]), make([6], ["a"]), make(7, ["a"])])
    return found


def batches_in_another_order(tf):
    np.random.seed(3)
    shuffle = _module(tf, "engine.training_utils").batch_shuffle
    return shuffle(np.arange(7), 2), shuffle(np.arange(9), 3)


def what_follows(tf):
    reach = _module(tf, "utils.tf_utils").get_reachable_from_inputs
    x, other = tf.placeholder(tf.float32, name="x"), tf.placeholder(tf.float32, name="other")
    y = tf.multiply(x, 2.0, name="y")
    with tf.control_dependencies([y]):
        z = tf.identity(other, name="z")
    variable = tf.Variable(1.0, name="v")
    found = reach([x])
    return [
        [t in found for t in (x, y, y.op, z, z.op, other, other.op)],
        [t in reach([other], [z]) for t in (other, z, z.op, y)],
        variable in reach([variable]), outcome(reach, ["name"]),
    ]  # fmt: skip


def kinds_of_areas(tf):
    utils = _module(tf, "utils.metrics_utils")
    return [
        [[k.name, k.value] for k in sorted(kinds, key=str)] for kinds in
        (utils.AUCCurve, utils.AUCSummationMethod)
    ], [
        outcome(utils.AUCCurve.from_str, name) for name in ("pr", "ROC", "Pr")
    ], utils.AUCSummationMethod.from_str("Majoring").name, outcome(
        utils.AUCSummationMethod.from_str, "MAJORING"
    )  # fmt: skip
