# SPDX-License-Identifier: Apache-2.0
"""Modules of contrib whose names the package has in other modules."""

import contextlib

from .. import autograph, distribute, distributions, io, keras, modules, random, signal
from ..distributions import one_hot, vectors
from ..files.tensors import make_ndarray, make_tensor_proto
from ..graph.static_values import static_value
from ..ops import raw_ops
from ..ops.nn import cross_entropy
from ..training import object_checkpoint, op_list, optimizers, scaled_optimizer


def _some(module, names):
    return {name: getattr(module, name) for name in names.split()}


@contextlib.contextmanager
def experimental_jit_scope(compile_ops=True, separate_compiled_gradients=False):
    """Does nothing: operations are not compiled.

    Args:
        compile_ops: Accepted. It has no effect.
        separate_compiled_gradients: Accepted. It has no effect.

    Returns:
        A context manager.
    """
    del compile_ops, separate_compiled_gradients
    yield


def ops_used_by_graph_def(graph_def):
    """Lists the operations that a graph and its functions use.

    Args:
        graph_def: The GraphDef.

    Returns:
        A set of str.
    """
    return {op.name for op in op_list.ops_of(graph_def).op}


def nth_element(input, n, reverse=False, name=None):
    """Finds the element that sorted rows have at a place.

    Args:
        input: A real tensor.
        n: The place, an int scalar.
        reverse: Whether rows are sorted from the largest. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor without the last dimension.
    """
    return raw_ops.NthElement(input=input, n=n, reverse=reverse, name=name)


def _flipped(name):
    function = getattr(cross_entropy, name)

    def flipped(logits, labels, **more):
        return function(labels=labels, logits=logits, **more)

    flipped.__name__ = f"deprecated_flipped_{name}"
    flipped.__doc__ = f"""Computes {name}() with the older order of arguments.

    Args:
        logits: What a model computes, a float tensor.
        labels: What it must compute.
        **more: The other arguments.

    Returns:
        The losses.
    """
    return flipped


deprecated_flipped_sigmoid_cross_entropy_with_logits = _flipped("sigmoid_cross_entropy_with_logits")
deprecated_flipped_softmax_cross_entropy_with_logits = _flipped("softmax_cross_entropy_with_logits")
deprecated_flipped_sparse_softmax_cross_entropy_with_logits = _flipped(
    "sparse_softmax_cross_entropy_with_logits"
)
_FLIPPED = [value for name, value in globals().items() if name.startswith("deprecated_flipped")]
jit = modules.make(
    "contrib.compiler.jit",
    "Accepted: operations are not compiled.",
    {"experimental_jit_scope": experimental_jit_scope},
)
MODULES = (
    modules.make("contrib.autograph", "Conversion of Python code into graphs.", {
        **_some(autograph, "to_code to_graph"),
        "do_not_convert": autograph.experimental.do_not_convert,
    }),
    modules.make("contrib.checkpoint", "Objects whose variables are saved.", {
        "CheckpointManager": object_checkpoint.CheckpointManager,
    }),
    modules.make("contrib.cluster_resolver", "Which tasks a cluster has.", {
        **_some(distribute.cluster_resolver, """
            ClusterResolver GCEClusterResolver KubernetesClusterResolver SimpleClusterResolver
            SlurmClusterResolver TFConfigClusterResolver TPUClusterResolver
        """),
        "UnionClusterResolver": distribute.cluster_resolver.UnionResolver,
    }),
    modules.make("contrib.distributions", "The distributions of the package.", {
        **{name: getattr(distributions, name) for name in distributions.__all__},
        **_some(vectors, "Independent MultivariateNormalDiag"),
        **_some(one_hot, "OneHotCategorical Poisson RelaxedOneHotCategorical"),
    }),
    modules.make("contrib.compiler", "Accepted: operations are not compiled.", {"jit": jit}),
    jit,
    modules.make("contrib.keras", "Keras, as the module keras of the package.", _some(keras, """
        activations applications backend callbacks constraints datasets initializers layers losses
        metrics models optimizers preprocessing regularizers utils wrappers
    """)),
    modules.make("contrib.mixed_precision", "Losses that are scaled.", {
        "LossScaleOptimizer": scaled_optimizer.MixedPrecisionLossScaleOptimizer,
    }),
    modules.make("contrib.nn", "Functions of neural networks.", {
        "nth_element": nth_element,
        **{function.__name__: function for function in _FLIPPED},
    }),
    modules.make("contrib.optimizer_v2", "The optimizers of the module train.", _some(
        optimizers, """
        AdadeltaOptimizer AdagradOptimizer AdamOptimizer GradientDescentOptimizer
        MomentumOptimizer RMSPropOptimizer
    """)),
    modules.make("contrib.proto", "Messages in tensors.", _some(io, "decode_proto encode_proto")),
    modules.make("contrib.signal", "The functions of the module signal.", _some(signal, """
        frame hamming_window hann_window inverse_stft inverse_stft_window_fn
        linear_to_mel_weight_matrix mfccs_from_log_mel_spectrograms overlap_and_add stft
    """)),
    modules.make("contrib.stateless", "Random numbers of a seed.", {
        "stateless_multinomial": random.stateless_multinomial,
        "stateless_random_normal": random.stateless_normal,
        "stateless_random_uniform": random.stateless_uniform,
        "stateless_truncated_normal": random.stateless_truncated_normal,
    }),
    modules.make("contrib.util", "Tensors as messages, and the operations of graphs.", {
        "constant_value": static_value,
        "make_ndarray": make_ndarray,
        "make_tensor_proto": make_tensor_proto,
        "ops_used_by_graph_def": ops_used_by_graph_def,
        "stripped_op_list_for_graph": op_list.ops_of,
    }),
)  # fmt: skip
