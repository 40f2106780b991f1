# SPDX-License-Identifier: Apache-2.0
"""The public modules test and version."""

from .. import modules as _modules
from ..session.devices import list_logical_devices
from . import cases

# Of the TensorFlow whose names and graphs these are.
_VERSIONS = {
    "VERSION": "1.15.0",
    "GIT_VERSION": "sluice",
    "COMPILER_VERSION": "C++20",
    "GRAPH_DEF_VERSION": 134,
    "GRAPH_DEF_VERSION_MIN_CONSUMER": 0,
    "GRAPH_DEF_VERSION_MIN_PRODUCER": 0,
}


def gpu_device_name():
    """Returns the name of the first GPU of this process.

    Returns:
        A str; empty if there is none.
    """
    found = list_logical_devices("GPU")
    return found[0].name if found else ""


def is_gpu_available(cuda_only=False, min_cuda_compute_capability=None):
    """Tests whether this process has a GPU.

    Args:
        cuda_only: Accepted: GPUs are used by CUDA.
        min_cuda_compute_capability: Accepted. It has no effect.

    Returns:
        A bool.
    """
    del cuda_only, min_cuda_compute_capability
    return bool(gpu_device_name())


def is_built_with_cuda():
    """Tests whether the servers can use GPUs.

    Returns:
        A bool.
    """
    return is_gpu_available()


def is_built_with_rocm():
    """Tests whether the servers can use GPUs by ROCm. They cannot.

    Returns:
        False.
    """
    return False


test = _modules.make(
    "test",
    "What tests of programs use.",
    {
        **{name: getattr(cases, name) for name in cases.__all__},
        "gpu_device_name": gpu_device_name,
        "is_built_with_cuda": is_built_with_cuda,
        "is_built_with_gpu_support": is_built_with_cuda,
        "is_built_with_rocm": is_built_with_rocm,
        "is_gpu_available": is_gpu_available,
    },
)
version = _modules.make("version", "Versions of TensorFlow whose names these are.", _VERSIONS)
globals().update(_VERSIONS)
__all__ = ["test", "version", *_VERSIONS]
