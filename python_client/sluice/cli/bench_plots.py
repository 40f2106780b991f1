"""The benchmark's results as pictures: latency and bandwidth against size, a line a transport."""

import os

from .figures import bytes_text

_STYLES = {"channel": "-", "runtime": "--", "peer": ":"}
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
    from matplotlib import colormaps
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 6), layout="constrained")
    axes = figure.add_subplot()
    axes.set_prop_cycle(color=colormaps["tab20"].colors)
    sizes = set()
    for transport in dict.fromkeys(f.transport for f in results.figures):
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
    (line,) = axes.plot(x, y, _STYLES[points[0].layer], label=transport)
    for void in (False, True):
        chosen = [i for i, f in enumerate(points) if bool(f.void) == void]
        axes.plot(
            [x[i] for i in chosen], [y[i] for i in chosen], "o", color=line.get_color(),
            fillstyle="none" if void else "full", markersize=4,
        )  # fmt: skip
