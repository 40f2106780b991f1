# SPDX-License-Identifier: Apache-2.0
"""The benchmark's results as pictures: latency and bandwidth against size, a line a transport."""

import os

from .figures import bytes_text

_STYLES = {"channel": "-", "runtime": "--", "peer": ":"}
# A transport has the same colour, and place in the legend, in every picture, and its kin similar
# ones: blue is TCP, green is memory, red is gRPC, violet is TensorFlow.
COLOURS = {
    "tcp": "#1f77b4", "tcp-spin": "#17becf", "runtime-tcp": "#7fb2e5", "raw-tcp": "#12306b",
    "tcp-unsummed": "#aec7e8",
    "shm": "#2ca02c", "shm-spin": "#a3b700", "runtime-shm": "#7fcf7a", "unix": "#14532d",
    "spin": "#7f7f7f", "memcpy": "#000000",
    "rdma": "#bcbd22", "rdma-spin": "#dbdb8d", "runtime-rdma": "#637939",
    "grpc": "#d62728", "runtime-grpc": "#ff9896", "grpc-stream": "#ff7f0e", "grpc-unary": "#8c564b",
    "tf-servers": "#9467bd", "tf-on-sluice": "#e377c2",
}  # fmt: skip
_PICTURES = (
    ("latency", "one way, median (us)", 1e6),
    ("bandwidth", "bandwidth (GB/s)", 1e-9),
)


def matplotlib_or_raise():
    """ValueError says how to get what is missing."""
    try:
        import matplotlib
    except ImportError:
        raise ValueError(
            "--plots needs matplotlib, which this Python does not have: pip install matplotlib, or "
            "--json now, and --read of that where it is"
        ) from None
    matplotlib.use("Agg")  # files, no window
    return matplotlib


def write_plots(results, folder):
    """latency.png, latency.svg, bandwidth.png and bandwidth.svg in `folder`: their paths."""
    matplotlib_or_raise()
    os.makedirs(folder, exist_ok=True)
    paths = []
    for metric, label, unit in _PICTURES:
        figure = _picture(results, metric, label, unit)
        for ending in ("png", "svg"):
            paths.append(os.path.join(folder, f"{metric}.{ending}"))
            figure.savefig(paths[-1], dpi=150)
    return paths


def _picture(results, metric, label, unit):
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 6), layout="constrained")
    axes = figure.add_subplot()
    sizes = set()
    for transport in COLOURS:
        points = sorted(
            (f for f in results.figures
             if (f.transport, f.metric) == (transport, metric) and f.payload.isdigit()
             and not f.serialised),
            key=lambda f: f.bytes,
        )  # fmt: skip
        if points:
            sizes.update(f.bytes for f in points)
            _line(axes, transport, points, unit)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(sorted(sizes), [bytes_text(s) for s in sorted(sizes)], rotation=45)
    axes.set_xlabel("size of a message")
    axes.set_ylabel(label)
    axes.grid(True, alpha=0.3)
    axes.legend(fontsize="small", ncols=2, title="hollow: void")
    return figure


def _line(axes, transport, points, unit):
    x, y = [f.bytes for f in points], [f.value * unit for f in points]
    colour = COLOURS[transport]
    axes.plot(x, y, _STYLES[points[0].layer], color=colour, label=transport)
    for void in (False, True):
        chosen = [i for i, f in enumerate(points) if bool(f.void) == void]
        axes.plot(
            [x[i] for i in chosen], [y[i] for i in chosen], "o", color=colour,
            fillstyle="none" if void else "full", markersize=4,
        )  # fmt: skip
