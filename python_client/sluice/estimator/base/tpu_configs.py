# SPDX-License-Identifier: Apache-2.0
"""How estimators written for TPUs run. There are no TPUs: they run on the servers' devices."""

import collections

from . import run_config

_TPU_FIELDS = collections.OrderedDict(
    iterations_per_loop=2, num_shards=None, num_cores_per_replica=None,
    per_host_input_for_training=True, tpu_job_name=None, initial_infeed_sleep_secs=None,
    input_partition_dims=None, eval_training_input_configuration=2,
    experimental_host_call_every_n_steps=1,
)  # fmt: skip


class InputPipelineConfig:
    """Where the input functions of TPUs run. It has no effect."""

    PER_SHARD_V1, PER_HOST_V1, PER_HOST_V2, BROADCAST, SLICED = range(1, 6)


class TPUConfig(
    collections.namedtuple("TPUConfig", _TPU_FIELDS, defaults=list(_TPU_FIELDS.values()))
):
    """How a model runs on TPUs. It has no effect without them.

    Args:
        iterations_per_loop: Steps between two reports to the program, an int.
        num_shards: How many shards the model has, an int.
        num_cores_per_replica: How many cores a replica has, an int.
        per_host_input_for_training: Where input functions run, of InputPipelineConfig, or a bool.
        tpu_job_name: Name of the job of the TPUs, a str.
        initial_infeed_sleep_secs: How long the first input waits, a number.
        input_partition_dims: How inputs are cut into partitions, a list.
        eval_training_input_configuration: Where input functions of evaluations run.
        experimental_host_call_every_n_steps: Steps between two host calls, an int.
    """

    __slots__ = ()


class RunConfig(run_config.RunConfig):
    """How an estimator runs.

    Args:
        tpu_config: A TPUConfig. None: the default one.
        evaluation_master: The target of sessions of evaluations, a str. None: that of training.
        master: The target of sessions, a str. None: that of TF_CONFIG.
        cluster: Must be None.
        **kwargs: The arguments of estimator.RunConfig.

    Raises:
        NotImplementedError: There is a resolver of a cluster.
    """

    def __init__(self, tpu_config=None, evaluation_master=None, master=None, cluster=None,
                 **kwargs):  # fmt: skip
        super().__init__(**kwargs)
        if cluster is not None:
            raise NotImplementedError("cluster: TF_CONFIG names the tasks, or master the target")
        self._tpu_config = tpu_config or TPUConfig()
        if master is not None:
            self._master = master
        self._evaluation_master = self._master if evaluation_master is None else evaluation_master

    @property
    def tpu_config(self):
        """The TPUConfig."""
        return self._tpu_config

    @property
    def evaluation_master(self):
        """The target of sessions of evaluations, a str."""
        return self._evaluation_master

    def replace(self, **kwargs):
        """Returns a copy with other values.

        Args:
            **kwargs: tpu_config, and the arguments of estimator.RunConfig, by their names.

        Returns:
            A RunConfig.
        """
        given = {key: value for key, value in kwargs.items() if key != "tpu_config"}
        made = super().replace(**given)
        made._tpu_config = kwargs.get("tpu_config", self._tpu_config)
        return made
