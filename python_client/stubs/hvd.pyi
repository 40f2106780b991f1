# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.horovod import callbacks as callbacks
from sluice.horovod.built import ccl_built as ccl_built
from sluice.horovod.built import cuda_built as cuda_built
from sluice.horovod.built import ddl_built as ddl_built
from sluice.horovod.built import gloo_built as gloo_built
from sluice.horovod.built import gloo_enabled as gloo_enabled
from sluice.horovod.built import mpi_built as mpi_built
from sluice.horovod.built import mpi_enabled as mpi_enabled
from sluice.horovod.built import mpi_threads_supported as mpi_threads_supported
from sluice.horovod.built import nccl_built as nccl_built
from sluice.horovod.built import rocm_built as rocm_built
from sluice.horovod.clients import over as over
from sluice.horovod.compression import Compression as Compression
from sluice.horovod.gathers import allgather as allgather
from sluice.horovod.gathers import alltoall as alltoall
from sluice.horovod.gathers import broadcast as broadcast
from sluice.horovod.gathers import grouped_allgather as grouped_allgather
from sluice.horovod.optimizer import DistributedGradientTape as DistributedGradientTape
from sluice.horovod.optimizer import DistributedOptimizer as DistributedOptimizer
from sluice.horovod.optimizer import load_model as load_model
from sluice.horovod.place_ops import local_rank_op as local_rank_op
from sluice.horovod.place_ops import local_size_op as local_size_op
from sluice.horovod.place_ops import process_set_included_op as process_set_included_op
from sluice.horovod.place_ops import rank_op as rank_op
from sluice.horovod.place_ops import size_op as size_op
from sluice.horovod.places import cross_rank as cross_rank
from sluice.horovod.places import cross_size as cross_size
from sluice.horovod.places import init as init
from sluice.horovod.places import is_homogeneous as is_homogeneous
from sluice.horovod.places import is_initialized as is_initialized
from sluice.horovod.places import local_rank as local_rank
from sluice.horovod.places import local_size as local_size
from sluice.horovod.places import rank as rank
from sluice.horovod.places import shutdown as shutdown
from sluice.horovod.places import size as size
from sluice.horovod.process_sets import ProcessSet as ProcessSet
from sluice.horovod.process_sets import add_process_set as add_process_set
from sluice.horovod.process_sets import remove_process_set as remove_process_set
from sluice.horovod.reductions import allreduce as allreduce
from sluice.horovod.reductions import grouped_allreduce as grouped_allreduce
from sluice.horovod.reductions import grouped_reducescatter as grouped_reducescatter
from sluice.horovod.reductions import reducescatter as reducescatter
from sluice.horovod.rendezvous import RendezvousError as RendezvousError
from sluice.horovod.schedule import scaled_learning_rate as scaled_learning_rate
from sluice.horovod.sync_norm import SyncBatchNormalization as SyncBatchNormalization
from sluice.horovod.variables import BroadcastGlobalVariablesHook as BroadcastGlobalVariablesHook
from sluice.horovod.variables import allgather_object as allgather_object
from sluice.horovod.variables import broadcast_global_variables as broadcast_global_variables
from sluice.horovod.variables import broadcast_object as broadcast_object
from sluice.horovod.variables import broadcast_object_fn as broadcast_object_fn
from sluice.horovod.variables import broadcast_variables as broadcast_variables
from sluice.horovod.variables import config as config
from sluice.horovod.variables import target as target

global_process_set: _Any
Average: _Any
Max: _Any
Min: _Any
Product: _Any
Sum: _Any
