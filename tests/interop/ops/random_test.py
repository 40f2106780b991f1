# SPDX-License-Identifier: Apache-2.0
"""Random numbers agree with TensorFlow's for the same seeds, and go on alike."""

import numpy as np
import pytest
import tensorflow

tf = tensorflow.compat.v1
tf.disable_v2_behavior()
raw = tf.raw_ops if hasattr(tf, "raw_ops") else tensorflow.raw_ops
V2 = tensorflow.__version__.startswith("2")
ERRORS = (tf.errors.InvalidArgumentError, tf.errors.InternalError)


def streams():
    """Name, and a function that makes an op whose values two runs of it are compared."""
    shapes = ([7], [3, 40])
    for t in ("float16", "float32", "float64"):
        alpha = np.array([0.1, 0.7, 1.0, 2.5, 30.0]).astype(t)
        for shape in shapes:
            yield (
                f"gamma {t} {shape}",
                lambda shape=shape, alpha=alpha: raw.RandomGamma(
                    shape=shape, alpha=alpha, seed=5, seed2=11
                ),
            )
            for out in ("float32", "int64", t):
                rate = np.array([0.0, 0.3, 4.0, 9.5, 10.0, 55.0, 900.0]).astype(t)
                yield (
                    f"poisson {t} to {out} {shape}",
                    lambda shape=shape, rate=rate, out=out: raw.RandomPoissonV2(
                        shape=shape, rate=rate, seed=5, seed2=12, dtype=tf.as_dtype(out)
                    ),
                )
        bounds = (
            (0.0, 1.0, -2.0, 2.0),
            (1.0, 2.0, 0.5, 1.5),
            (0.0, 1.0, 3.0, 9.0),
            (-5.0, 0.5, -np.inf, -5.5),
            (0.0, 1.0, 2.0, np.inf),
            (0.0, 1.0, -9.0, -4.0),
        )
        for shape in ([8], [3, 30], [250]):
            for mean, deviation, low, high in bounds:
                inputs = [np.array(v).astype(t) for v in (mean, deviation, low, high)]
                yield (
                    f"truncated {t} {shape} {mean} {deviation} {low} {high}",
                    lambda shape=shape, inputs=inputs: raw.ParameterizedTruncatedNormal(
                        shape=shape,
                        means=inputs[0],
                        stdevs=inputs[1],
                        minvals=inputs[2],
                        maxvals=inputs[3],
                        seed=5,
                        seed2=13,
                    ),
                )
    for t in ("int64",) if V2 else ("int32", "int64"):
        yield (
            f"poisson {t}",
            lambda t=t: raw.RandomPoissonV2(
                shape=[20], rate=np.array([1, 20], t), seed=1, seed2=2, dtype=tf.float64
            ),
        )
    yield (
        "truncated, a row each",
        lambda: raw.ParameterizedTruncatedNormal(
            shape=[3, 5],
            means=np.float32([0, 10, 20]),
            stdevs=np.float32([1]),
            minvals=np.float32([-1, 8, 22]),
            maxvals=np.float32([3, 11, 25]),
            seed=5,
            seed2=13,
        ),
    )


def twice(target, make):
    with tf.Graph().as_default(), tf.Session(target) as session:
        op = make()
        return np.concatenate([session.run(op).ravel() for _ in range(2)])


def close(a, b, tolerance=0):
    wide = (v.astype(np.float64) for v in (a, b))
    same_kind = a.shape == b.shape and a.dtype == b.dtype
    return same_kind and np.allclose(*wide, tolerance, tolerance / 10)


def test_streams(checks, target):
    for name, make in streams():
        # 1.15 takes another logarithm where alpha is 1.
        tolerance = 1e-15 if name.startswith("gamma float64") else 0
        try:
            expected = twice("", make)
        except ERRORS:  # a sampler that TensorFlow gives up on
            continue
        try:
            found = twice(target, make)
        except tf.errors.OpError as error:
            checks.check(name, False, str(error)[:300])
            continue
        wrong = found != expected
        checks.check(
            name,
            close(found, expected, tolerance),
            f"{found[wrong][:5]} instead of {expected[wrong][:5]}, {wrong.sum()} of {wrong.size}",
        )


