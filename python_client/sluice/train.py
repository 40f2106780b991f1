"""Training: the global step, optimizers, learning rates, averages, checkpoints, clusters."""

# ruff: noqa: F401

from .basic_hooks import *  # noqa: F403
from .checkpoint_state import (
    checkpoint_exists,
    generate_checkpoint_state_proto,
    get_checkpoint_mtimes,
    get_checkpoint_state,
    latest_checkpoint,
    remove_checkpoint,
    update_checkpoint_state,
)
from .cluster import ClusterSpec, Server, replica_device_setter
from .coordinator import Coordinator, LooperThread
from .global_step import (
    assert_global_step,
    create_global_step,
    get_global_step,
    get_or_create_global_step,
    global_step,
)
from .graph_io import write_graph
from .input_pipeline import *  # noqa: F403
from .learning_rates import *  # noqa: F403
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
from .meta_graph import export_meta_graph
from .monitored_session import (
    ChiefSessionCreator,
    MonitoredSession,
    MonitoredTrainingSession,
    SessionCreator,
    SingularMonitoredSession,
    WorkerSessionCreator,
)
from .moving_averages import ExponentialMovingAverage
from .optimizer import Optimizer
from .optimizers import *  # noqa: F403
from .queue_runner import QueueRunner, add_queue_runner, start_queue_runners
from .saver import Saver, import_meta_graph
from .scaffold import Scaffold
from .session_hooks import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues
from .session_manager import SessionManager
from .supervisor import Supervisor
from .sync_replicas import SyncReplicasOptimizer

__all__ = [name for name in dir() if not name.startswith("_")]
