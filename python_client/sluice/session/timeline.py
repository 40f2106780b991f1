# SPDX-License-Identifier: Apache-2.0
"""What ran when in a step, as chrome://tracing reads it."""

import json
import re

_LABEL = re.compile(r"(.*) = (.*)\((.*)\)", re.DOTALL)


class Timeline:
    """The operations of a step and their times.

    Args:
        step_stats: The StepStats of a RunMetadata.
        graph: Accepted. It has no effect.

    Example:
        >>> metadata = sl.RunMetadata()
        >>> options = sl.RunOptions(trace_level=sl.RunOptions.FULL_TRACE)
        >>> values = session.run(y, options=options, run_metadata=metadata)
        >>> text = Timeline(metadata.step_stats).generate_chrome_trace_format()
    """

    def __init__(self, step_stats, graph=None):
        del graph
        self._step_stats = step_stats

    def generate_chrome_trace_format(self, show_dataflow=True, show_memory=False):
        """Describes the step.

        Args:
            show_dataflow: Whether there are arrows between operations. A bool.
            show_memory: Accepted. It has no effect.

        Returns:
            A str of JSON: a process for each device, and rows of operations that do not overlap.
        """
        del show_memory
        events, made = [], {}
        for number, device in enumerate(self._step_stats.dev_stats):
            name = f"{device.device} Compute"
            events.append(
                {"name": "process_name", "ph": "M", "pid": number, "args": {"name": name}}
            )
            for node, row in _rows(device.node_stats):
                event = _operation(node, number, row)
                events.append(event)
                made[node.node_name] = event
        if show_dataflow:
            events += _arrows(made)
        return json.dumps({"traceEvents": events}, indent=4)


def _rows(nodes):
    """Pairs of a node and the first row in which it does not overlap."""
    ends = []
    for node in sorted(nodes, key=lambda node: node.all_start_micros):
        start = node.all_start_micros
        row = next((i for i, end in enumerate(ends) if end <= start), len(ends))
        ends[row : row + 1] = [start + max(1, node.all_end_rel_micros)]
        yield node, row


def _operation(node, process, row):
    label = _LABEL.match(node.timeline_label)
    op, inputs = (label[2], label[3]) if label else (node.node_name, "")
    args = {"name": node.node_name, "op": op}
    args.update((f"input{i}", name) for i, name in enumerate(inputs.split(", ") if inputs else ()))
    return {
        "name": op, "cat": "Op", "ph": "X", "pid": process, "tid": row, "args": args,
        "ts": node.all_start_micros, "dur": max(1, node.all_end_rel_micros),
    }  # fmt: skip


def _arrows(made):
    """The events of arrows from operations to those that use their outputs."""
    arrows = []
    for event in made.values():
        for name in (v for k, v in event["args"].items() if k.startswith("input")):
            source = made.get(name.lstrip("^").partition(":")[0])
            if source is None:
                continue
            start = source["ts"] + source["dur"] - 1
            common = {"name": name, "cat": "DataFlow", "id": len(arrows) // 2}
            for phase, end, time in (("s", source, start), ("t", event, event["ts"])):
                arrows.append(
                    {**common, "ph": phase, "pid": end["pid"], "tid": end["tid"], "ts": time}
                )
    return arrows
