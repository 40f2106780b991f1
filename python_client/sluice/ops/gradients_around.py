# SPDX-License-Identifier: Apache-2.0
"""Gradients in the body of a conditional or a loop, of what was computed outside of it.

The body takes tensors from outside as arguments, behind which its graph ends. So the operations
between the x and such tensors are made once more in the body, and differentiated there.
"""

from .. import errors
from ..graph.convert import convert_to_tensor
from ..graph.other_graphs import copy_of
from ..graph.registry import OPS
from .gradient_overrides import take_over

_READS = frozenset({"ReadVariableOp", "Identity"})


class Outside:
    """What depends on a tensor outside of a body.

    Args:
        body: The graph of the body.
        source: The tensor of the body that stands for it.
        stops: Tensors of the body that count as constants, a list.
        inputs: A dict: a tensor -> what its operation takes. It is filled.
    """

    def __init__(self, body, source, stops, inputs):
        self._body, self._source, self._inputs_known = body, source, inputs
        outer = {inside: key for key, (_, inside) in body.captures.items()}
        self._x, self._made = outer.get(source), {}
        # A tensor -> whether it depends on x.
        self._known = {outer[stop]: False for stop in stops if stop in outer}

    def dependent(self):
        """Returns what the body takes from outside that depends on the tensor, a list of pairs: the
        tensor outside and its argument."""
        if self._x is None:
            return []
        pairs = [(key, inside) for key, (_, inside) in self._body.captures.items()]
        return [pair for pair in pairs if pair[0] is not self._x and self._depends(pair[0])]

    def _depends(self, tensor):
        stack = [tensor]
        while stack:
            top = stack[-1]
            if top is self._x or top in self._known:
                stack.pop()
                continue
            inputs = self._inputs(top)
            later = [t for t in inputs if t is not self._x and t not in self._known]
            if later:
                stack += later
                continue
            self._known[top] = any(t is self._x or self._known[t] for t in inputs)
            stack.pop()
        return tensor is self._x or self._known[tensor]

    def _inputs(self, tensor):
        """The inputs of its operation; of an argument of a body around this one, what it is."""
        if tensor not in self._inputs_known:
            captures = getattr(tensor.graph, "captures", {}).items()
            outside = [key for key, (_, inside) in captures if inside == tensor]
            self._inputs_known[tensor] = outside or tensor.op.inputs
        return self._inputs_known[tensor]

    def copied(self, tensor):
        """Returns the tensor as the body computes it.

        Args:
            tensor: A tensor outside that depends on x.

        Raises:
            errors.UnimplementedError: An operation on the way may not run twice.
        """
        if tensor is self._x:
            return self._source
        if not self._depends(tensor):
            return self._body.capture(tensor)
        op = tensor.op
        if op not in self._made:
            changes = op.type not in OPS or OPS[op.type]["stateful"] and op.type not in _READS
            if changes or any(a["type"] in ("func", "list(func)") for a in OPS[op.type]["attrs"]):
                raise errors.UnimplementedError(
                    None, None, f"gradients() in the body of a loop or a conditional goes through"
                    f" {op.name} ({op.type}), which is outside and cannot be made once more in the"
                    " body: compute the gradients outside of it",
                )  # fmt: skip
            inputs = [self.copied(t) for t in self._inputs(tensor)]
            self._made[op] = copy_of(tensor, self._body, inputs).op
            take_over(op, self._made[op])
        return self._made[op].outputs[tensor.value_index]


def added(body, ends, given, sources, stops, results, found):
    """Adds to gradients in a body what reaches the sources through tensors from outside.

    Args:
        body: The graph of the body.
        ends: The ys, tensors of the body.
        given: The gradients that flow into them, a list. None: ones.
        sources: The xs, tensors of the body.
        stops: Tensors of the body that count as constants, a list.
        results: Their gradients that are known, a list of tensors and None.
        found: A function of ys, xs and gradients of ys that returns gradients.

    Returns:
        The gradients, a list.
    """
    results, inputs = list(results), {}
    for number, source in enumerate(sources):
        outside = Outside(body, source, stops, inputs)
        pairs = outside.dependent()
        flows = found(ends, [inside for _, inside in pairs], given) if pairs else []
        flows = [(pair[0], convert_to_tensor(f)) for pair, f in zip(pairs, flows) if f is not None]
        if not flows:
            continue
        copies = [outside.copied(key) for key, _ in flows]
        more = found(copies, [source], [flow for _, flow in flows])[0]
        own = results[number]
        results[number] = more if own is None else convert_to_tensor(own) + convert_to_tensor(more)
    return results