def generator_draws(handle):
    one = np.int64(1)
    for t in ("float16", "bfloat16", "float32", "float64"):
        dtype = tf.as_dtype(t)
        for op in (raw.StatefulUniform, raw.StatefulStandardNormalV2, raw.StatefulTruncatedNormal):
            yield op(resource=handle, algorithm=one, shape=[3, 5], dtype=dtype)
    for t in ("int32", "int64", "uint32", "uint64"):
        yield raw.StatefulUniformFullInt(
            resource=handle, algorithm=one, shape=[9], dtype=tf.as_dtype(t)
        )
    for t in (np.int32, np.int64):
        yield raw.StatefulUniformInt(
            resource=handle, algorithm=one, shape=[9], minval=t(-7), maxval=t(50)
        )
    binomials = (
        (np.float32([3, 500, 40, 0, 20]), np.float32([0.5, 0.3, 0.9, 0.5, 0.99])),
        (np.float64([[10], [1000]]), np.float64([0.0, 0.1, 0.7, 1.0])),
    )
    for counts, probs in binomials if V2 else ():  # TensorFlow 1.15 broadcasts in its own way
        shape = [6] + list(np.broadcast(counts, probs).shape)
        for out in (tf.float32, tf.int64):
            yield raw.StatefulRandomBinomial(
                resource=handle, algorithm=one, shape=shape, counts=counts, probs=probs, dtype=out
            )
    if V2:
        yield raw.RngReadAndSkip(resource=handle, alg=1, delta=np.uint64(5))


def draw_all(target, index):
    """Values of one draw and the state it leaves, from a state near an overflow of the counter."""
    state = np.array([-3, 7, 1234567], np.int64)
    with tf.Graph().as_default(), tf.Session(target) as session:
        variable = tf.get_variable("state%d" % index, initializer=state, use_resource=True)
        ops = list(generator_draws(variable.handle))
        session.run(variable.initializer)
        if index == len(ops):
            with tf.control_dependencies(
                [raw.RngSkip(resource=variable.handle, algorithm=np.int64(1), delta=np.int64(9))]
            ):
                ops.append(tf.constant(0))
        value = session.run(
            tf.cast(ops[index], tf.float32) if "16" in ops[index].dtype.name else ops[index]
        )
        return ops[index].op.type, value, session.run(variable)


def loops(parallel_iterations):
    """Draws in a loop, in a loop in a loop, on a branch in a loop and between a cell's steps."""
    at_once = {"parallel_iterations": parallel_iterations}

    def inner(j):
        return tf.cast(j, tf.float32) * tf.random_uniform([2], seed=3)

    def either(i):
        return tf.cond(
            tf.equal(i % 2, 0),
            lambda: tf.random_uniform([3], seed=4),
            lambda: tf.random_normal([3], seed=5),
        )

    def step(i, h):
        noise = tf.random_normal([4, 4], seed=6)
        return i + 1, tf.nn.dropout(tf.tanh(tf.matmul(h, noise)), rate=0.3, seed=7)

    return [
        tf.map_fn(lambda i: tf.random_uniform([2], seed=1), tf.range(9), tf.float32, **at_once),
        tf.map_fn(
            lambda i: tf.map_fn(inner, tf.range(i), tf.float32, **at_once)[-1],
            tf.range(1, 6),
            tf.float32,
            **at_once,
        ),
        tf.map_fn(either, tf.range(8), tf.float32, **at_once),
        tf.while_loop(lambda i, h: i < 6, step, [0, tf.eye(4)], **at_once)[1],
        tf.map_fn(lambda i: i + tf.random_shuffle(tf.range(5), seed=8), tf.range(7), **at_once),
    ]


