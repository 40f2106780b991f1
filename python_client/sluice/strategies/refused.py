# SPDX-License-Identifier: Apache-2.0
"""Strategies and resolvers for machines that there are no servers for."""


class _Refused:
    use = ""

    def __init__(self, *args, **kwargs):
        del args, kwargs
        raise NotImplementedError(f"{type(self).__name__} is not there: {self.use}")


class TPUStrategy(_Refused):
    """Refused: there are no TPUs.

    Args:
        *args: Accepted.
        **kwargs: Accepted.

    Raises:
        NotImplementedError: Always.
    """

    use = (
        "the servers have no TPUs. Use MirroredStrategy for the GPUs of a task, or "
        "MultiWorkerMirroredStrategy for several tasks"
    )


class TPUClusterResolver(_Refused):
    """Refused: there are no TPUs.

    Args:
        *args: Accepted.
        **kwargs: Accepted.

    Raises:
        NotImplementedError: Always.
    """

    use = "the servers have no TPUs. Use TFConfigClusterResolver or SimpleClusterResolver"


class GCEClusterResolver(_Refused):
    """Refused: Google's instance groups are not asked.

    Args:
        *args: Accepted.
        **kwargs: Accepted.

    Raises:
        NotImplementedError: Always.
    """

    use = "name the instances by TF_CONFIG and TFConfigClusterResolver, or SimpleClusterResolver"
