# SPDX-License-Identifier: Apache-2.0
"""Learning rates as functions of the step, and what optimizers refuse to update."""

from interop.programs.client._outcomes import says

ONLY_1X = True  # later TensorFlows have another Keras


def rates_of_steps(tf):
    """Schedules take steps that are numbers of Python."""
    known, more = tf.keras.optimizers.schedules, tf.keras.experimental
    made = [
        known.ExponentialDecay(0.5, 3, 0.9), known.ExponentialDecay(0.5, 3, 0.9, True),
        known.PiecewiseConstantDecay([2, 4], [1.0, 0.5, 0.1]),
        known.PiecewiseConstantDecay([2.5], [1.0, 0.5]), known.PolynomialDecay(1.0, 4, 0.1, 2.0),
        known.PolynomialDecay(1.0, 4, 0.1, 0.5, cycle=True), known.InverseTimeDecay(1.0, 2, 0.5),
        more.CosineDecay(1.0, 5, 0.1), more.CosineDecayRestarts(1.0, 2, 2.0, 0.5, 0.1),
        more.LinearCosineDecay(1.0, 5), more.NoisyLinearCosineDecay(1.0, 5, 0.0),
    ]  # fmt: skip
    with tf.Session() as session:
        found = [[float(session.run(rate(step))) for step in (0, 2, 3, 5)] for rate in made]
    again = [type(rate).from_config(rate.get_config()).get_config() for rate in made]
    return [found, again]


def not_variables(tf):
    """Only variables are updated."""
    optimizer = tf.keras.optimizers.SGD(1.0)
    pairs = [(tf.constant([1.0]), tf.constant([1.0]))]
    return says("Trying to update a Tensor", optimizer.apply_gradients, pairs)


def older_and_wrong_arguments(tf):
    """Boundaries need one value more, and the older name of a number of words counts."""
    make = tf.keras.optimizers.schedules.PiecewiseConstantDecay
    words = tf.keras.preprocessing.text.Tokenizer(nb_words=3)
    return says("1 less than", make, [1, 2], [0.1, 0.2]), words.num_words
