# SPDX-License-Identifier: Apache-2.0
"""Decorators of TensorFlow's own tests. There are only graphs: what they ask of eager execution and
of compilers is left out."""

import contextlib
import functools
import unittest

from ..graph.default_graph import device
from ..graph.elements import Tensor
from ..graph.graph import Graph
from ..ops import array as arrays
from .names import gpu_device_name, is_gpu_available


def _optional(decorator):
    """A decorator that may be used with and without parentheses."""

    @functools.wraps(decorator)
    def decorate(func=None, **options):
        if func is None:
            return functools.partial(decorator, **options)
        return decorator(func, **options)

    return decorate


def unchanged(func=None, **options):
    """Changes nothing: the test runs as it is.

    Args:
        func: The test or class. None: a decorator is returned.
        **options: Accepted. They have no effect.

    Returns:
        The test or class.
    """
    del options
    return (lambda f: f) if func is None else func


def said(*words, **options):
    """Makes a decorator that changes nothing.

    Args:
        *words: Why the decorator is there. They have no effect.
        **options: func: the test, if it is given here.

    Returns:
        A decorator.
    """
    del words
    return unchanged(options.get("func"))


def _skipped(reason):
    def decorate(func):
        if isinstance(func, type):
            return unittest.skip(reason)(func)

        @functools.wraps(func)
        def skip(self, *args, **kwargs):
            self.skipTest(reason)

        return skip

    return decorate


@_optional
def run_v2_only(func):
    """Skips a test of TensorFlow 2.

    Args:
        func: The test.
    """
    return _skipped("Test is only compatible with v2")(func)


@_optional
def run_gpu_only(func):
    """Skips a test if this process has no GPU.

    Args:
        func: The test.
    """

    @functools.wraps(func)
    def run(self, *args, **kwargs):
        if not is_gpu_available():
            self.skipTest("Test requires GPU")
        return func(self, *args, **kwargs)

    return run


@_optional
def run_in_graph_and_eager_modes(func, config=None, use_gpu=True, **options):
    """Runs a test in the session that the parts of the test share.

    Args:
        func: The test.
        config: The ConfigProto of the session. None: a default one.
        use_gpu: Whether operations may be on a GPU. A bool.
        **options: Accepted. They have no effect.

    Returns:
        A method; without func a function of the test that returns one.
    """
    del options
    if isinstance(func, type):
        raise ValueError(
            "`run_in_graph_and_eager_modes` only supports test methods. Did you mean to use "
            "`run_all_in_graph_and_eager_modes`?"
        )

    @functools.wraps(func)
    def run(self, *args, **kwargs):
        with self.test_session(use_gpu=use_gpu, config=config):
            func(self, *args, **kwargs)

    return run


def run_all_in_graph_and_eager_modes(cls):
    """Runs all tests of a class as run_in_graph_and_eager_modes() does.

    Args:
        cls: The class.

    Returns:
        The class.
    """
    for name in dir(cls):
        skips = name.startswith(("testSkipEager", "test_skip_eager")) or name == "test_session"
        if name.startswith("test") and not skips and callable(getattr(cls, name)):
            setattr(cls, name, run_in_graph_and_eager_modes(getattr(cls, name)))
    return cls


@_optional
def build_as_function_and_v1_graph(func):
    """Runs a test in a graph of its own.

    Args:
        func: The test.
    """

    @functools.wraps(func)
    def run(self, *args, **kwargs):
        with Graph().as_default():
            func(self, *args, **kwargs)

    return run


def skip_if(condition):
    """Makes a decorator: a test does nothing where a condition holds.

    Args:
        condition: A bool, or a function that returns it.

    Returns:
        A decorator.
    """

    def decorate(func):
        @functools.wraps(func)
        def run(*args, **kwargs):
            if not (condition() if callable(condition) else condition):
                func(*args, **kwargs)

        return run

    return decorate


def for_all_test_methods(decorator, *args, **kwargs):
    """Makes a decorator of classes, which decorates each test.

    Args:
        decorator: A function of args and kwargs that returns a decorator.
        *args: Its arguments.
        **kwargs: Its arguments by name.

    Returns:
        A decorator of classes.
    """

    def decorate(cls):
        for name in dir(cls):
            if name.startswith("test") and name != "test_session" and callable(getattr(cls, name)):
                setattr(cls, name, decorator(*args, **kwargs)(getattr(cls, name)))
        return cls

    return decorate


# ---- devices and formats


@contextlib.contextmanager
def _on(name):
    with device(name):
        yield


def use_gpu():
    """Puts operations on the first GPU if there is one. A context manager."""
    return _on(gpu_device_name() or None)


def force_gpu():
    """Puts operations on the first GPU. A context manager."""
    return _on("/device:GPU:0")


def force_cpu():
    """Puts operations on the CPU. A context manager."""
    return _on("/device:CPU:0")


def _reordered(orders):
    def reorder(input_tensor):
        if isinstance(input_tensor, Tensor):
            return arrays.transpose(input_tensor, orders[input_tensor.shape.ndims])
        return [input_tensor[axis] for axis in orders[len(input_tensor)]]

    reorder.__doc__ = "Returns a tensor, or a shape as a list, with another order of dimensions."
    return reorder


def _no():
    """Returns False: there is none of it."""
    return False


# What TensorFlow's module test_util has.
NAMES = {
    **dict.fromkeys(
        """
        also_run_as_tf_function run_deprecated_v1 deprecated_graph_mode_only enable_control_flow_v2
        with_control_flow_v2 enable_output_all_intermediates assert_no_new_tensors
        assert_no_garbage_created assert_no_new_pyobjects_executing_eagerly enable_c_shapes
        with_c_shapes use_deterministic_cudnn
        """.split(),
        unchanged,
    ),
    **dict.fromkeys(
        """
        run_v1_only disable_xla disable_all_xla no_xla_auto_jit xla_allow_fallback
        enable_tf_xla_constant_folding disable_control_flow_v2
        """.split(),
        said,
    ),
    **dict.fromkeys("IsMklEnabled IsBuiltWithROCm is_xla_enabled".split(), _no),
    "CudaSupportsHalfMatMulAndConv": is_gpu_available,
    "GpuSupportsHalfMatMulAndConv": is_gpu_available,
    "InstallStackTraceHandler": unchanged,
    "IsGoogleCudaEnabled": is_gpu_available,
    "NCHWToNHWC": _reordered({4: [0, 2, 3, 1], 5: [0, 2, 3, 4, 1]}),
    "NHWCToNCHW": _reordered({4: [0, 3, 1, 2], 5: [0, 4, 1, 2, 3]}),
    "build_as_function_and_v1_graph": build_as_function_and_v1_graph,
    "for_all_test_methods": for_all_test_methods,
    "force_cpu": force_cpu,
    "force_gpu": force_gpu,
    "run_all_in_graph_and_eager_modes": run_all_in_graph_and_eager_modes,
    "run_cuda_only": run_gpu_only,
    "run_gpu_only": run_gpu_only,
    "run_in_graph_and_eager_modes": run_in_graph_and_eager_modes,
    "run_v2_only": run_v2_only,
    "skip_if": skip_if,
    "use_gpu": use_gpu,
}  # fmt: skip
