# SPDX-License-Identifier: Apache-2.0
"""A cluster of three processes that speak TLS, both sides with certificates, and want a token."""

import contextlib
import os
import subprocess
import sys
import tempfile
import time

import harness
import numpy as np
import sluice as sl

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, TESTS)

from interop.tools.cluster import Cluster  # noqa: E402

FOLDER = tempfile.TemporaryDirectory()
subprocess.check_call([os.path.join(TESTS, "make_certificates.sh"), FOLDER.name])
JOBS = {"ps": 1, "worker": 2}
# A server that refuses a certificate hangs up, as one that is not up yet may: that is waited for.
os.environ["SLUICE_CONNECT_TIMEOUT"] = "3"
VARIABLES = "SLUICE_TLS_CA", "SLUICE_TLS_CERT", "SLUICE_TLS_KEY", "SLUICE_TOKEN_FILE"


def path(name):
    return os.path.join(FOLDER.name, name)


def files(name="client", ca="ca", token="token"):
    return path(ca + ".pem"), path(name + ".pem"), path(name + ".key"), path(token)


def flags(token="token", more=()):
    names = "tls_ca", "tls_cert", "tls_key", "token_file"
    pairs = zip(names, files("task", token=token))
    return [f"--{name}={value}" for name, value in pairs] + ["--mtls", *more]


@contextlib.contextmanager
def environment(values):
    os.environ.update(zip(VARIABLES, values))
    try:
        yield
    finally:
        for name in VARIABLES:
            os.environ.pop(name, None)


def train(session_of):
    """The first and last loss of a small regression whose variable lives on the ps."""
    x = np.linspace(-1, 1, 8, dtype=np.float32).reshape(8, 1)
    with sl.Graph().as_default():
        with sl.device("/job:ps/task:0"):
            w = sl.Variable([[0.0]])
        with sl.device("/job:worker/task:1"):
            loss = sl.reduce_mean(sl.square(sl.matmul(x, w) - 3.0 * x))
            step = sl.train.GradientDescentOptimizer(0.5).minimize(loss)
        start = sl.global_variables_initializer()
        with session_of() as session:
            session.run(start)
            return [session.run([loss, step])[0] for _ in range(20)]


def learns(losses):
    assert losses[-1] < 0.1 * losses[0], losses


def test_trains_with_credentials_of_the_environment():
    for more in (), ("--transport=tcp",), ("--transport=grpc",):
        with Cluster(JOBS, extra=flags(more=more)) as cluster, environment(files()):
            learns(train(lambda: sl.Session(cluster.target())))


def test_credentials_are_named_and_unknown_clients_refused():
    with Cluster(JOBS, extra=flags()) as cluster:

        def attempt(given):
            return lambda: train(lambda: sl.Session(cluster.target(), credentials=given))

        known = sl.Credentials(*files())
        learns(attempt(known)())
        with open(path("wrong_token")) as f:
            wrong = f.read().strip()
        unknown = attempt(sl.Credentials(*files(token="wrong_token")))
        error = harness.raises(sl.errors.UnauthenticatedError, unknown, "not this cluster's")
        assert wrong not in str(error), error
        nameless = attempt(sl.Credentials(*files()[:3]))
        harness.raises(sl.errors.UnauthenticatedError, nameless, "CreateSession", "has none")
        for ca, name in ("stranger_ca", "client"), ("ca", "expired"):
            distrusted = attempt(sl.Credentials(*files(name, ca)))
            harness.raises(sl.errors.UnavailableError, distrusted, "cannot be reached")
        plain = attempt(sl.Credentials())
        harness.raises(sl.errors.UnavailableError, plain, "cannot be reached", "it speaks TLS")


class OneWithTls(Cluster):
    """One of the tasks speaks TLS, or one does not."""

    def options(self, job, task):
        return flags()[:3] if (job == "ps") == self.extra[0] else []


def test_a_task_that_differs_about_tls_is_named_at_once():
    for ps_has_it in True, False:
        with OneWithTls({"ps": 1, "worker": 1}, extra=[ps_has_it]) as cluster:
            known = sl.Credentials() if ps_has_it else sl.Credentials(path("ca.pem"))
            session = sl.Session(cluster.target(), credentials=known)
            start = time.time()
            harness.raises(
                sl.errors.FailedPreconditionError,
                session.list_devices,
                "/job:ps/replica:0/task:0",
                "speaks TLS",
            )
            assert time.time() - start < 30


class OneStranger(Cluster):
    """The ps has another token than the rest."""

    def options(self, job, task):
        return flags(token="wrong_token" if job == "ps" else "token")


def test_a_task_with_another_token_is_named_at_once():
    with OneStranger(JOBS) as cluster, environment(files()):
        harness.raises(
            sl.errors.UnauthenticatedError,
            lambda: train(lambda: sl.Session(cluster.target())),
            "/job:ps/replica:0/task:0",
        )


def test_a_server_of_this_process():
    spec = {"worker": ["localhost:0"]}
    harness.raises(
        sl.errors.InvalidArgumentError,
        lambda: sl.train.Server(spec, bind_host="0.0.0.0"),
        "--tls_cert",
        "--token_file",
    )
    server = sl.train.Server(
        spec, bind_host="0.0.0.0", credentials=sl.Credentials(*files("task")), mutual_tls=True
    )
    with environment(files()), sl.Graph().as_default():
        # By the network: this address is not the target that this process knows it by.
        with sl.Session(f"grpc://127.0.0.1:{server.port}") as session:
            assert session.run(sl.constant(2.0) * 3.0) == 6.0
    server.stop()
