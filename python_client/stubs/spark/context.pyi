# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class NodeContext:
    worker_num: _Any
    executor_id: _Any
    cluster_spec: _Any
    num_workers: _Any
    default_fs: _Any
    defaultFS: _Any
    working_dir: _Any
    mgr: _Any
    job_name: _Any
    task_index: _Any
    def __init__(self, executor_id: _Any, job_name: _Any, task_index: _Any, cluster_spec: _Any, default_fs: _Any, working_dir: _Any, feed: _Any = ...) -> None: ...
    def hdfs_path(self, path: _Any) -> None: ...
    def absolute_path(self, path: _Any) -> None: ...
    def start_cluster_server(self, num_gpus: _Any = ..., rdma: _Any = ...) -> None: ...
    def get_data_feed(self, train_mode: _Any = ..., qname_in: _Any = ..., qname_out: _Any = ..., input_mapping: _Any = ...) -> None: ...
