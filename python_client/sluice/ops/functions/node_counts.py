# SPDX-License-Identifier: Apache-2.0
"""How many nodes conditionals and loops have in the form that 1.x gives them.

An operation without a seed of its own takes the number of nodes before it as its seed. In 1.x the
nodes of branches and bodies are in the graph itself, with Switch, Merge, Enter and Exit nodes
around them: here they are functions that a single node calls. What is captured from outside has one
node in either form. Inside of functions, such as those of data sets, 1.15 calls functions, too.
"""

from ...graph.seeds import count_more_nodes
from .tracing import Body, ControlFlowBody, TracedFunction

# The Switch of the predicate, its two sides and the predicate itself.
_OF_PREDICATE = 4


def _only_control_flow(graph):
    """Whether 1.15 has the nodes of a graph, which may be that of a body, in the outermost one."""
    while isinstance(graph, Body):
        if not isinstance(graph, ControlFlowBody):
            return False
        graph = graph.outer
    return True


def branches_of(graph, true_fn, false_fn):
    """Traces the branches of a conditional.

    Args:
        graph: The Graph that it is in.
        true_fn: A function without arguments.
        false_fn: Another one.

    Returns:
        Two TracedFunctions.
    """
    counted = _only_control_flow(graph)
    true = TracedFunction(
        graph, true_fn, body_class=ControlFlowBody, before=_OF_PREDICATE if counted else None
    )
    before = _OF_PREDICATE + true.nodes if counted else None
    return true, TracedFunction(graph, false_fn, body_class=ControlFlowBody, before=before)


def count_cond(true, false):
    """Counts the nodes of a conditional in the default graph, which has its node.

    Args:
        true: The branches, TracedFunctions.
        false: The other one.
    """
    if _only_control_flow(true.body.outer):
        results = 3 * len(true.ops) + len(true.tensors)  # an Identity in each branch, and a Merge
        count_more_nodes(
            _OF_PREDICATE + true.nodes + false.nodes + results - 1 - true.body.reads
            - false.body.reads
        )  # fmt: skip


def parts_of_loop(graph, cond, body, given, structure):
    """Traces the condition and the body of a loop.

    Args:
        graph: The Graph that it is in.
        cond: A function of the loop variables.
        body: Another one.
        given: Dtypes and shapes of the variables, a list of pairs.
        structure: What the functions take, in which tensors stand for the variables.

    Returns:
        Two TracedFunctions.
    """
    counted, n = _only_control_flow(graph), len(given)
    condition = TracedFunction(
        graph, cond, given, structure, ControlFlowBody, before=2 * n if counted else None
    )
    before = 4 * n + 1 + condition.nodes if counted else None
    step = TracedFunction(graph, body, given, structure, ControlFlowBody, before=before)
    step.nodes -= len(condition.body.captures.keys() & step.body.captures.keys())
    return condition, step


def count_loop(condition, body):
    """Counts the nodes of a loop in the default graph, which has its node.

    Args:
        condition: The condition, a TracedFunction.
        body: The body, another one.
    """
    if _only_control_flow(body.body.outer):
        # Of each variable Enter, Merge, Switch, Identity, NextIteration and Exit; and the LoopCond.
        around = 6 * len(body.args) + 1
        count_more_nodes(around + condition.nodes + body.nodes - 1 - body.body.reads
                         - condition.body.reads)  # fmt: skip
