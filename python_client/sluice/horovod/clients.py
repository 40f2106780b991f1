# SPDX-License-Identifier: Apache-2.0
"""The clients that sluice.hvd builds graphs with: ours, and TensorFlow's.

Both have the names of TensorFlow 1.15. They differ in how an operation gets an attribute that its
op does not declare, and in where their server runs.
"""

import sys

from . import loading

NAME_ATTRIBUTE = "_collective_name"  # the runtime compares it on all members
FIXED_ATTRIBUTE = "_collective_fixed_members"  # ranks that are gone do not come back

_chosen = []  # the client of this process, or nothing


class SluiceClient:
    """Our client. Its servers run in the program's process."""

    in_process = True

    def __init__(self):
        self.v1 = loading.load()

    def has_op(self, op_type):
        """Whether the client knows an op."""
        return op_type in dir(self.v1.raw_ops)

    def check_graph_mode(self):
        """Does nothing: our client has graph mode only."""

    def add(self, op_type, name, inputs, attrs, scope):
        """Adds a collective operation.

        Args:
          op_type: the op, a str.
          name: what the members compare, a str.
          inputs: a dict: argument -> tensor, value or list of tensors.
          attrs: a dict: attribute -> value.
          scope: the node's full name and "/".

        Returns:
          The operation's only output.
        """
        sl = self.v1
        tensors = []
        for value in inputs.values():
            if not isinstance(value, list):
                value = [value if hasattr(value, "op") else sl.constant(value, sl.int32)]
            tensors += value
        given = {key: _number_of(value) for key, value in attrs.items()}
        for arg, attr in (("input", "T"), ("ordering_token", "Nordering_token")):
            if arg in inputs:
                value = inputs[arg]
                given[attr] = len(value) if attr != "T" else value.dtype.as_datatype_enum
        given.update({NAME_ATTRIBUTE: name, FIXED_ATTRIBUTE: True})
        graph = tensors[0].graph if tensors else sl.get_default_graph()
        return graph.create_op(op_type, tensors, given, scope).outputs[0]


class TensorFlowClient:
    """TensorFlow's client, 1.15 or 2.x. Its server is a child process of the program."""

    in_process = False

    def __init__(self, tensorflow):
        compat = getattr(tensorflow, "compat", None)
        self.v1 = getattr(compat, "v1", tensorflow)
        if not hasattr(self.v1, "ConfigProto"):
            raise TypeError(f"over() takes the module tensorflow, not {tensorflow!r}")
        self._raw_ops = tensorflow.raw_ops if hasattr(tensorflow, "raw_ops") else self.v1.raw_ops

    def has_op(self, op_type):
        """Whether the client knows an op."""
        return hasattr(self._raw_ops, op_type)

    def check_graph_mode(self):
        """Raises RuntimeError where ops would run at once."""
        if self.v1.executing_eagerly():
            raise RuntimeError(
                "sluice.hvd builds graphs, and TensorFlow is in eager mode: call"
                " tf.compat.v1.disable_eager_execution() first, or build in a tf.Graph()"
            )

    def add(self, op_type, name, inputs, attrs, scope):
        """As SluiceClient.add()."""
        graph = self.v1.get_default_graph()
        hidden = {
            NAME_ATTRIBUTE: self.v1.AttrValue(s=name.encode()),
            FIXED_ATTRIBUTE: self.v1.AttrValue(b=True),
        }
        with graph._attr_scope(hidden):
            return getattr(self._raw_ops, op_type)(**inputs, **attrs, name=scope)


def _number_of(value):
    return value.as_datatype_enum if hasattr(value, "as_datatype_enum") else value


def over_tensorflow():
    """Whether this process builds its graphs with TensorFlow's client."""
    return bool(_chosen) and not _chosen[0].in_process


def over(tensorflow):
    """Has sluice.hvd build its operations with TensorFlow's client.

    Call it before init(), once for each process. Graph mode only.

    Args:
        tensorflow: The module tensorflow, of 1.15 or 2.x.

    Returns:
        The module sluice.hvd.

    Raises:
        RuntimeError: sluice.hvd uses Sluice's client already.
        TypeError: It is another module.
    """
    if _chosen and _chosen[0].in_process:
        raise RuntimeError(
            "sluice.hvd uses Sluice's client in this process: call over() before init()"
        )
    if not _chosen:
        _chosen.append(TensorFlowClient(tensorflow))
    return sys.modules["sluice.hvd"]


def current():
    """The client of this process: ours, unless over() was called.

    Raises:
      RuntimeError: TensorFlow is imported, Sluice's client is not, and over() was not called.
    """
    if not _chosen:
        if "tensorflow" in sys.modules and not loading.is_loaded():
            raise RuntimeError(
                "this process imported TensorFlow: call `hvd = sluice.hvd.over(tensorflow)` before"
                " init()"
            )
        _chosen.append(SluiceClient())
    return _chosen[0]


def v1():
    """The module with the names of TensorFlow 1.15, for building a graph."""
    client = current()
    client.check_graph_mode()
    return client.v1
