# SPDX-License-Identifier: Apache-2.0
"""Answers to the questions of programs about the libraries that Horovod can be built with: none.

The servers choose the transports.
"""


def mpi_threads_supported():
    """Returns whether MPI was started with support for threads.

    Returns:
        False.
    """
    return False


def mpi_enabled():
    """Returns whether the ranks work together by MPI.

    Returns:
        False.
    """
    return False


def mpi_built():
    """Returns whether MPI is built in.

    Returns:
        False.
    """
    return False


def gloo_enabled():
    """Returns whether the ranks work together by Gloo.

    Returns:
        False.
    """
    return False


def gloo_built():
    """Returns whether Gloo is built in.

    Returns:
        False.
    """
    return False


def nccl_built():
    """Returns whether reductions of Horovod by NCCL are built in.

    Returns:
        False.
    """
    return False


def ddl_built():
    """Returns whether IBM's DDL is built in.

    Returns:
        False.
    """
    return False


def ccl_built():
    """Returns whether Intel's oneCCL is built in.

    Returns:
        False.
    """
    return False


def cuda_built():
    """Returns whether operations of Horovod on CUDA are built in.

    Returns:
        False.
    """
    return False


def rocm_built():
    """Returns whether operations of Horovod on ROCm are built in.

    Returns:
        False.
    """
    return False
