# SPDX-License-Identifier: Apache-2.0
"""The allowed differences between our client's graphs and TensorFlow's, with reasons."""

import re

# Ops that are one op: newer versions, which do the same.
SAME_OP = {
    "Add": "AddV2", "BatchMatMul": "BatchMatMulV2", "FusedBatchNorm": "FusedBatchNormV3",
    "StatelessIf": "If", "StatelessWhile": "While",  # which it is follows from the bodies
}  # fmt: skip

# (pattern, TensorFlow's op, ours, reason).
OTHER_OP = [
    (r"(.*/)?Identity(_\d+)?", "Identity", "EnsureShape", "a Saver refuses values of other shapes"),
]

# (pattern of nodes that only TensorFlow has, reason).
ONLY_THERE = [
    (r".*/IsInitialized/VarIsInitializedOp", "made when is_initialized() is asked for here"),
    (r"(.*/)?assert_broadcastable(/.*)?", "shapes are checked when the graph is built"),
    # An average begins with the initialised value of its variable, which 1.15 guards once more.
    (r".*/ExponentialMovingAverage(_\d+)?/IsVariableInitialized", "the value is guarded already"),
]

# (pattern of nodes that only our client has, reason).
ONLY_HERE = []

GRADIENTS = re.compile(r"(^|.*/)gradients(_\d+)?(/.*)?$")


# Scopes of functions that are built of other ops here, with the reason. Only their inputs and
# outputs are compared, not the nodes in them.
INSIDE = re.compile(
    r"(^|.*/)("
    # Functional nodes, which the runtime lowers to the Switch, Merge and frames of 1.x.
    r"cond|while"
    # Matrices in 1.15, an Einsum here.
    r"|Tensordot"
    # 1.15 counts in int32 or int64 behind a cond; here in float32.
    r"|zero_fraction"
    # 1.15 flattens what is a matrix already.
    r"|softmax_cross_entropy_with_logits|softmax_cross_entropy_loss/xentropy"
    r")(_\d+)?(/.*)?$"
)


def opaque(name):
    """The scope of a function that is built otherwise here, or None."""
    found = INSIDE.match(name)
    return found and name[: found.end(3) if found.group(3) else found.end(2)]


def in_gradients(name):
    """Is it a node that gradients() made? The runtime makes ours, by formulas of its own."""
    return bool(GRADIENTS.match(name))


def excused(name, table):
    return any(re.fullmatch(pattern, name) for pattern, _ in table)