def test_loops(checks, target):
    """However many iterations may run at once, they draw one after the other, in every run."""

    def run(target, parallel_iterations):
        with tf.Graph().as_default(), tf.Session(target) as session:
            fetches = loops(parallel_iterations)
            return [session.run(fetches) for _ in range(4)]

    expected = run("", 1)
    for parallel_iterations in (2, 10, 32):
        found = run(target, parallel_iterations)
        for n, (theirs, ours) in enumerate(zip(expected, found)):
            for k, (e, f) in enumerate(zip(theirs, ours)):
                name = f"loop {k}, run {n}, {parallel_iterations} iterations at once"
                checks.check(name, close(f, e, 2e-5), f"{f} instead of {e}")


def test_generators(checks, target):
    with tf.Graph().as_default():
        handle = tf.get_variable("s", initializer=np.zeros(3, np.int64), use_resource=True).handle
        count = len(list(generator_draws(handle)))
    for index in range(count + 1):
        name, expected, state = draw_all("", index)
        try:
            _, found, our_state = draw_all(target, index)
        except tf.errors.OpError as error:
            checks.check(f"{name} {index}", False, str(error)[:300])
            continue
        checks.check(
            f"{name} {index}",
            close(np.asarray(found), np.asarray(expected)),
            f"{found} instead of {expected}",
        )
        if name == "StatefulRandomBinomial":
            continue  # TensorFlow leaves its state where it was when somebody else reads it
        checks.check(
            f"{name} {index}: state", np.array_equal(state, our_state), f"{our_state}, {state}"
        )


def test_errors(checks, target):
    def fails(name, make, error):
        with tf.Graph().as_default(), tf.Session(target) as session:
            variable = tf.get_variable("e", initializer=np.zeros(3, np.int64), use_resource=True)
            short = tf.get_variable("f", initializer=np.zeros(2, np.int64), use_resource=True)
            session.run(tf.global_variables_initializer())
            try:
                session.run(make(variable.handle, short.handle))
                checks.check(name, False, "no error")
            except tf.errors.OpError as raised:
                checks.check(name, type(raised) is error, repr(raised)[:200])

    one, invalid = np.int64(1), tf.errors.InvalidArgumentError

    def uniform(h, algorithm=one):
        return raw.StatefulUniform(resource=h, algorithm=algorithm, shape=[2])

    fails("unknown algorithm", lambda h, s: uniform(h, np.int64(9)), invalid)
    fails("short state", lambda h, s: uniform(s), invalid)
    fails(
        "empty range",
        lambda h, s: raw.StatefulUniformInt(
            resource=h, algorithm=one, shape=[2], minval=np.int64(3), maxval=np.int64(3)
        ),
        invalid,
    )
    fails(
        "binomial's shape",
        lambda h, s: raw.StatefulRandomBinomial(
            resource=h, algorithm=one, shape=[3], counts=[1.0, 2.0], probs=[0.5, 0.5]
        ),
        invalid,
    )
    with tf.Graph().as_default(), tf.Session(target) as session:
        ints = session.run(raw.NonDeterministicInts(shape=[1000], dtype=tf.int64))
    checks.check("ints without a seed", len(set(ints)) > 990)


def test_stateless(checks, target):
    if not V2:
        pytest.skip("1.15 has no stateless ops with an algorithm")

    def all_of(target):
        with tf.Graph().as_default(), tf.Session(target) as session:
            seed = tf.constant([3, -8], tf.int64)
            key, counter = raw.StatelessRandomGetKeyCounter(seed=seed)
            ops = [key, counter]
            for op in (
                raw.StatelessRandomUniformV2,
                raw.StatelessRandomNormalV2,
                raw.StatelessTruncatedNormalV2,
            ):
                for dtype in (tf.float16, tf.float32, tf.float64):
                    ops.append(op(shape=[11], key=key, counter=counter, alg=1, dtype=dtype))
            for dtype in (tf.int32, tf.int64, tf.uint32, tf.uint64):
                ops.append(
                    raw.StatelessRandomUniformFullIntV2(
                        shape=[11], key=key, counter=counter, alg=1, dtype=dtype
                    )
                )
            for t in (np.int32, np.int64):
                ops.append(
                    raw.StatelessRandomUniformIntV2(
                        shape=[11], key=key, counter=counter, alg=3, minval=t(3), maxval=t(99)
                    )
                )
            return session.run(ops)

    for i, (a, e) in enumerate(zip(all_of(target), all_of(""))):
        checks.check(f"stateless {i}", close(a, e))


