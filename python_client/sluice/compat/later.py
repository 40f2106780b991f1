# SPDX-License-Identifier: Apache-2.0
"""compat.v2: the package with what TensorFlow 2's API calls otherwise.

Most of its functions are those of 1.15 with arguments in another order or with other names. A name
that is not in a table here is that of the package.
"""

import functools
import inspect
import types

from .. import keras, nn, strings
from ..graph.seeds import set_random_seed
from ..ops import docstrings
from ..ops.array.selecting import where, where_v2
from ..ops.functions.cond_and_while import while_loop
from ..ops.state.variables import Variable

# module: function: its arguments, in the order of TensorFlow 2; "a=b": a is b in 1.15.
_ARGUMENTS = {
    "": """
        argmax: input axis output_type name
        argmin: input axis output_type name
        assert_equal: x y message summarize name
        assert_greater: x y message summarize name
        assert_less: x y message summarize name
        assert_rank: x rank message name
        batch_to_space: input block_shape crops name
        boolean_mask: tensor mask axis name
        cond: pred true_fn false_fn name
        convert_to_tensor: value dtype dtype_hint name
        expand_dims: input axis name
        gather: params indices validate_indices axis batch_dims name
        gather_nd: params indices batch_dims name
        ones_like: input=tensor dtype name
        pad: tensor paddings mode constant_values name
        reduce_all: input_tensor axis keepdims name
        reduce_any: input_tensor axis keepdims name
        reduce_logsumexp: input_tensor axis keepdims name
        reduce_max: input_tensor axis keepdims name
        reduce_mean: input_tensor axis keepdims name
        reduce_min: input_tensor axis keepdims name
        reduce_prod: input_tensor axis keepdims name
        reduce_sum: input_tensor axis keepdims name
        shape: input out_type name
        size: input out_type name
        space_to_batch: input block_shape paddings name
        squeeze: input axis name
        transpose: a perm conjugate name
        tuple: tensors control_inputs name
        zeros_like: input=tensor dtype name
    """,
    "debugging": """
        assert_all_finite: x message name
        assert_equal: x y message summarize name
        assert_greater: x y message summarize name
        assert_greater_equal: x y message summarize name
        assert_less: x y message summarize name
        assert_less_equal: x y message summarize name
        assert_near: x y rtol atol message summarize name
        assert_negative: x message summarize name
        assert_non_negative: x message summarize name
        assert_non_positive: x message summarize name
        assert_none_equal: x y summarize message name
        assert_positive: x message summarize name
        assert_rank: x rank message name
        assert_rank_at_least: x rank message name
        assert_rank_in: x ranks message name
        assert_scalar: tensor message name
    """,
    "io": """
        decode_csv: records record_defaults field_delim use_quote_delim na_value select_cols name
        parse_example: serialized features example_names name
        parse_single_example: serialized features example_names name
        serialize_many_sparse: sp_input out_type name
        serialize_sparse: sp_input out_type name
    """,
    "math": """
        argmax: input axis output_type name
        argmin: input axis output_type name
        confusion_matrix: labels predictions num_classes weights dtype name
        in_top_k: targets predictions k name
        reduce_all: input_tensor axis keepdims name
        reduce_any: input_tensor axis keepdims name
        reduce_logsumexp: input_tensor axis keepdims name
        reduce_max: input_tensor axis keepdims name
        reduce_mean: input_tensor axis keepdims name
        reduce_min: input_tensor axis keepdims name
        reduce_prod: input_tensor axis keepdims name
        reduce_sum: input_tensor axis keepdims name
    """,
    "nn": """
        avg_pool: input=value ksize strides padding data_format name
        conv1d: input filters stride padding data_format dilations name
        conv2d: input filters strides padding data_format dilations name
        conv2d_transpose: input filters output_shape strides padding data_format dilations name
        conv3d: input filters strides padding data_format dilations name
        convolution: input filters strides padding data_format dilations name
        depth_to_space: input block_size data_format name
        depthwise_conv2d: input filter strides padding data_format dilations name
        dropout: x rate noise_shape seed name
        embedding_lookup: params ids max_norm name
        embedding_lookup_sparse: params sp_ids sp_weights combiner max_norm name
        in_top_k: targets predictions k name
        max_pool: input=value ksize strides padding data_format name
        moments: x axes shift keepdims name
        pool: input window_shape pooling_type strides padding data_format dilations name
        sigmoid_cross_entropy_with_logits: labels logits name
        sparse_softmax_cross_entropy_with_logits: labels logits name
        separable_conv2d:
            input depthwise_filter pointwise_filter strides padding data_format dilations name
        space_to_batch: input block_shape paddings name
        space_to_depth: input block_size data_format name
        sufficient_statistics: x axes shift keepdims name
        weighted_cross_entropy_with_logits: labels logits pos_weight name
        weighted_moments: x axes frequency_weights keepdims name
    """,
    "random": "poisson: shape lam dtype seed name",
    "sparse": """
        segment_mean: data indices segment_ids num_segments name
        segment_sqrt_n: data indices segment_ids num_segments name
        segment_sum: data indices segment_ids num_segments name
    """,
    "strings": """
        length: input unit name
        reduce_join: inputs axis keepdims separator name
        substr: input pos len unit name
        to_hash_bucket: input num_buckets name
        to_number: input out_type name
    """,
}


