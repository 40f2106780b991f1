# SPDX-License-Identifier: Apache-2.0
"""Positions of iterators over the data sets of raw_pipelines_test.py, file_pipelines_test.py and
caches_test.py.

    more_positions_test.py [-k NAME]
"""

import functools

import pytest

from interop.datasets import caches_test, file_pipelines_test, raw_pipelines_test
from interop.datasets.positions_test import Reader, read
from interop.datasets.reading import same
from interop.tools.cluster import Cluster

at = file_pipelines_test.at


@pytest.fixture(scope="module")
def cluster():
    with Cluster({"worker": 1}) as ours:
        yield ours


def goes_on(build, cluster, prefix):
    expected = read(Reader(build, cluster, prefix), lambda number: None)
    reader = Reader(build, cluster, prefix)

    def between(number):
        if number % 3 != 0:
            return
        reader.session.run(reader.write)
        for _ in range(number % 2):  # what is read after the position was written is read again
            reader.next()
        reader.reopen()

    same(read(reader, between), expected)


@pytest.mark.parametrize("name", sorted(raw_pipelines_test.CASES))
def test_goes_on_after_a_restore(name, cluster, tmp_path):
    goes_on(raw_pipelines_test.CASES[name], cluster, str(tmp_path / "position"))


@pytest.mark.parametrize("name", sorted(file_pipelines_test.CASES))
def test_goes_on_in_files(name, cluster, at, tmp_path):
    build = functools.partial(file_pipelines_test.CASES[name], at)
    goes_on(build, cluster, str(tmp_path / "position"))


def test_goes_on_in_a_cache(cluster, tmp_path):
    """The second of the runs finds the files."""
    build = caches_test.cached(caches_test.elements, str(tmp_path / "cache"), "cache-goes-on", 2)
    for _ in range(2):
        goes_on(build, cluster, str(tmp_path / "position"))