def keyless_draws():
    """The ops that take two seeds or their key, and parameters of distributions."""
    seed = tf.constant([3, -8], tf.int64)
    key, counter = raw.StatelessRandomGetKeyCounter(seed=seed)
    keyed = {"key": key, "counter": counter, "alg": 1}
    yield from raw.StatelessRandomGetKeyCounterAlg(seed=seed)
    yield raw.StatelessRandomGetAlg()
    words = np.array([b"a", b"bc", b"d", b""])
    for value in (np.arange(11), np.arange(24.0).reshape(6, 4), words, np.float32(3)):
        yield raw.StatelessShuffle(value=tf.constant(value), **keyed)
    for dtype in (tf.int32, tf.int64, tf.uint32, tf.uint64):
        yield raw.StatelessRandomUniformFullInt(shape=[7], seed=seed, dtype=dtype)
    for t in (np.float16, np.float32, np.float64):
        alpha = t([0.5, 1, 7.5])
        yield raw.StatelessRandomGammaV2(shape=[5, 4, 3], seed=seed, alpha=alpha)
        yield raw.StatelessRandomGammaV3(shape=[5, 4, 3], alpha=alpha, **keyed)
        for dtype in (tf.float16, tf.float64, tf.int64):
            lam, counts, probs = t([0.5, 3, 20]), t([[4], [300]]), t([0.1, 0.5, 0.97])
            yield raw.StatelessRandomPoisson(shape=[6, 3], seed=seed, lam=lam, dtype=dtype)
            yield raw.StatelessRandomBinomial(
                shape=[6, 2, 3], seed=seed, counts=counts, probs=probs, dtype=dtype
            )
        bounds = ([0], [1], [-1], [1]), ([0, 1, 20], [1, 2, 0.5], [-1, 3, 0], [4, 3.5, 9])
        for means, stddevs, low, high in bounds:
            yield raw.StatelessParameterizedTruncatedNormal(
                shape=[30, len(means)], seed=seed, means=t(means), stddevs=t(stddevs),
                minvals=t(low), maxvals=t(high),
            )  # fmt: skip


def keyless_mistakes():
    seed, shape = tf.constant([3, -8]), [2, 3]
    three, two = np.float32([1, 2, 3]), np.float32([1, 2])
    yield raw.StatelessRandomGammaV2(shape=shape, seed=seed, alpha=two)
    yield raw.StatelessRandomPoisson(shape=shape, seed=seed, lam=two, dtype=tf.int32)
    yield raw.StatelessRandomBinomial(shape=shape, seed=seed, counts=two, probs=np.float32(0.5))
    bounds = {"stddevs": three, "minvals": three, "maxvals": three + 1}
    yield raw.StatelessParameterizedTruncatedNormal(
        shape=shape, seed=seed, means=three[None, None], **bounds
    )
    key = {"key": tf.constant([1], tf.uint64), "counter": tf.constant([1, 2], tf.uint64)}
    yield raw.StatelessShuffle(value=three, alg=7, **key)


def test_stateless_distributions(checks, target):
    if not V2:
        pytest.skip("1.15 does not have the ops")

    def all_of(target):
        with tf.Graph().as_default(), tf.Session(target) as session:
            draws = list(keyless_draws())
            wide = [tf.cast(x, tf.float32) if "16" in x.dtype.name else x for x in draws]
            return [x.op.type for x in draws], session.run(wide)

    names, found = all_of(target)
    for i, (name, a, e) in enumerate(zip(names, found, all_of("")[1])):
        same = np.array_equal(a, e) if a.dtype == object else close(a, e, 1e-6)
        checks.check(f"{name} {i}", same, f"{a} instead of {e}")
    with tf.Graph().as_default(), tf.Session(target) as session:
        for op in list(keyless_mistakes()):
            try:
                session.run(op)
                checks.check(f"mistake {op.op.type}", False, "no error")
            except tf.errors.InvalidArgumentError:
                checks.check(f"mistake {op.op.type}", True)


JOBS = {"worker": 1}
