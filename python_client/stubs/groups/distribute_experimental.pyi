# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.strategies.parameter_server import CentralStorageStrategy as CentralStorageStrategy
from sluice.strategies.multi_worker import CollectiveCommunication as CollectiveCommunication
from sluice.strategies.multi_worker import CollectiveCommunication as _strategies_multi_worker_CollectiveCommunication
CommunicationImplementation = _strategies_multi_worker_CollectiveCommunication
from sluice.strategies.multi_worker import CommunicationOptions as CommunicationOptions
from sluice.strategies.multi_worker import MultiWorkerMirroredStrategy as MultiWorkerMirroredStrategy
from sluice.strategies.parameter_server import ParameterServerStrategy as ParameterServerStrategy
from sluice.strategies.refused import TPUStrategy as TPUStrategy
