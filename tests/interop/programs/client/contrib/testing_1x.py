# SPDX-License-Identifier: Apache-2.0
"""contrib.testing: writers that keep what they are given, and the events of files."""

import tempfile
import unittest

from interop.programs.client._contrib import contrib_of
from interop.programs.client._outcomes import outcome

ONLY_1X = True


def _trained(tf, folder, steps=3):
    step = tf.train.get_or_create_global_step()
    train_op = tf.assign_add(step, 1)
    tf.summary.scalar("seven", tf.constant(7.0))
    hook = tf.train.SummarySaverHook(
        save_steps=1, output_dir=folder, summary_op=tf.summary.merge_all()
    )
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        for _ in range(steps):
            session.run(train_op)


def writers_that_keep(tf):
    fake = contrib_of(tf).testing.FakeSummaryWriter
    found, case = [outcome(fake.uninstall)], unittest.TestCase()
    fake.install()
    try:
        found.append(outcome(fake.install))
        tf.summary.FileWriterCache.clear()
        _trained(tf, "/nowhere")
        writer = tf.summary.FileWriterCache.get("/nowhere")
        found += [sorted(writer.summaries), isinstance(writer, fake)]
        first = min(writer.summaries)
        values = {v.tag: v.simple_value for v in writer.summaries[first][0].value}
        found.append(sorted(values))
        writer.assert_summaries(
            case, expected_logdir="/nowhere", expected_graph=tf.get_default_graph(),
            expected_summaries={first: values},
        )  # fmt: skip
        wrong = {"expected_summaries": {first: {"other": 1.0}}}
        found.append(outcome(writer.assert_summaries, case, **wrong))
        found.append(outcome(writer.add_graph, tf.get_default_graph(), -1))
    finally:
        fake.uninstall()
        tf.summary.FileWriterCache.clear()
    return found


def events_of_files(tf):
    testing = contrib_of(tf).testing
    with tempfile.TemporaryDirectory() as folder:
        found = [testing.latest_event_file(folder), list(testing.latest_events(folder))]
        _trained(tf, folder)
        events = testing.latest_summaries(folder)
        found.append([e.step for e in events])
        found.append(testing.simple_values_from_events(events, ["seven", "other"]))
    summary = testing.to_summary_proto(events[-1].summary.SerializeToString())
    last = summary.value[0].simple_value
    found += [
        outcome(testing.assert_summary, ["seven"], {"seven": last}, summary),
        outcome(testing.assert_summary, ["seven"], {"seven": -1.0}, summary),
        outcome(testing.assert_summary, ["seven", "more"], {}, summary),
    ]
    return found
