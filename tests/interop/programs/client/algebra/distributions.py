# SPDX-License-Identifier: Apache-2.0
"""Distributions: probabilities, statistics, samples with a seed, divergences."""

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True
X = np.array([[-1.5, 0.0, 0.25], [0.75, 1.5, 12.0]], np.float32)
FRACTIONS = np.array([0.1, 0.5, 0.95], np.float32)
STATISTICS = "mean variance stddev mode entropy covariance"
OF_VALUES = "log_prob prob log_cdf cdf survival_function log_survival_function"


def _seen(tf, distribution, values, others="", sampled=True):
    """All that a distribution computes, and the errors of what it does not."""
    found, errors = {}, {}

    def keep(key, call):
        try:
            found[key] = call()
        except Exception as e:
            errors[key] = type(e).__name__

    for name in STATISTICS.split():
        keep(name, getattr(distribution, name))
    for name in OF_VALUES.split():
        keep(name, lambda name=name: getattr(distribution, name)(values))
    keep("quantile", lambda: distribution.quantile(FRACTIONS))
    keep("one", lambda: distribution.sample(seed=3))
    keep("several", lambda: distribution.sample(4, seed=5))
    keep("shaped", lambda: distribution.sample([2, 3], seed=7))
    for name in others.split():
        keep(name, lambda name=name: tf.convert_to_tensor(getattr(distribution, name)))
    found["shapes"] = [distribution.batch_shape_tensor(), distribution.event_shape_tensor()]
    found["scalar"] = [distribution.is_scalar_batch(), distribution.is_scalar_event()]
    static = [found["several"].shape.as_list(), distribution.batch_shape.as_list()]
    static += [distribution.event_shape.as_list(), distribution.dtype.name]
    static += [str(distribution.reparameterization_type), sorted(distribution.parameters)]
    if not sampled:  # loops run their iterations in any order
        found = {key: found[key] for key in found if key not in ("one", "several", "shaped")}
    with tf.Session() as session:
        return [session.run(found), errors, static, str(distribution)]


def _run(tf, fetches):
    with tf.Session() as session:
        return session.run(fetches)


def normal(tf):
    distribution = tf.distributions.Normal(loc=[0.0, 1.0, -1.0], scale=[1.0, 2.0, 0.5])
    wide = tf.distributions.Normal(0.0, 1.0)
    tails = np.array([-30.0, -12.0, -9.0, 4.0, 7.0], np.float32)
    quantiles = wide.quantile(np.array([0.0, 1e-30, 1e-6, 0.3, 0.5, 0.99, 1.0], np.float32))
    exact = tf.distributions.Normal(tf.zeros([], tf.float64), tf.ones([], tf.float64))
    with tf.Session() as session:
        extra = session.run([wide.log_cdf(tails), quantiles, exact.quantile([1e-12, 0.7])])
    return [_seen(tf, distribution, X, "loc scale"), extra]


def laplace_and_uniform(tf):
    return [
        _seen(tf, tf.distributions.Laplace([0.0, 1.0, -1.0], 2.0), X, "loc scale"),
        _seen(tf, tf.distributions.Uniform(), X, "low high"),
        _seen(tf, tf.distributions.Uniform([-1.0, 0.0, 1.0], [1.0, 0.5, 15.0]), X),
    ]


def student(tf):
    return [
        _seen(tf, tf.distributions.StudentT([0.5, 1.5, 4.0], 0.0, [1.0, 2.0, 3.0]), X[0], "df loc"),
        _seen(tf, tf.distributions.StudentT(3.0, 1.0, 2.0), X),
    ]


def gamma_and_exponential(tf):
    return [
        _seen(tf, tf.distributions.Gamma([0.5, 1.0, 3.0], 2.0), abs(X), "concentration rate"),
        _seen(tf, tf.distributions.Exponential([0.5, 1.0, 3.0]), abs(X), "rate concentration"),
    ]


