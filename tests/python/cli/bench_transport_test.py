# SPDX-License-Identifier: Apache-2.0
"""sluice bench transport: what it makes of figures, and a short run of it."""

import contextlib
import csv
import io
import json
import os
import tempfile

import pytest
from sluice.cli import (
    bench,
    bench_plots,
    bench_results,
    bench_tables,
    main,
    parser,
    tensorflow_rows,
)

pytestmark = pytest.mark.alone


def figure(transport="tcp", metric="bandwidth", rounds=(1e9, 2e9, 3e9), payload="4", **others):
    values = {
        "metric": metric, "transport": transport, "layer": "channel", "payload": payload,
        "bytes": 4, "buffers": [4], "serialised": False, "rounds": list(rounds),
        "moved_bytes": 2e9, "wall_seconds": 1.0, "cpu_seconds": 1.0, "busy_seconds": 1.02,
    }  # fmt: skip
    values.update(others)
    return bench_results.Figure(**values)


def results(*figures):
    return bench_results.Results(figures=list(figures))


def test_the_value_of_a_figure():
    assert figure().value == 2e9 and figure().messages_per_second == 5e8
    assert figure().cpu_seconds_per_gb == 0.5
    assert figure(metric="latency", percentiles={"p50": 7e-6}).value == 7e-6


def test_a_row_is_void_when_others_use_the_machine():
    quiet, disturbed = figure(), figure(transport="grpc", busy_seconds=1.2)
    results(quiet, disturbed).mark_void()
    assert quiet.void == "" and "others used 0.20 s" in disturbed.void, disturbed.void


def test_a_row_is_void_when_its_raw_peer_is_slow():
    mine = figure()
    slow = figure(transport="raw-tcp", rounds=[1e9, 1e9, 3e9])
    results(mine, slow).mark_void()
    assert mine.void == slow.void == "raw-tcp did 33% of its best", mine.void
    ping = figure(metric="latency", rounds=[1e-5] * 3)
    peer = figure("raw-tcp", "latency", [2e-6, 4e-6, 4e-6])
    results(ping, peer).mark_void()
    assert ping.void == "raw-tcp did 50% of its best", ping.void
    mine, fine = figure(), figure(transport="raw-tcp", rounds=[2e9] * 3)
    results(mine, fine).mark_void()
    assert mine.void == ""
    results(mine, fine).mark_void(known=[figure(transport="raw-tcp", rounds=[4e9])])
    assert mine.void == "raw-tcp did 50% of its best", mine.void


def test_ratios_are_medians_of_the_rounds():
    large = {"payload": str(64 << 20)}
    found = results(
        figure(rounds=[1, 2, 3], **large),
        figure("raw-tcp", rounds=[1, 4, 4], **large),
        figure("shm", rounds=[1, 2, 3]),
    ).ratios()
    assert [(r.transport, r.peer, r.value) for r in found] == [("tcp", "raw-tcp", 0.75)], found


def test_lines_are_taken_and_written_again():
    read = bench_results.Results()
    read.take(json.dumps({"line": "setting", "rounds": 3}))
    read.take(json.dumps({"line": "missing", "transport": "spin", "why": "far"}))
    said = {
        k: v for k, v in vars(figure(metric="latency")).items() if k not in ("void", "percentiles")
    }
    read.take(json.dumps({"line": "figure", **said, "p50": 1e-6, "samples": 9}))
    file = io.StringIO()
    bench_tables.write_json(read, file)
    again = bench_results.Results()
    for line in bench_tables.read_json(io.StringIO(file.getvalue())):
        again.take(line)
    assert again.setting == read.setting and again.missing == read.missing
    assert again.figures == read.figures and read.figures[0].percentiles == {"p50": 1e-6}
    text = "\n".join(bench_tables.tables(read))
    assert "# tcp (channel)" in text and "spin: not measured: far" in text, text


def test_options_reach_the_measuring_program():
    options = parser().parse_args(
        ["bench", "transport", "--sizes=4", "--rounds=2", "--pin=none", "--mixes", ""]
    )
    assert bench.command(options)[1:] == ["--sizes=4", "--mixes=", "--rounds=2", "--pin=none"]
    assert tensorflow_rows.parse_sizes("4K:64K") == [4096, 16384, 65536]
    assert tensorflow_rows.parse_sizes("1,2M") == [1, 2 << 20]