def _reordered(function, arguments):
    """A function with arguments in another order, some with another name."""
    pairs = [entry.partition("=")[::2] for entry in arguments]
    names = [name for name, _ in pairs]
    own = {name: own or name for name, own in pairs}

    @functools.wraps(function)
    def call(*args, **kwargs):
        if len(args) > len(names):
            raise TypeError(
                f"{function.__name__}() takes {len(names)} arguments but {len(args)} were given"
            )
        given = dict(zip(names, args))
        twice = sorted(set(given) & set(kwargs))
        if twice:
            raise TypeError(f"{function.__name__}() got multiple values for argument '{twice[0]}'")
        unknown = sorted(set(kwargs) - set(names))
        if unknown:
            raise TypeError(f"{function.__name__}() has no argument '{unknown[0]}'")
        return function(**{own[name]: value for name, value in {**given, **kwargs}.items()})

    call.__signature__ = _signature(function, own)
    call.__doc__ = _described(function, own)
    return call


def _described(function, own):
    """The docstring of a function, with its arguments by the names that they have here."""
    parts = docstrings.parse(function.__doc__)
    known = docstrings.entries(parts.get("Args", ()))
    words = {name: known.get(own[name]) or known.get(name) or "See 1.15." for name in own}
    returns = " ".join(parts.get("Returns", ())).strip()
    raises = docstrings.entries(parts.get("Raises", ()))
    return docstrings.assemble(parts[""], words, returns, raises, parts.get("Example", ()))


def _signature(function, own):
    """The signature of such a function: its arguments with the defaults that they have in 1.15."""
    before = inspect.signature(function).parameters
    parameters, required = [], False
    for name in reversed(own):
        default = False if name == "keepdims" else before[own[name]].default
        required = required or default is inspect.Parameter.empty
        parameters.append(
            inspect.Parameter(
                name, inspect.Parameter.POSITIONAL_OR_KEYWORD,
                default=inspect.Parameter.empty if required else default,
            )
        )  # fmt: skip
    return inspect.Signature(parameters[::-1])


def _read(table, module):
    """The functions of a table, by name."""
    found, name = {}, None
    for word in table.split():
        if word.endswith(":"):
            name = word[:-1]
            found[name] = []
        else:
            found[name].append(word)
    return {name: _reordered(getattr(module, name), words) for name, words in found.items()}


class _Resources(type(Variable)):
    """Makes resource variables, as TensorFlow 2 does. Each Variable is an instance."""

    def __call__(cls, *args, **kwargs):
        return Variable(*args, **{"use_resource": True, **kwargs})

    def __instancecheck__(cls, value):
        return isinstance(value, Variable)


class _ResourceVariable(Variable, metaclass=_Resources):
    __doc__ = Variable.__doc__


def _as_documented(source):
    """A decorator: the docstring is that of a function of 1.15, for the arguments that are here."""

    def describe(function):
        names = inspect.signature(function).parameters
        function.__doc__ = _described(source, {name: name for name in names})
        return function

    return describe


@_as_documented(while_loop)
def _while_loop(cond, body, loop_vars, shape_invariants=None, parallel_iterations=10,
                back_prop=True, swap_memory=False, maximum_iterations=None, name=None):  # fmt: skip
    return while_loop(
        cond, body, loop_vars, shape_invariants, parallel_iterations, back_prop, swap_memory,
        name, maximum_iterations, return_same_structure=True,
    )  # fmt: skip


@_as_documented(where)
def _where(condition, x=None, y=None, name=None):
    if x is None and y is None:
        return where(condition, name=name)
    return where_v2(condition, x, y, name)


@_as_documented(strings.split)
def _split(input, sep=None, maxsplit=-1, name=None):
    return strings.split(input, sep, maxsplit, "RaggedTensor", name=name)


_OTHERS = {
    "": {
        "Variable": _ResourceVariable, "initializers": keras.initializers, "losses": keras.losses,
        "metrics": keras.metrics, "optimizers": keras.optimizers, "where": _where,
        "while_loop": _while_loop,
    },
    "nn": {"softmax_cross_entropy_with_logits": nn.softmax_cross_entropy_with_logits_v2},
    "random": {"set_seed": set_random_seed},
    "strings": {"split": _split},
}  # fmt: skip


class _Later(types.ModuleType):
    """A module that has names of its own and otherwise those of another one."""

    def __init__(self, name, module, names):
        super().__init__(name, module.__doc__)
        self.__dict__.update(names)
        self._module = module

    def __getattr__(self, name):
        if name == "__all__":
            return self.__dir__()
        return getattr(self._module, name)

    def __dir__(self):
        return sorted({*self._module.__all__, *(n for n in vars(self) if not n.startswith("_"))})


def make(package, public, name):
    """Makes the module compat.v2.

    Args:
        package: The package.
        public: The module that has the names of the package already.
        name: Name of the module, a str.

    Returns:
        The module.
    """
    found = {}
    for path in sorted({*_ARGUMENTS, *_OTHERS}):
        module = getattr(public, path) if path else public
        own = {**_read(_ARGUMENTS.get(path, ""), module), **_OTHERS.get(path, {})}
        if path:
            found[path] = _Later(f"{name}.{path}", module, own)
        else:
            found.update(own)
    return _Later(name, package, found)