def beta_and_dirichlet(tf):
    beta = tf.distributions.Beta([0.5, 2.0, 3.0], [1.0, 4.0, 2.0])
    dirichlet = tf.distributions.Dirichlet([1.5, 2.0, 3.0])
    batch = tf.distributions.Dirichlet([[1.5, 2.0, 3.0], [2.0, 2.0, 4.0]])
    points = np.array([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]], np.float32)
    return [
        _seen(tf, beta, FRACTIONS, "concentration1 concentration0 total_concentration"),
        _seen(tf, dirichlet, points, "concentration total_concentration"),
        _run(tf, [batch.mean(), batch.covariance(), batch.entropy(), batch.sample(2, seed=4)]),
    ]


def bernoulli(tf):
    events = np.array([[0, 1, 1], [1, 0, 1]], np.int32)
    return [
        _seen(tf, tf.distributions.Bernoulli(probs=[0.1, 0.5, 0.8]), events, "logits probs"),
        _seen(tf, tf.distributions.Bernoulli(logits=[-1.0, 2.0, 0.0], dtype=tf.float32), events),
    ]


def categorical(tf):
    logits = np.array([[1.0, 2.0, -1.0, 0.5], [0.0, 0.0, 3.0, 1.0]], np.float32)
    one = tf.distributions.Categorical(probs=[0.1, 0.3, 0.6])
    return [
        _seen(tf, tf.distributions.Categorical(logits), np.array([1, 3]), "probs event_size"),
        _seen(tf, one, np.array([0, 1, 2], np.int32)),
        _seen(tf, tf.distributions.Categorical(logits, dtype=tf.int64), np.array([[0, 2]] * 3)),
    ]


def multinomial(tf):
    probs = np.array([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]], np.float32)
    counts = np.array([[1.0, 2.0, 2.0], [0.0, 5.0, 0.0]], np.float32)
    batch = tf.distributions.Multinomial([5.0, 3.0], logits=probs)
    one = tf.distributions.Multinomial(5.0, probs=probs[0])
    drawn = tf.distributions.DirichletMultinomial(5.0, [1.5, 2.0, 3.0])
    return [
        _seen(tf, one, counts, "logits total_count"),
        _seen(tf, batch, counts, sampled=False),
        _seen(tf, drawn, counts, "concentration total_concentration total_count"),
    ]


def divergences(tf):
    pairs = [
        (tf.distributions.Normal([0.0, 1.0], 2.0), tf.distributions.Normal(0.5, [1.0, 3.0])),
        (tf.distributions.Bernoulli([0.5, -1.0]), tf.distributions.Bernoulli(probs=[0.3, 0.9])),
        (tf.distributions.Categorical([0.5, -1.0]), tf.distributions.Categorical([1.0, 1.0])),
        (tf.distributions.Gamma([2.0, 3.0], 1.0), tf.distributions.Gamma(1.0, [2.0, 0.5])),
        (tf.distributions.Exponential([2.0, 3.0]), tf.distributions.Exponential(1.0)),
        (tf.distributions.Beta([2.0, 3.0], 1.0), tf.distributions.Beta(1.0, [2.0, 0.5])),
        (tf.distributions.Dirichlet([2.0, 3.0]), tf.distributions.Dirichlet([1.0, 1.5])),
    ]
    found = [
        [a.kl_divergence(b), a.cross_entropy(b), tf.distributions.kl_divergence(b, a)]
        for a, b in pairs
    ]
    with tf.Session() as session:
        return session.run(found)


def own_divergence(tf):

    class Narrow(tf.distributions.Normal):
        pass

    @tf.distributions.RegisterKL(Narrow, tf.distributions.Laplace)
    def kl(a, b, name=None):
        return tf.subtract(a.loc, b.loc, name=name)

    narrow, laplace = Narrow([3.0, 1.0], 1.0), tf.distributions.Laplace(1.0, 1.0)
    with tf.Session() as session:
        values = session.run([narrow.kl_divergence(laplace), narrow.kl_divergence(narrow)])
    return [
        values,
        outcome(lambda: laplace.kl_divergence(narrow)),
        outcome(lambda: tf.distributions.RegisterKL(Narrow, tf.distributions.Laplace)(kl)),
        outcome(lambda: tf.distributions.RegisterKL(Narrow, Narrow)(1)),
    ]


