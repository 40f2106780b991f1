# SPDX-License-Identifier: Apache-2.0
"""A picture of a graph for notebooks: HTML with an SVG inside, which needs nothing else."""

import collections
import html as _html

from .layout import layout
from .outline import VARIABLES, outline

_FONT = "font:12px sans-serif"
_COLOURS = {  # kind -> fill, border
    "scope": ("#e8eef7", "#5b7db1"),
    "many": ("#f1f1f1", "#888888"),
    "variable": ("#fdebd3", "#c9822b"),
    "input": ("#e3f4e1", "#4d9a48"),
    "constant": ("#f7f7f7", "#b0b0b0"),
    "op": ("#ffffff", "#555555"),
}
_INPUTS = ("Placeholder", "PlaceholderV2", "PlaceholderWithDefault")
_MARGIN, _LINE, _CHARACTER = 12, 15, 6.6  # pixels
_LONGEST = 26  # characters of a label


def html(graph):
    """Draws a graph.

    Name scopes are closed where the picture would have too many nodes. A tooltip of each node shows
    its operations, devices, attributes and shapes.

    Args:
        graph: The Graph.

    Returns:
        HTML, a str.
    """
    node_defs = list(graph.as_graph_def().node)
    if not node_defs:
        return f"<p style='{_FONT}'>The graph has no operations.</p>"
    nodes, edges = outline(node_defs)
    labels = [_label(node) for node in nodes]
    widths = [max(map(len, lines)) * _CHARACTER + 18 for lines in labels]
    heights = [len(lines) * _LINE + 10 for lines in labels]
    places, lines, size = layout(widths, heights, [(a, b) for a, b, _ in edges])
    drawn = [_edge(lines[a, b], heights[a], heights[b], only_control, count)
             for (a, b, only_control), count in sorted(edges.items())
             if not only_control or (a, b, False) not in edges]  # fmt: skip
    for node, label, place, w, h in zip(nodes, labels, places, widths, heights):
        drawn.append(_box(node, label, place, w, h, _tooltip(graph, node)))
    width, height = (int(s + 2 * _MARGIN) for s in size)
    return (
        f"<div style='overflow:auto;max-height:900px;background:#fff;color:#222;{_FONT}'>"
        f"<p style='margin:4px {_MARGIN}px'>{_html.escape(_caption(node_defs, nodes))}</p>"
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' "
        f"viewBox='{-_MARGIN} {-_MARGIN} {width} {height}' style='{_FONT}'>"
        "<defs><marker id='sluice-arrow' viewBox='0 0 8 8' refX='8' refY='4' markerWidth='7' "
        "markerHeight='7' orient='auto'><path d='M0 0L8 4L0 8z' fill='#777'/></marker></defs>"
        f"{''.join(drawn)}</svg></div>"
    )


def _caption(node_defs, nodes):
    text = f"{len(node_defs):,} operations"
    closed = sum(node.kind != "op" for node in nodes)
    if closed:
        text += f"; {closed} of {len(nodes)} boxes stand for several: see their tooltips"
    return text + ". Dashed lines are control dependencies."


def _kind(node):
    if node.kind != "op":
        variable = any(op.name == node.key and op.op in VARIABLES for op in node.ops)
        return "variable" if variable else node.kind
    op = node.ops[0].op
    if op in VARIABLES:
        return "variable"
    return "input" if op in _INPUTS else "constant" if op == "Const" else "op"


def _label(node):
    """The lines of text in a node's box."""
    name = node.key.rstrip("/")
    name = name if len(name) <= _LONGEST else "..." + name[3 - _LONGEST :]
    if node.kind == "op":
        return [name, node.ops[0].op[:_LONGEST]]
    return [name, f"{len(node.ops):,} operations"]


def _tooltip(graph, node):
    if node.kind == "op":
        return _op_text(graph, node.ops[0])
    types = collections.Counter(op.op for op in node.ops).most_common(12)
    devices = sorted({op.device for op in node.ops if op.device})
    lines = [node.key, f"{len(node.ops):,} operations:"]
    lines += [f"  {count:,} {name}" for name, count in types]
    return "\n".join([*lines, *devices[:6]])


def _op_text(graph, node_def):
    """Name, op, device, outputs and attributes of an operation."""
    op = graph.get_operation_by_name(node_def.name)
    lines = [f"{node_def.name} = {node_def.op}"]
    lines += [node_def.device] if node_def.device else []
    for tensor in op.outputs:
        lines.append(f"output {tensor.value_index}: {tensor.dtype.name} {tensor.shape}")
    for name in sorted(node_def.attr):
        if name.startswith("_") and name != "_class":
            continue
        value = " ".join(str(node_def.attr[name]).split())
        lines.append(f"{name}: {value if len(value) <= 80 else value[:77] + '...'}")
    return "\n".join(lines)


def _box(node, label, place, width, height, tooltip):
    x, y = place
    kind = _kind(node)
    fill, border = _COLOURS[kind]
    round_ = 10 if kind in ("input", "constant", "variable") else 3
    texts = "".join(
        f"<text x='{x:.1f}' y='{y - height / 2 + 17 + i * _LINE:.1f}' text-anchor='middle' "
        f"fill='{'#222' if i == 0 else '#666'}'>{_html.escape(line)}</text>"
        for i, line in enumerate(label)
    )
    below = ""
    if node.kind != "op":  # a second box behind says that there are several
        below = _rect(x + 4, y + 4, width, height, round_, fill, border)
    return (
        f"<g><title>{_html.escape(tooltip)}</title>{below}"
        f"{_rect(x, y, width, height, round_, fill, border)}{texts}</g>"
    )


def _rect(x, y, width, height, round_, fill, border):
    return (
        f"<rect x='{x - width / 2:.1f}' y='{y - height / 2:.1f}' width='{width:.1f}' "
        f"height='{height:.1f}' rx='{round_}' fill='{fill}' stroke='{border}'/>"
    )


def _edge(points, first, last, only_control, count):
    """A curve through points, from the border of one box to that of the other."""
    points = [list(p) for p in points]
    sign = 1 if points[-1][1] >= points[0][1] else -1
    points[0][1] += sign * first / 2
    points[-1][1] -= sign * last / 2
    path = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        middle = (y0 + y1) / 2
        path += f"C{x0:.1f} {middle:.1f} {x1:.1f} {middle:.1f} {x1:.1f} {y1:.1f}"
    dash = " stroke-dasharray='4 3'" if only_control else ""
    width = 1 if count < 3 else 1.8
    many = f"<title>{count:,} edges</title>" if count > 1 else ""
    return (
        f"<path d='{path}' fill='none' stroke='#777' stroke-width='{width}'{dash} "
        f"marker-end='url(#sluice-arrow)'>{many}</path>"
    )
