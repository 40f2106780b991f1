# SPDX-License-Identifier: Apache-2.0
"""sluice.contrib.testing: what tests see of summaries."""

import os

import numpy as np

from .. import messages, modules
from ..files import gfile
from ..files.records import summary_iterator
from ..training import summary, supervisor

_WRITERS = (summary, supervisor)  # where FileWriters are made


class FakeSummaryWriter:
    """A writer that keeps what it is given, in place of a FileWriter.

    Args:
        logdir: The directory that it is told, a str.
        graph: The Graph that it is told.
    """

    _replaced = None

    def __init__(self, logdir, graph=None):
        self._logdir, self._graph = logdir, graph
        self._summaries, self._graphs, self._meta_graphs = {}, [], []
        self._session_logs, self._run_metadata = [], {}

    @classmethod
    def install(cls):
        """Lets hooks and Supervisors make such writers from now on. ValueError: they do."""
        if cls._replaced is not None:
            raise ValueError("FakeSummaryWriter already installed.")
        cls._replaced = summary.FileWriter
        cls._put(cls)

    @classmethod
    def uninstall(cls):
        """Undoes install(). ValueError: there is nothing to undo."""
        if cls._replaced is None:
            raise ValueError("FakeSummaryWriter not installed.")
        cls._put(cls._replaced)
        cls._replaced = None

    @staticmethod
    def _put(writer):
        for module in _WRITERS:
            module.FileWriter = writer

    @property
    def summaries(self):
        """The summaries by their steps, a dict: step -> list of Summary messages."""
        return self._summaries

    def assert_summaries(self, test_case, expected_logdir=None, expected_graph=None,
                         expected_summaries=None, expected_added_graphs=None,
                         expected_added_meta_graphs=None, expected_session_logs=None):  # fmt: skip
        """Checks what was added.

        Args:
            test_case: A TestCase.
            expected_logdir: The directory, a str. None: any, as for all that follow.
            expected_graph: The Graph.
            expected_summaries: A dict: step -> dict: tag -> simple value. Other steps may be there.
            expected_added_graphs: The Graphs, a list.
            expected_added_meta_graphs: The MetaGraphDefs, a list.
            expected_session_logs: The SessionLogs, a list.

        Raises:
            AssertionError: Something else was added.
        """
        if expected_logdir is not None:
            test_case.assertEqual(expected_logdir, self._logdir)
        if expected_graph is not None:
            test_case.assertIs(expected_graph, self._graph)
        for step, values in (expected_summaries or {}).items():
            test_case.assertIn(step, self._summaries)
            found = {v.tag: v.simple_value for s in self._summaries[step] for v in s.value}
            found.pop("global_step/sec", None)  # a thread of a Supervisor writes it at any time
            test_case.assertEqual(values, found)
        for expected, found in (
            (expected_added_graphs, self._graphs),
            (expected_added_meta_graphs, self._meta_graphs),
            (expected_session_logs, self._session_logs),
        ):
            if expected is not None:
                test_case.assertEqual(list(expected), found)

    def add_summary(self, summ, current_global_step):
        """Keeps a summary.

        Args:
            summ: A Summary, or its bytes.
            current_global_step: The step, an int.
        """
        summ = to_summary_proto(summ) if isinstance(summ, bytes) else summ
        self._summaries.setdefault(current_global_step, []).append(summ)

    def add_graph(self, graph, global_step=None, graph_def=None):
        """Keeps a graph.

        Args:
            graph: The Graph.
            global_step: The step, an int or None.
            graph_def: Must be None.

        Raises:
            ValueError: The step is negative, or there is a graph_def.
        """
        _check_step(global_step)
        if graph_def is not None:
            raise ValueError(f"Unexpected graph_def {graph_def}.")
        self._graphs.append(graph)

    def add_meta_graph(self, meta_graph_def, global_step=None):
        """Keeps a MetaGraphDef.

        Args:
            meta_graph_def: The MetaGraphDef.
            global_step: The step, an int or None.

        Raises:
            ValueError: The step is negative.
        """
        _check_step(global_step)
        self._meta_graphs.append(meta_graph_def)

    def add_session_log(self, session_log, global_step=None):
        """Keeps a SessionLog.

        Args:
            session_log: The SessionLog.
            global_step: Accepted. It has no effect.
        """
        del global_step
        self._session_logs.append(session_log)

    def add_run_metadata(self, run_metadata, tag, global_step=None):
        """Keeps a RunMetadata.

        Args:
            run_metadata: The RunMetadata.
            tag: Its name, a str.
            global_step: The step, an int or None.

        Raises:
            ValueError: The step is negative.
        """
        _check_step(global_step)
        self._run_metadata[tag] = run_metadata

    def flush(self):
        """Does nothing."""

    def reopen(self):
        """Does nothing."""

    def close(self):
        """Does nothing."""


def _check_step(step):
    if step is not None and step < 0:
        raise ValueError(f"Invalid global_step {step}.")


def assert_summary(expected_tags, expected_simple_values, summary_proto):
    """Checks a summary.

    Args:
        expected_tags: The tags, a list of str.
        expected_simple_values: A dict: tag -> value, for some of them. Two decimals count.
        summary_proto: The Summary.

    Raises:
        AssertionError: A value differs.
        ValueError: There are other tags.
    """
    for value in summary_proto.value:
        if value.tag in expected_simple_values:
            expected = expected_simple_values[value.tag]
            np.testing.assert_almost_equal(value.simple_value, expected, 2, value.tag)
    found = {value.tag for value in summary_proto.value}
    if found != set(expected_tags):
        raise ValueError(f"Expected tags {set(expected_tags)}, got {found}.")


def to_summary_proto(summary_str):
    """Reads a summary.

    Args:
        summary_str: The bytes of a Summary.

    Returns:
        The Summary.
    """
    return messages.Summary.FromString(summary_str)


def latest_event_file(base_dir):
    """Finds the newest event file of a directory.

    Args:
        base_dir: The directory, a str.

    Returns:
        The path, a str; None if there is none.
    """
    paths = sorted(gfile.glob(os.path.join(base_dir, "events.*")))
    return paths[-1] if paths else None


def latest_events(base_dir):
    """Reads the newest event file of a directory.

    Args:
        base_dir: The directory, a str.

    Returns:
        An iterable of Event messages.
    """
    path = latest_event_file(base_dir)
    return summary_iterator(path) if path else []


def latest_summaries(base_dir):
    """Reads the summaries of the newest event file of a directory.

    Args:
        base_dir: The directory, a str.

    Returns:
        A list of the Event messages that have summaries.
    """
    return [event for event in latest_events(base_dir) if event.HasField("summary")]


def simple_values_from_events(events, tags):
    """Finds the values of the last steps.

    Args:
        events: Event messages, an iterable.
        tags: Tags, a list of str.

    Returns:
        A dict: tag -> value, of those tags that are there.

    Raises:
        ValueError: A tag has something else than a simple value.
    """
    steps, found = {}, {}
    for event in events:
        for value in event.summary.value:
            if value.tag not in tags:
                continue
            if not value.HasField("simple_value"):
                raise ValueError(f"Summary for {value.tag} is not a simple_value.")
            if value.tag not in steps or event.step > steps[value.tag]:
                steps[value.tag], found[value.tag] = event.step, value.simple_value
    return found


module = modules.make(
    "contrib.testing",
    "What tests see of summaries.",
    {
        thing.__name__: thing
        for thing in (
            FakeSummaryWriter,
            assert_summary,
            latest_event_file,
            latest_events,
            latest_summaries,
            simple_values_from_events,
            to_summary_proto,
        )  # fmt: skip
    },
)
