# SPDX-License-Identifier: Apache-2.0
"""How pytest runs these tests: with which Python, against which servers, and what a case is.

`pytest tests/interop -k Roll` needs TensorFlow: an interpreter without it hands over to the one of
SLUICE_TF2_PYTHON, or of build/venv-tf2, which ./run test interop makes. For TensorFlow 1.15 call
pytest with the other: build/venv-tf1/bin/python -m pytest tests/interop.

A test is a function test_*, which may ask for

* `checks`   to make several checks in one test; each is counted;
* `ours`, `theirs`   clusters of sluice-server and of TensorFlow's servers, for the whole file, with
  the tasks that the file's JOBS says; `target` is that of the first worker of `ours`.

A Batch (tools/batch.py) is a table of cases that run together: each of its names is a test. Without
either, a file's main() is one test, in a process of its own.
"""

import importlib.util
import os
import re
import subprocess
import sys

import pytest

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(TESTS)
BUILD = os.environ.setdefault("SLUICE_BUILD", os.path.join(ROOT, "build"))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ.setdefault("no_proxy", "localhost,127.0.0.1")
os.environ.setdefault("PYTHONWARNINGS", "ignore")
os.environ["PYTHONPATH"] = TESTS
if TESTS not in sys.path:
    sys.path.insert(0, TESTS)
HAS_TENSORFLOW = importlib.util.find_spec("tensorflow") is not None
if HAS_TENSORFLOW:
    from interop.tools.batch import Batch
    from interop.tools.cluster import Checks, Cluster


def pytest_cmdline_main(config):
    """Hands over to a Python with TensorFlow, if this one has none."""
    if HAS_TENSORFLOW:
        if len(config.args) != 1 or not config.args[0].endswith(".py"):
            # Several files share a process: what gradients_compare_test.py needs holds for all.
            os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
        return
    python = os.environ.get("SLUICE_TF2_PYTHON", os.path.join(BUILD, "venv-tf2", "bin", "python"))
    if not os.path.exists(python):
        raise pytest.UsageError(
            f"{sys.executable} has no TensorFlow, and there is no {python}: "
            "./run test interop makes it, or SLUICE_TF2_PYTHON names another"
        )
    os.chdir(str(config.invocation_params.dir))
    os.execv(python, [python, "-m", "pytest", *config.invocation_params.args])


# ---- what tests ask for -----------------------------------------------------------------------


@pytest.fixture
def checks():
    return Checks()


@pytest.fixture(scope="module")
def ours(request):
    with Cluster(request.module.JOBS) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def theirs(request):
    with Cluster(request.module.JOBS, kind="tensorflow") as cluster:
        yield cluster


@pytest.fixture
def target(ours):
    return ours.target()


@pytest.hookimpl(hookwrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    """A test fails if one of its checks failed; it needs one."""
    outcome = yield
    checks = pyfuncitem.funcargs.get("checks")
    if checks is None:
        return
    count(pyfuncitem, checks, broke=outcome.excinfo is not None)
    if outcome.excinfo is None and (checks.failures or not checks.passed):
        text = "\n".join(checks.failures) or "nothing was checked"
        outcome.force_exception(pytest.fail.Exception(text, pytrace=False))


def count(item, checks, broke=False):
    """For tools/run_pytest.py, which reports checks."""
    item.user_properties.append(("passed", checks.passed))
    item.user_properties.append(("failed", checks.failed + broke))


# ---- cases that run together --------------------------------------------------------------------


def pytest_pycollect_makeitem(collector, name, obj):
    if HAS_TENSORFLOW and isinstance(obj, Batch) and obj.module == collector.obj.__name__:
        return BatchOfFile.from_parent(collector, name=name, batch=obj)
    if name == "main" and callable(obj) and not has_tests(collector.obj):
        return Program.from_parent(collector, name="main")
    return None


def has_tests(module):
    return any(
        name.startswith("test_") or isinstance(value, Batch) for name, value in vars(module).items()
    )


class BatchOfFile(pytest.Collector):
    def __init__(self, batch, **kwargs):
        super().__init__(**kwargs)
        self.batch = batch

    def collect(self):
        for name in self.batch.names():
            yield Case.from_parent(self, name=name)


class Case(pytest.Item):
    """One name of a batch. The first that runs makes the batch run all that are selected."""

    def runtest(self):
        batch = self.parent.batch
        if batch.results is None:
            cases = [item for item in self.session.items if isinstance(item, Case)]
            batch.run([item.name for item in cases if item.parent.batch is batch])
        checks = batch.results[self.name]
        count(self, checks, broke=not checks.passed and not checks.failed and bool(batch.error))
        if checks.failures:
            pytest.fail("\n".join(checks.failures), pytrace=False)
        if not checks.passed:
            if batch.error:
                raise batch.error
            pytest.skip("this TensorFlow runs no case of it")

    def reportinfo(self):
        return self.path, None, self.name


class Program(pytest.Item):
    """main() of a file, in its own process. The last line of its output may count its checks."""

    def runtest(self):
        done = subprocess.run(
            [sys.executable, "-m", self.parent.obj.__name__], cwd=ROOT, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        text = done.stdout.decode(errors="replace")
        counted = re.search(r"^(\d+) passed, (\d+) failed$", text.rstrip().rpartition("\n")[2])
        if counted:
            passed, failed = map(int, counted.groups())
            self.user_properties.append(("passed", passed))
            self.user_properties.append(("failed", failed or int(done.returncode != 0)))
        if done.returncode:
            pytest.fail(f"ended with {done.returncode}\n{text[-6000:]}", pytrace=False)

    reportinfo = Case.reportinfo
