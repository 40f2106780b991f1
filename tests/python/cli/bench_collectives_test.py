# SPDX-License-Identifier: Apache-2.0
"""sluice bench collectives: what it makes of figures, and a short run of it."""

import contextlib
import csv
import io
import json
import os
import tempfile

import pytest
from sluice.cli import bench_collectives, collective_results, main, parser

pytestmark = pytest.mark.alone


def figure(contender="sluice", transport="tcp", algorithm="auto", rounds=(2e-3,) * 3, **others):
    values = {
        "op": "all_reduce", "contender": contender, "transport": transport, "hosts": 1,
        "algorithm": algorithm, "members": 4, "bytes": 1 << 20, "rounds": list(rounds),
        "moved_bytes": 2e9, "wall_seconds": 1.0, "cpu_seconds": 1.0, "busy_seconds": 1.02,
    }  # fmt: skip
    values.update(others)
    return collective_results.Figure(**values)


def results(*figures, **setting):
    return collective_results.Results(setting=setting, figures=list(figures))


def test_the_values_of_a_figure():
    made = figure(rounds=(1e-3, 4e-3, 2e-3))
    assert made.seconds == 2e-3 and made.algorithm_bandwidth == (1 << 20) / 2e-3
    assert made.bus_bandwidth == made.algorithm_bandwidth * 1.5
    assert made.cpu_seconds_per_gb == 0.5
    for op in ("all_gather", "reduce_scatter", "all_to_all"):
        assert figure(op=op).bus_bandwidth == figure().algorithm_bandwidth * 0.75, op
    assert figure(op="broadcast").bus_bandwidth == figure().algorithm_bandwidth


def test_ratios_are_medians_of_the_rounds_and_use_the_best_algorithm():
    mine = figure(rounds=(1, 2, 4))
    slow = figure("gloo", algorithm="ring", rounds=(9, 9, 9))
    fast = figure("gloo", algorithm="bcube", rounds=(2, 3, 4))
    found = results(mine, slow, fast, figure("mpi", "shm", "", rounds=(1, 1, 1)))
    assert found.peers() == ["gloo", "mpi"]
    assert found.ratio(mine, "gloo") == 1.5
    assert found.ratio(mine, "mpi") == 0.5  # it has no other transport
    assert results(mine).ratio(mine, "gloo") is None


def test_the_same_transport_is_compared():
    mine = figure(transport="shm", rounds=(1,))
    others = figure("mpi", "tcp", "", rounds=(1,)), figure("mpi", "shm", "", rounds=(3,))
    assert results(mine, *others).ratio(mine, "mpi") == 3


def test_tuning_lines_join_sizes_and_members():
    def measured(members, hosts, size, direct, ring):
        common = {"members": members, "hosts": hosts, "bytes": size}
        return [
            figure(algorithm="direct", rounds=[direct], **common),
            figure(algorithm="ring", rounds=[ring], **common),
        ]

    figures = []
    for members in (2, 4):
        figures += measured(members, 1, 4096, 1, 2)
        figures += measured(members, 1, 65536, 1, 2)
        figures += measured(members, 1, 1 << 20, 1, 0.98)  # not better by enough
        figures += measured(members, 1, 4 << 20, 2, 1)
        figures += measured(members, members, 4096, 1 if members == 2 else 3, 2)
    figures += measured(4, 2, 4096, 1, 2)
    figures.append(figure(op="all_to_all", algorithm="direct"))
    lines = [line.strip() for line in collective_results.tuning_lines(results(*figures))]
    assert lines == [
        '{kAllReduce, Hosts::kOne, kAnyMembers, 1 << 20, "direct"},',
        '{kAllReduce, Hosts::kOne, kAnyMembers, kAnySize, "ring"},',
        '{kAllReduce, Hosts::kShared, kAnyMembers, kAnySize, "direct"},',
        '{kAllReduce, Hosts::kAny, 2, kAnySize, "direct"},',
        '{kAllReduce, Hosts::kAny, kAnyMembers, kAnySize, "ring"},',
        '{kAllToAll, Hosts::kAny, kAnyMembers, kAnySize, "direct"},',
    ], lines


def test_what_is_written_is_read_again():
    made = results(figure(), figure("gloo", algorithm="ring"), rounds=3, cores=2)
    made.missing["mpi (shm)"] = "not built"
    file = io.StringIO()
    bench_collectives.write_json(made, file)
    again = collective_results.Results()
    for line in bench_collectives.read_json(io.StringIO(file.getvalue())):
        again.take(line)
    assert again == made
    text = "\n".join(bench_collectives.tables(again))
    assert "# all_reduce, 4 members" in text and "mpi (shm): not measured: not built" in text, text


def test_options_reach_the_measuring_program():
    options = parser().parse_args(
        ["bench", "collectives", "--op=broadcast", "--sizes=4", "--rounds=2", "--tune"]
    )
    assert bench_collectives.command(options)[1:] == [
        "--op=broadcast", "--sizes=4", "--rounds=2", "--tune",
    ]  # fmt: skip


def run(*arguments):
    """Status and what it printed."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        status = main(["bench", "collectives", *arguments])
    return status, out.getvalue()


ALL = "all_reduce,all_gather,broadcast,reduce_scatter,all_to_all"


def test_a_short_run():
    with tempfile.TemporaryDirectory() as folder:
        paths = {end: os.path.join(folder, "all." + end) for end in ("json", "csv")}
        status, table = run(
            "--op=" + ALL, "--sizes=4,64K", "--members=2", "--rounds=2", "--seconds=0.001",
            "--contenders=sluice", f"--json={paths['json']}", f"--csv={paths['csv']}",
        )  # fmt: skip
        assert status == 0, table
        with open(paths["json"], encoding="utf-8") as file:
            made = json.load(file)
        with open(paths["csv"], encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    assert not made["missing"], made["missing"]
    keys = {(f["op"], f["transport"], f["bytes"] >= 65536) for f in made["figures"]}
    assert keys == {(o, t, s) for o in ALL.split(",") for t in ("shm", "tcp") for s in (0, 1)}, keys
    assert len(rows) == len(made["figures"]) == 20
    for row in made["figures"]:
        assert len(row["rounds"]) == 2 and 0 < row["seconds"] < 10, row
        assert row["cpu_seconds"] > 0 and row["bus_bandwidth"] > 0, row


def test_a_short_tuning():
    status, text = run(
        "--tune", "--op=broadcast", "--sizes=4K", "--members=4", "--rounds=1", "--seconds=0.001"
    )
    assert status == 0 and "# broadcast, 4 members on 2 hosts" in text, text
    assert "binomial_tree" in text and "{kBroadcast, Hosts::kShared, kAnyMembers, kAnySize" in text


def test_unknown_names():
    for option in ("--op=pray", "--algorithm=guess", "--contenders=nobody", "--transports=pigeon"):
        status, text = run(option, "--sizes=4", "--members=2")
        assert status == 1, (option, text)
