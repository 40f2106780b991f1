# SPDX-License-Identifier: Apache-2.0
"""What `sluice inspect input` makes of the counts of a task."""

import json
import os
import socket
from unittest import mock

import harness
from sluice import _sluice
from sluice.cli import inspect, main
from sluice.cli.input_stages import bottleneck, pipelines_between

SECOND = 1000000


def stage(node, op, reader, elements, waited, **sums):
    given = {"lines": 0, "workers": 0, "reading_us": 0, "making_us": 0, "no_room_us": 0, **sums}
    return {
        "node": node, "op": op, "reader": reader, "elements": elements, "waited_us": waited, **given
    }  # fmt: skip


def report(*stages, age=SECOND, iterator="it"):
    return {
        "iterator": iterator, "device": "/job:worker/replica:0/task:0/device:CPU:0", "session": "",
        "age_us": age, "stages": list(stages),
    }  # fmt: skip


def limit_of(*stages):
    (pipeline,) = pipelines_between([], [report(*stages)])
    return bottleneck(pipeline)


def test_the_own_time_is_without_what_is_read_on_the_same_thread():
    (pipeline,) = pipelines_between([], [report(
        stage("batch", "BatchDatasetV2", -1, 10, 900000),
        stage("map", "MapDataset", 0, 100, 700000),
        stage("ahead", "PrefetchDataset", 1, 100, 100000, lines=1, workers=1, reading_us=600000),
        stage("read", "TFRecordDataset", 2, 100, 590000),
    )])  # fmt: skip
    assert [round(one.own, 6) for one in pipeline.stages] == [0.2, 0.6, 0.1, 0.59]
    assert [one.depth for one in pipeline.stages] == [0, 1, 2, 3]


def test_a_slow_map_is_the_bottleneck():
    limit = limit_of(
        stage("batch", "BatchDatasetV2", -1, 10, 900000),
        stage("decode", "MapDataset", 0, 100, 800000),
        stage("read", "TFRecordDataset", 1, 100, 50000),
    )
    assert limit.stage.node == "decode" and round(limit.share, 6) == 0.75
    assert "num_parallel_calls" in limit.text() and "75 %" in limit.text(), limit.text()


def test_behind_stages_that_work_ahead():
    busy_map = stage(
        "parse", "ParallelMapDataset", 0, 100, 800000,
        lines=1, workers=4, reading_us=100000, making_us=3600000,
    )  # fmt: skip
    prefetch = stage(
        "ahead", "PrefetchDataset", -1, 100, 700000, lines=1, workers=1, reading_us=800000
    )
    limit = limit_of(prefetch, busy_map, stage("read", "TFRecordDataset", 1, 100, 100000))
    assert limit.stage.node == "parse" and limit.share == 0.9
    assert "(now 4)" in limit.advice
    reads = {**busy_map, "reading_us": 950000, "making_us": 400000}
    limit = limit_of(prefetch, reads, stage("read", "TFRecordDataset", 1, 100, 940000))
    assert limit.stage.node == "read" and "several files" in limit.advice


def test_a_step_that_does_not_wait_has_no_bottleneck():
    limit = limit_of(stage("range", "RangeDataset", -1, 100, 20000))
    assert limit.stage is None and "2 % of the time" in limit.text()


def test_only_what_happened_between_two_answers():
    before = report(
        stage("map", "MapDataset", -1, 100, 400000), stage("a", "RangeDataset", 0, 101, 1000)
    )
    after = report(
        stage("map", "MapDataset", -1, 150, 900000),
        stage("new", "RangeDataset", 0, 7, 3000),
        stage("a", "RangeDataset", 0, 151, 2000),
        age=2 * SECOND,
    )
    (pipeline,) = pipelines_between([before], [after])
    assert pipeline.seconds == 1 and [one.elements for one in pipeline.stages] == [50, 7, 50]
    assert pipeline.stages[0].waited == 0.5
    # It began anew between the two.
    (pipeline,) = pipelines_between([after], [before])
    assert pipeline.seconds == 1 and pipeline.stages[0].elements == 100


def test_the_command():
    answer = [
        report(stage("decode_1", "MapDataset", -1, 1000, 900000), iterator="other"),
        report(
            stage("layer/MapDataset_1", "MapDataset", -1, 2000, 900000),
            stage("range", "RangeDataset", 0, 2000, 1000),
        ),
        report(iterator="new"),
    ]
    with mock.patch.object(_sluice, "list_pipelines", lambda *_: answer, create=True):
        with mock.patch("builtins.print") as printed:
            assert main(["inspect", "input", "h:1", "--total"]) == 0
        text = "\n".join(str(call.args[0]) for call in printed.call_args_list if call.args)
        assert "iterator it on /job:worker/task:0/device:CPU:0, 1.0 s" in text, text
        assert "layer/MapDataset_1  " in text and "range (RangeDataset)" in text, text
        assert "bottleneck: layer/MapDataset_1 (MapDataset): 90 % of the time; set" in text, text
        with mock.patch("builtins.print") as printed:
            assert main(["inspect", "input", "h:1", "--total", "--json", "--iterator=oth"]) == 0
        (one,) = json.loads(printed.call_args.args[0])
        assert one["iterator"] == "other" and one["bottleneck"] == 0 and one["share"] == 0.9
        with mock.patch("builtins.print") as printed:
            assert main(["inspect", "input", "h:1", "--total", "--session=none"]) == 0
        assert "no iterator" in printed.call_args.args[0]


def test_a_server_that_is_not_there():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"localhost:{free.getsockname()[1]}"
    os.environ.setdefault("no_proxy", "localhost")
    options = ["inspect", "input", address, "--timeout=1", "--total"]
    with mock.patch("sys.stderr") as err:
        assert main(options) == 1
    assert address in "".join(str(call.args[0]) for call in err.write.call_args_list)
    assert inspect.name_of(mock.Mock(node="a/RangeDataset_12", op="RangeDataset")) == (
        "a/RangeDataset_12"
    )
    harness.raises(SystemExit, lambda: main(["inspect", "input", "h:1", "--seconds=0"]))
