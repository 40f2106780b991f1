# SPDX-License-Identifier: Apache-2.0
"""The benchmark's results as tables, CSV and JSON."""

import csv
import dataclasses
import json

from .bench_programs import three_digits
from .figures import bytes_text, columns

_PERCENTILES = ("p50", "p90", "p99", "p99.9")


def payload_text(figure):
    name = bytes_text(figure.bytes) if figure.payload.isdigit() else figure.payload
    return name + (", serialised" if figure.serialised else "")


def tables(results):
    """Lines: a table for each transport in the style of osu and perftest, one of servers and
    workers, one of the ratios."""
    yield from _setting(results)
    for transport in dict.fromkeys(f.transport for f in results.figures):
        yield from _transport(
            [f for f in results.figures if f.transport == transport and f.metric != "exchanges"]
        )
    for transport, why in results.missing.items():
        yield f"# {transport}: not measured: {why}"
    yield from _exchanges(results)
    yield from _ratios(results)


def _setting(results):
    s = results.setting
    where = "two machines" if s.get("two_machines") else "one machine"
    cores = [",".join(map(str, s.get(side, []))) or "any" for side in ("near_cores", "far_cores")]
    yield (
        f"# {where}, two processes on cores {cores[0]} and {cores[1]}; {s.get('rounds')} rounds, "
        f"{s.get('connections')} connection(s) of tcp and raw-tcp"
    )


def _transport(figures):
    if not figures:
        return
    yield ""
    yield f"# {figures[0].transport} ({figures[0].layer}): latency one way, bandwidth, messages"
    rows = [("payload", *(f"{p} us" for p in _PERCENTILES), "CPU s/GB", "GB/s", "Kmsg/s",
             "CPU s/GB", "void")]  # fmt: skip
    for key in dict.fromkeys((f.payload, f.serialised) for f in figures):
        of = {f.metric: f for f in figures if (f.payload, f.serialised) == key}
        rows.append(_row(of.get("latency"), of.get("bandwidth")))
    yield from columns(rows, right=range(1, 9))


def _row(latency, bandwidth):
    times = rates = ()
    if latency:
        known = {"p50": latency.value, **latency.percentiles}
        times = [three_digits(known[p] * 1e6) if p in known else "-" for p in _PERCENTILES]
        times.append(three_digits(latency.cpu_seconds_per_gb))
    if bandwidth:
        values = (
            bandwidth.value / 1e9,
            bandwidth.messages_per_second / 1e3,
            bandwidth.cpu_seconds_per_gb,
        )
        rates = tuple(map(three_digits, values))
    void = "; ".join(f"{f.metric}: {f.void}" for f in (latency, bandwidth) if f and f.void)
    return (
        payload_text(latency or bandwidth),
        *(times or ["-"] * 5),
        *(rates or ["-"] * 3),
        void,
    )


def _exchanges(results):
    measured = [f for f in results.figures if f.metric == "exchanges"]
    if not measured:
        return
    s = results.setting
    yield ""
    yield f"# {s['servers']} parameter servers, {s['workers']} workers: exchanges a second"
    rows = [("transport", "payload", "exchanges/s", "GB/s", "CPU s/GB", "void")]
    for f in sorted(measured, key=lambda f: (f.payload, f.serialised)):
        figures = (f.value, 2 * f.value * f.bytes / 1e9, f.cpu_seconds_per_gb)
        rows.append((f.transport, payload_text(f), *map(three_digits, figures), f.void))
    yield from columns(rows, right=(2, 3, 4))


def _ratios(results):
    ratios = results.ratios()
    if not ratios:
        return
    yield ""
    yield "# ratios, medians over the rounds"
    rows = [("metric", "payload", "transport", "to", "ratio", "aim", "void")]
    rows += [
        (r.metric, bytes_text(int(r.payload)), r.transport, r.peer, f"{r.value:.2f}", r.aim, r.void)
        for r in ratios
    ]
    yield from columns(rows, right=(4,))


def as_dict(figure):
    made = dataclasses.asdict(figure)
    made.update(value=figure.value, cpu_seconds_per_gb=figure.cpu_seconds_per_gb)
    if figure.metric == "bandwidth":
        made["messages_per_second"] = figure.messages_per_second
    return made


def write_json(results, file):
    json.dump(
        {
            "setting": results.setting,
            "figures": [as_dict(f) for f in results.figures],
            "ratios": [dataclasses.asdict(r) for r in results.ratios()],
            "missing": results.missing,
        },
        file,
        indent=1,
    )


def read_json(file):
    """The file of write_json, as lines that Results takes."""
    written = json.load(file)
    yield json.dumps({"line": "setting", **written["setting"]})
    for transport, why in written["missing"].items():
        yield json.dumps({"line": "missing", "transport": transport, "why": why})
    for figure in written["figures"]:
        for made in ("value", "cpu_seconds_per_gb", "messages_per_second", "void"):
            figure.pop(made, None)
        yield json.dumps({"line": "figure", **figure.pop("percentiles"), **figure})


_COLUMNS = ("metric", "transport", "layer", "payload", "bytes", "serialised", "value", "p50", "p90",
            "p99", "p99.9", "messages_per_second", "cpu_seconds_per_gb", "void")  # fmt: skip


def write_csv(results, file):
    writer = csv.DictWriter(file, _COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for figure in results.figures:
        writer.writerow({**as_dict(figure), **figure.percentiles})
