# SPDX-License-Identifier: Apache-2.0
"""What the stages of a data set did in some time, and which of them limits the others."""

from dataclasses import dataclass, field
from typing import Optional

# A pipeline whose reader waits for less than this part of the time does not limit it.
_LITTLE = 0.1
_SUMS = ("elements", "waited", "reading", "making", "no_room")


@dataclass
class InputStage:
    """One stage of a data set. Times are in seconds."""

    index: int
    node: str
    op: str
    reader: int  # index of the stage that reads it; -1: the iterator
    elements: int
    waited: float  # its readers waited for it, the stages that it reads included
    lines: int  # lines of elements that it makes ahead; 0: it does not work ahead
    workers: int  # threads of all lines
    reading: float  # workers read inputs, one of each line at a time
    making: float  # workers made elements, the sum over the workers
    no_room: float  # workers waited for room, the sum over the workers
    depth: int = 0
    own: float = 0.0  # of `waited`: without the stages that it reads
    inputs: list = field(default_factory=list)  # of InputStage


@dataclass
class InputPipeline:
    """The stages of the data set of one iterator."""

    iterator: str
    device: str
    session: str
    seconds: float  # that the sums are of
    stages: list  # of InputStage, each after its reader


@dataclass
class Limit:
    """The stage that limits a pipeline, if one does."""

    stage: Optional[InputStage]
    share: float  # of the time that the stage was busy; without a stage: that the reader waited
    advice: str

    def text(self):
        """One line."""
        if self.stage is None:
            return f"no bottleneck: {self.advice}"
        share = f"{100 * min(self.share, 1):.0f} % of the time"
        return f"bottleneck: {self.stage.node} ({self.stage.op}): {share}; {self.advice}"


def pipelines_between(before, after):
    """The pipelines of two answers of list_pipelines: what their stages did between the two.

    A pipeline that `before` lacks has the sums since it began. Those with the most elements are
    first.
    """
    known = {_key(one): one for one in before}
    made = [_pipeline(known.get(_key(one)), one) for one in after]
    return sorted(made, key=lambda one: -sum(stage.elements for stage in one.stages))


def _key(report):
    return report["session"], report["device"], report["iterator"]


def _pipeline(before, after):
    if before is not None and before["age_us"] > after["age_us"]:
        before = None  # of the run before this one
    sums = {} if before is None else dict(zip(_paths(before), map(_sums, before["stages"])))
    stages = []
    for index, (path, report) in enumerate(zip(_paths(after), after["stages"])):
        now, then = _sums(report), sums.get(path, {})
        names = {name: report[name] for name in ("node", "op", "reader", "lines", "workers")}
        grown = {name: max(0, now[name] - then.get(name, 0)) for name in _SUMS}
        stages.append(InputStage(index=index, **names, **grown))
    for stage in stages:
        if stage.reader >= 0:
            stage.depth = stages[stage.reader].depth + 1
            stages[stage.reader].inputs.append(stage)
    for stage in stages:
        # What the workers read is no part of what the stage's reader waited for.
        read_here = max(0.0, sum(one.waited for one in stage.inputs) - stage.reading)
        stage.own = max(0.0, stage.waited - read_here)
    age = after["age_us"] - (0 if before is None else before["age_us"])
    return InputPipeline(after["iterator"], after["device"], after["session"], age / 1e6, stages)


def _paths(report):
    """The names from the iterator to each stage."""
    paths = []
    for stage in report["stages"]:
        above = paths[stage["reader"]] if stage["reader"] >= 0 else ()
        paths.append((*above, (stage["node"], stage["op"])))
    return paths


def _sums(stage):
    return {
        "elements": stage["elements"],
        **{name: stage[name + "_us"] / 1e6 for name in _SUMS if name != "elements"},
    }


def bottleneck(pipeline):
    """The Limit of an InputPipeline."""
    tops = [stage for stage in pipeline.stages if stage.reader < 0]
    waited = sum(stage.waited for stage in tops) / max(pipeline.seconds, 1e-6)
    if waited < _LITTLE:
        return Limit(None, waited, f"the reader waited {100 * waited:.0f} % of the time")
    return _slowest(tops, max(pipeline.seconds, 1e-6))


def _slowest(tops, seconds):
    """The Limit of stages that threads read for `seconds`, and of those that they read."""
    stages = list(tops)
    for stage in stages:
        stages += [] if stage.lines else stage.inputs
    slowest = max(stages, key=lambda stage: stage.own)
    if not slowest.lines:
        return Limit(slowest, slowest.own / seconds, _advice(slowest))
    # A worker that also maps while it reads counts that as reading: more than its inputs waited.
    read = min(slowest.reading, sum(stage.waited for stage in slowest.inputs))
    made = slowest.making + slowest.reading - read
    making = made / (seconds * max(1, slowest.workers))
    reading = read / (seconds * slowest.lines)
    if slowest.inputs and reading > making:
        return _slowest(slowest.inputs, seconds * slowest.lines)
    return Limit(slowest, making, _advice(slowest))


# The first that is a part of the op's name.
_ADVICE = (
    ("ParseExample", "raise num_parallel_calls (now {workers})"),
    ("ParallelMap", "raise num_parallel_calls (now {workers}), or make its function cheaper"),
    ("MapAndBatch", "raise num_parallel_calls (now {workers}), or make its function cheaper"),
    ("ParallelInterleave", "raise cycle_length, or make its function cheaper"),
    ("FlatMap", "use interleave with num_parallel_calls"),
    ("Interleave", "set num_parallel_calls"),
    ("MapDataset", "set num_parallel_calls, or make its function cheaper"),
    ("Filter", "make its predicate cheaper, or filter before slower stages"),
    ("Scan", "make its function cheaper"),
    ("Generator", "the generator is the limit; prefetch after it hides part of its time"),
    ("TFRecord", "read several files at a time: interleave with num_parallel_calls"),
    ("TextLine", "read several files at a time: interleave with num_parallel_calls"),
    ("FixedLengthRecord", "read several files at a time: interleave with num_parallel_calls"),
    ("CSV", "read several files at a time: interleave with num_parallel_calls"),
)


def _advice(stage):
    for part, advice in _ADVICE:
        if part in stage.op:
            return advice.format(workers=stage.workers)
    return "prefetch after it, so that it works while the step runs"