def run(*arguments):
    """Status and what it printed."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        status = main(["bench", "transport", "--tensorflow=", *arguments])
    return status, out.getvalue()


def test_a_short_run():
    with tempfile.TemporaryDirectory() as folder:
        paths = {end: os.path.join(folder, "all." + end) for end in ("json", "csv")}
        status, table = run(
            "--sizes=4,64K", "--rounds=2", "--seconds=0.001", "--mixes=skewed", "--servers=1",
            "--workers=2", f"--json={paths['json']}", f"--csv={paths['csv']}",
        )  # fmt: skip
        assert status == 0, table
        with open(paths["json"], encoding="utf-8") as file:
            made = json.load(file)
        with open(paths["csv"], encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    figures = made["figures"]
    assert len(rows) == len(figures)
    assert {r["transport"] for r in rows} - RDMA == _transports()
    assert made["missing"].keys() <= RDMA, made["missing"]
    of = {(f["transport"], f["metric"], f["payload"], f["serialised"]): f for f in figures}
    for name in _transports():
        row = of[name, "latency", "4", False]
        p = row["percentiles"]
        assert 0 <= p["p50"] <= p["p90"] <= p["p99"] <= p["p99.9"] < 10, row
        assert row["cpu_seconds"] > 0 and len(row["rounds"]) == 2, row
    for name in _transports() - {"spin"}:
        assert of[name, "bandwidth", "65536", False]["messages_per_second"] > 1, name
    for name in ("tcp", "shm", "grpc", "raw-tcp", "unix", "grpc-stream", "grpc-unary"):
        assert of[name, "exchanges", "skewed", True]["value"] > 0, name
        assert of[name, "bandwidth", "skewed", True]["value"] > 0, name
    pairs = {(r["transport"], r["peer"]) for r in made["ratios"]}
    assert {("tcp", "raw-tcp"), ("shm-spin", "spin"), ("shm", "unix"),
            ("grpc", "grpc-stream"), ("runtime-tcp", "tcp-spin")} <= pairs, pairs  # fmt: skip
    assert "parameter servers, 2 workers" in table and "# ratios" in table, table


# Only machines with an RDMA device have these.
RDMA = {"rdma", "rdma-spin", "runtime-rdma"}


def _transports():
    return {
        "raw-tcp", "tcp", "tcp-spin", "tcp-unsummed", "runtime-tcp",
        "unix", "shm", "spin", "shm-spin", "memcpy",
        "runtime-shm", "grpc-stream", "grpc", "runtime-grpc", "grpc-unary",
    }  # fmt: skip


def test_two_machines():
    """A far process as on another machine; transports for one machine report the reason."""
    import socket
    import subprocess

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    with subprocess.Popen(
        [bench.PROGRAM, "--serve=" + address], stderr=subprocess.PIPE, text=True
    ) as far:
        try:
            assert "serves at" in far.stderr.readline()
            status, table = run(
                "--connect=" + address, "--sizes=4,1M", "--rounds=1", "--seconds=0.001", "--mixes=",
                "--transports=tcp,raw-tcp,spin,grpc", "--connections=2", "--servers=0",
            )  # fmt: skip
        finally:
            far.kill()
    assert status == 0 and "# two machines" in table and "# tcp (channel)" in table, table
    assert "spin: not measured: needs memory" in table, table


def test_unknown_transports_are_named():
    status, text = run("--transports=pigeon", "--sizes=4")
    assert status == 1, text


def test_every_transport_has_its_own_colour():
    of_tensorflow = {"tf-servers", "tf-on-sluice"}
    assert bench_plots.COLOURS.keys() == _transports() | RDMA | of_tensorflow
    assert len(set(bench_plots.COLOURS.values())) == len(bench_plots.COLOURS)


def test_plots():
    """Of what an earlier run wrote; without matplotlib the command says what is missing."""
    lines = [
        figure(transport, metric, payload=str(size), bytes=size, percentiles={"p50": 1e-6})
        for transport in ("tcp", "raw-tcp")
        for metric in ("latency", "bandwidth")
        for size in (4, 4096)
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "earlier.json")
        with open(path, "w", encoding="utf-8") as file:
            bench_tables.write_json(results(*lines), file)
        status, text = run("--read=" + path, "--plots=" + folder)
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            assert status == 2 and "pip install matplotlib" in text, text
            return
        assert status == 0 and "# raw-tcp" in text, text
        begins = {"png": b"\x89PNG", "svg": b"<?xml"}
        for name in ("latency", "bandwidth"):
            for end, begin in begins.items():
                with open(os.path.join(folder, f"{name}.{end}"), "rb") as file:
                    content = file.read()
                assert content.startswith(begin) and len(content) > 5000, name
