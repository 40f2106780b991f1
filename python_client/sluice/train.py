# SPDX-License-Identifier: Apache-2.0
"""Training: the global step, optimizers, learning rates, averages, checkpoints, clusters."""

# ruff: noqa: F401

from . import modules as _modules
from .files.graph_io import write_graph
from .files.records import summary_iterator
from .messages import (
    BytesList,
    CheckpointState,
    ClusterDef,
    Example,
    Feature,
    FeatureList,
    FeatureLists,
    Features,
    FloatList,
    Int64List,
    JobDef,
    SaverDef,
    SequenceExample,
    ServerDef,
)
from .session.cluster import ClusterSpec, Server, replica_device_setter
from .training import loss_scales as _loss_scales
from .training import scaled_optimizer as _scaled_optimizer
from .training.basic_hooks import *  # noqa: F403
from .training.checkpoints.reader import (
    NewCheckpointReader,
    list_variables,
    load_checkpoint,
    load_variable,
)
from .training.checkpoints.state import (
    checkpoint_exists,
    checkpoints_iterator,
    generate_checkpoint_state_proto,
    get_checkpoint_mtimes,
    get_checkpoint_state,
    latest_checkpoint,
    remove_checkpoint,
    update_checkpoint_state,
)
from .training.coordinator import Coordinator, LooperThread
from .training.dual_coordinates import *  # noqa: F403
from .training.global_step import (
    assert_global_step,
    create_global_step,
    get_global_step,
    get_or_create_global_step,
    global_step,
)
from .training.input_pipeline import *  # noqa: F403
from .training.learning_rates import *  # noqa: F403
from .training.meta_graph import export_meta_graph
from .training.moving_averages import ExponentialMovingAverage
from .training.object_checkpoint import Checkpoint, CheckpointManager
from .training.optimizer import Optimizer
from .training.optimizers import *  # noqa: F403
from .training.queue_runner import QueueRunner, add_queue_runner, start_queue_runners
from .training.saver import Saver, import_meta_graph
from .training.scaffold import Scaffold
from .training.session_hooks import (
    SessionRunArgs,
    SessionRunContext,
    SessionRunHook,
    SessionRunValues,
)
from .training.session_manager import SessionManager
from .training.sessions.creators import ChiefSessionCreator, SessionCreator, WorkerSessionCreator
from .training.sessions.monitored_session import (
    MonitoredSession,
    MonitoredTrainingSession,
    SingularMonitoredSession,
)
from .training.supervisor import Supervisor
from .training.sync_replicas import SyncReplicasOptimizer
from .training.vocab_info import VocabInfo
from .training.warm_start import init_from_checkpoint, warm_start

experimental = _modules.make(
    "train.experimental",
    "Losses multiplied by a number, for gradients of float16.",
    {
        name: getattr(source, name)
        for source in (_loss_scales, _scaled_optimizer)
        for name in source.__all__
    },
)
__all__ = [name for name in dir() if not name.startswith("_")]