def gradients_through_samples(tf):
    loc, scale = tf.Variable([0.0, 1.0]), tf.Variable([1.0, 2.0])
    drawn = tf.distributions.Normal(loc, scale).sample(5, seed=1)
    logits = tf.Variable([0.5, -0.5])
    chances = tf.distributions.Bernoulli(logits).log_prob([1, 0])
    found = tf.gradients(tf.reduce_sum(drawn * drawn), [loc, scale])
    found += tf.gradients(chances, [logits])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(found)


def copies_and_shapes(tf):
    normal = tf.distributions.Normal(0.0, 1.0, name="mine")
    copy = normal.copy(loc=3.0)
    given = tf.placeholder(tf.float32)
    dynamic = tf.distributions.Normal(given, 1.0)
    static = tf.distributions.Normal.param_static_shapes([2, 3])
    with tf.Session() as session:
        values = session.run(
            [copy.mean(), tf.distributions.Beta.param_shapes([2])["concentration1"]]
            + [dynamic.sample(tf.size(given), seed=3), dynamic.batch_shape_tensor()]
            + [dynamic.is_scalar_batch()],
            {given: [1.0, 2.0]},
        )
    shapes = {key: shape.as_list() for key, shape in static.items()}
    names = [normal.name, copy.name, repr(copy), sorted(copy.parameters)]
    return [values, shapes, names, str(dynamic), dynamic.batch_shape.ndims]


def own_distribution(tf):
    class Constant(tf.distributions.Distribution):
        def __init__(self, value):
            self._value = tf.convert_to_tensor(value)
            super().__init__(
                dtype=tf.float32, parameters={"value": value}, validate_args=False,
                reparameterization_type=tf.distributions.NOT_REPARAMETERIZED,
                allow_nan_stats=True, graph_parents=[self._value], name="Constant",
            )  # fmt: skip

        def _batch_shape_tensor(self):
            return tf.shape(self._value)

        def _batch_shape(self):
            return self._value.shape

        def _event_shape(self):
            return tf.TensorShape([])

        def _sample_n(self, n, seed=None):
            return tf.tile(self._value[None], [n, 1])

        def _cdf(self, value):
            return tf.to_float(value >= self._value)

        def _mean(self):
            return self._value

        def _stddev(self):
            return 0 * self._value

    return _seen(tf, Constant([1.0, 2.0, 3.0]), X)


def checks(tf):
    given = tf.placeholder(tf.float32)
    calls = [
        lambda: tf.distributions.Normal(0.0, given, validate_args=True).mean(),
        lambda: tf.distributions.Uniform(0.0, given, validate_args=True).mean(),
        lambda: tf.distributions.Bernoulli(probs=given, validate_args=True).mean(),
        lambda: tf.distributions.Gamma(2.0, 1.0, validate_args=True).log_prob(given),
        lambda: tf.distributions.Beta(1.0, 2.0, validate_args=True).log_prob(given),
        lambda: tf.distributions.StudentT(given, 0.0, 1.0, allow_nan_stats=False).mean(),
    ]
    found = []
    with tf.Session() as session:
        for call in calls:
            tensor = call()
            for value in (0.5, -3.0):
                found.append(outcome(session.run, tensor, {given: value}))
    return found


def mistakes(tf):
    calls = [
        lambda: tf.distributions.Bernoulli(),
        lambda: tf.distributions.Bernoulli([0.5], [0.5]),
        lambda: tf.distributions.Categorical(probs=[1, 2]),
        lambda: tf.distributions.Normal(0.0, tf.ones([], tf.float64)),
        lambda: tf.distributions.Normal(0, 1),
        lambda: tf.distributions.Normal(0.0, 1.0).sample([[1]]),
        lambda: tf.distributions.Normal(0.0, 1.0).covariance(),
        lambda: tf.distributions.Categorical([0.5, 0.5]).param_shapes([2]),
    ]
    return [outcome(call) for call in calls]
