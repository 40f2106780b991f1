# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class GraphKeys:
    GLOBAL_VARIABLES: _Any
    METRIC_VARIABLES: _Any
    TRAINABLE_VARIABLES: _Any
    LOCAL_VARIABLES: _Any
    MODEL_VARIABLES: _Any
    MOVING_AVERAGE_VARIABLES: _Any
    SUMMARIES: _Any
    QUEUE_RUNNERS: _Any
    TABLE_INITIALIZERS: _Any
    RESOURCES: _Any
    LOCAL_RESOURCES: _Any
    COND_CONTEXT: _Any
    WHILE_CONTEXT: _Any
    GLOBAL_STEP: _Any
    TRAIN_OP: _Any
    UPDATE_OPS: _Any
    LOSSES: _Any
    REGULARIZATION_LOSSES: _Any
    SAVERS: _Any
    INIT_OP: _Any
    LOCAL_INIT_OP: _Any
    READY_OP: _Any
    READY_FOR_LOCAL_INIT_OP: _Any
    SUMMARY_OP: _Any
    SAVEABLE_OBJECTS: _Any
    ASSET_FILEPATHS: _Any
    WEIGHTS: _Any
    BIASES: _Any
    ACTIVATIONS: _Any
    CONCATENATED_VARIABLES: _Any
    EVAL_STEP: _Any
    TRAINABLE_RESOURCE_VARIABLES: _Any
    VARIABLES: _Any
