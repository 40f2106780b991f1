# SPDX-License-Identifier: Apache-2.0
"""contrib.distributions: vectors, classes as vectors, and counts of events."""

import numpy as np

from .._contrib import contrib_of
from .._outcomes import outcome

ONLY_1X = True


def _run(tf, *tensors):
    with tf.Session() as sess:
        return [np.round(v, 3).tolist() for v in sess.run(list(tensors))]


def _shapes(one):
    return one.batch_shape.as_list(), one.event_shape.as_list(), one.dtype.name


def normal_vectors(tf):
    module = contrib_of(tf).distributions
    tf.set_random_seed(5)
    loc = [[0.5, -1.0, 2.0], [0.0, 0.3, 1.0]]
    one = module.MultivariateNormalDiag(loc, [1.0, 2.0, 0.5])
    other = module.MultivariateNormalDiag(loc=[0.0, 0.0, 1.0])
    third = module.MultivariateNormalDiag(loc=[0.0, 1.0], scale_identity_multiplier=0.5)
    found = [
        one.log_prob([0.1, 0.2, 0.3]), one.prob([0.1, 0.2, 0.3]), one.entropy(), one.mean(),
        one.mode(), one.stddev(), one.variance(), one.covariance(), other.stddev(),
        module.kl_divergence(one, other), third.log_prob([0.0, 0.0]), one.loc,
        one.scale.to_dense(), tf.shape(one.sample([4], seed=1)),
    ]  # fmt: skip
    return _run(tf, *found), _shapes(one), _shapes(other), _shapes(third)


def independent(tf):
    module = contrib_of(tf).distributions
    one = module.Independent(module.Normal([[0.0, 1.0], [2.0, 3.0]], 2.0))
    two = module.Independent(module.Bernoulli(probs=[0.2, 0.7]), reinterpreted_batch_ndims=1)
    found = [
        one.log_prob([0.5, 0.5]), one.entropy(), one.mean(), two.log_prob([0, 1]), two.mean(),
        tf.shape(one.sample(3)), one.variance(),
        module.kl_divergence(one, module.Independent(module.Normal([[0.0, 1.0]] * 2, 1.0))),
    ]  # fmt: skip
    return _run(tf, *found), _shapes(one), _shapes(two)


def classes(tf):
    module = contrib_of(tf).distributions
    one = module.OneHotCategorical(probs=[[0.2, 0.5, 0.3], [0.1, 0.1, 0.8]])
    soft = module.RelaxedOneHotCategorical(0.7, logits=[0.1, 1.0, -0.5])
    drawn = soft.sample(5, seed=3)
    found = [
        one.log_prob([0, 1, 0]), one.entropy(), one.mode(), tf.reduce_sum(one.sample(4), -1),
        module.kl_divergence(one, module.OneHotCategorical(logits=[0.0, 0.0, 1.0])),
        soft.log_prob([0.2, 0.5, 0.3]), tf.reduce_sum(drawn, -1), tf.shape(drawn),
    ]  # fmt: skip
    return _run(tf, *found), _shapes(one), _shapes(soft)


def counts(tf):
    module = contrib_of(tf).distributions
    one = module.Poisson(rate=[2.0, 3.5])
    two = module.Poisson(log_rate=0.3)
    found = [
        one.log_prob([1.0, 3.0]), one.mean(), one.variance(), one.mode(), two.log_prob(2.0),
        tf.shape(one.sample(6)),
    ]  # fmt: skip
    return _run(tf, *found), _shapes(one), outcome(lambda: module.Poisson())
