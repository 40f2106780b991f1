"""Clusters, servers and optimizers."""

import json

from . import _sluice, dtypes, ops, raw_ops
from .convert import constant
from .device_spec import DeviceSpec, merge
from .graph import (
    GraphKeys,
    IndexedSlices,
    colocate_with,
    control_dependencies,
    get_collection,
    get_default_graph,
    name_scope,
)
from .variables import Variable, trainable_variables


class ClusterSpec:
    """The tasks of a cluster: job -> list of "host:port", or dict of task index -> "host:port"."""

    def __init__(self, cluster):
        if isinstance(cluster, ClusterSpec):
            cluster = cluster._jobs
        self._jobs = {}
        for job, tasks in cluster.items():
            pairs = tasks.items() if isinstance(tasks, dict) else enumerate(tasks)
            self._jobs[job] = {int(i): address for i, address in pairs}

    @property
    def jobs(self):
        return sorted(self._jobs)

    def as_dict(self):
        return {
            job: [t[i] for i in sorted(t)] if sorted(t) == list(range(len(t))) else dict(t)
            for job, t in self._jobs.items()
        }

    def _tasks(self, job):
        if job not in self._jobs:
            raise ValueError(f'the cluster has no job "{job}", only {self.jobs}')
        return self._jobs[job]

    def num_tasks(self, job):
        return len(self._tasks(job))

    def task_indices(self, job):
        return sorted(self._tasks(job))

    def task_address(self, job, index):
        return self._tasks(job)[index]

    def job_tasks(self, job):
        tasks = self._tasks(job)
        return [tasks.get(i) for i in range(max(tasks, default=-1) + 1)]

    def __bool__(self):
        return bool(self._jobs)

    def __eq__(self, other):
        return isinstance(other, ClusterSpec) and self._jobs == other._jobs


class Server:
    """One task of a cluster in this process; listens on loopback when it is made. Port 0 takes a
    free one.

    Raises errors.UnavailableError when the address cannot be bound.
    """

    def __init__(self, server_or_cluster_def, job_name=None, task_index=None, config=None,
                 bind_host="", insecure=False):  # fmt: skip
        cluster = ClusterSpec(server_or_cluster_def)
        if job_name is None:
            if len(cluster.jobs) != 1:
                raise ValueError(f"job_name must be given: the cluster has {cluster.jobs}")
            job_name = cluster.jobs[0]
        if task_index is None:
            if cluster.num_tasks(job_name) != 1:
                raise ValueError(f'task_index must be given: job "{job_name}" has several tasks')
            task_index = cluster.task_indices(job_name)[0]
        spec = json.dumps({j: {str(i): a for i, a in t.items()} for j, t in cluster._jobs.items()})
        devices = config.device_count.get("CPU", 1) if config else 1
        self._core = _sluice.Server(spec, job_name, task_index, devices, bind_host, insecure)

    @property
    def target(self):
        """What a Session is given: "grpc://localhost:port"."""
        return self._core.target

    @property
    def port(self):
        return self._core.port

    def join(self):
        """Returns once the server is stopped."""
        self._core.join()

    def stop(self, grace=1.0):
        """Ends every call, after `grace` seconds by force, and frees the port."""
        self._core.stop(grace)

    @staticmethod
    def create_local_server(config=None):
        """A cluster of one task."""
        return Server({"local": ["localhost:0"]}, config=config)


_PS_OPS = (
    "Variable", "VariableV2", "AutoReloadVariable", "MutableHashTable", "MutableHashTableV2",
    "MutableHashTableOfTensors", "MutableHashTableOfTensorsV2", "MutableDenseHashTable",
    "MutableDenseHashTableV2", "VarHandleOp", "BoostedTreesEnsembleResourceHandleOp",
    "BoostedTreesQuantileStreamResourceHandleOp", "ResourceConditionalAccumulator",
)  # fmt: skip


def replica_device_setter(
    ps_tasks=0,
    ps_device="/job:ps",
    worker_device="/job:worker",
    merge_devices=True,
    cluster=None,
    ps_ops=None,
    ps_strategy=None,
):
    """A device function: variables go to the ps tasks in turn, everything else to `worker_device`.

    None (no effect) when there is no ps task.
    """
    if cluster is not None:
        job = DeviceSpec.from_string(ps_device).job
        cluster = ClusterSpec(cluster)
        ps_tasks = cluster.num_tasks(job) if job in cluster.jobs else 0
    if ps_tasks == 0:
        return None
    ps_ops = _PS_OPS if ps_ops is None else tuple(ps_ops)
    turn = [0]

    def round_robin(op):
        task = turn[0]
        turn[0] = (task + 1) % ps_tasks
        return task

    choose = ps_strategy or round_robin

    def place(op):
        if not merge_devices and op.device:
            return op.device
        if op.type not in ps_ops:
            return merge(op.device, worker_device)
        wanted = DeviceSpec.from_string(op.device)
        ps = DeviceSpec.from_string(ps_device)
        if ps.task is None and wanted.job in (None, ps.job):
            ps.task = choose(op)
        return wanted.merged_over(ps).to_string()

    return place


def get_global_step(graph=None):
    """The graph's global step, or None."""
    graph = graph or get_default_graph()
    steps = graph.get_collection(GraphKeys.GLOBAL_STEP)
    return steps[0] if steps else None


def get_or_create_global_step(graph=None):
    """The graph's global step: an int64 scalar variable that counts updates."""
    graph = graph or get_default_graph()
    found = get_global_step(graph)
    if found is not None:
        return found
    with graph.as_default():
        collections = [GraphKeys.GLOBAL_VARIABLES, GraphKeys.GLOBAL_STEP]
        zero = constant(0, dtypes.int64)
        return Variable(zero, trainable=False, collections=collections, name="global_step")


create_global_step = get_or_create_global_step


class Optimizer:
    """Changes variables to make a loss smaller."""

    def __init__(self, use_locking, name):
        self._use_locking = use_locking
        self._name = name
        self._slots = {}

    def minimize(self, loss, global_step=None, var_list=None, name=None, grad_loss=None):
        """An operation that makes one step: compute_gradients, then apply_gradients."""
        pairs = self.compute_gradients(loss, var_list, grad_loss=grad_loss)
        return self.apply_gradients(pairs, global_step, name)

    def compute_gradients(self, loss, var_list=None, grad_loss=None):
        """Pairs (gradient, variable); the gradient is None for a variable the loss does not depend
        on."""
        var_list = trainable_variables() if var_list is None else list(var_list)
        grads = ops.gradients(loss, var_list, grad_loss)
        return list(zip(grads, var_list))

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        """An operation that applies the gradients, then adds 1 to global_step."""
        pairs = [(g, v) for g, v in grads_and_vars if g is not None]
        if not pairs:
            raise ValueError("no gradients: the loss depends on none of the variables")
        with control_dependencies(None):
            self._prepare([v for _, v in pairs])
        with name_scope(name, self._name) as scope:
            updates = []
            for grad, var in pairs:
                with graph_scope("update_" + var.op.name.split("/")[-1]), colocate_with(var.op):
                    updates.append(self._apply(grad, var))
            with control_dependencies(updates):
                updates += self._finish()
            if global_step is None:
                return ops.group(*updates, name=scope)
            with control_dependencies([ops.group(*updates, name="update")]):
                with colocate_with(global_step.op):
                    step = global_step.assign_add(1, name=scope)
            return step if not hasattr(step, "op") else step.op

    def get_slot(self, var, name):
        """The variable that this optimizer keeps beside `var`, or None."""
        return self._slots.get((var, name))

    def variables(self):
        return list(self._slots.values())

    def _zeros_slot(self, var, slot):
        if (var, slot) not in self._slots:
            with colocate_with(var.op, ignore_existing=True):
                zeros = ops.zeros(var.shape.as_list(), var.dtype)
                self._slots[var, slot] = self._beside(var, zeros, f"{var.op.name}/{self._name}")
        return self._slots[var, slot]

    def _beside(self, var, value, name):
        with get_default_graph().name_scope(None):
            return Variable(value, trainable=False, name=name, use_resource=var._is_resource)

    def _prepare(self, var_list):
        """Makes slots."""

    def _finish(self):
        """Operations that run after all updates."""
        return []

    def _apply(self, grad, var):
        if isinstance(grad, IndexedSlices):
            return self._apply_sparse(*_merged(grad), var)
        return self._apply_dense(grad, var)

    def _run(self, op, var, **arguments):
        """Apply`op`, or its resource form, with `arguments`; variables among them as what that
        form takes."""
        resource = var._is_resource
        name = ("Resource" if resource else "") + op
        arguments = {"var": var, **arguments, "use_locking": self._use_locking}
        for key, value in arguments.items():
            if isinstance(value, Variable) and not key.endswith("_power"):
                arguments[key] = value.handle
        result = raw_ops.apply_op(name, **arguments)
        return result if resource else result.op

    def _scalar(self, value, var):
        return value if hasattr(value, "graph") else constant(value, var.dtype)


def graph_scope(name):
    return get_default_graph().name_scope(name)


def _merged(slices):
    """Each row once: the sum of those that repeat."""
    rows, positions = raw_ops.Unique(x=slices.indices)
    values = raw_ops.UnsortedSegmentSum(
        data=slices.values, segment_ids=positions, num_segments=ops.size(rows)
    )
    return values, rows


def _scatter(op, var, rows, values):
    if var._is_resource:
        return raw_ops.apply_op("Resource" + op, resource=var.handle, indices=rows, updates=values)
    return raw_ops.apply_op(op, ref=var, indices=rows, updates=values)


class GradientDescentOptimizer(Optimizer):
    """v -= learning_rate * g."""

    def __init__(self, learning_rate, use_locking=False, name="GradientDescent"):
        super().__init__(use_locking, name)
        self._rate = learning_rate

    def _apply_dense(self, grad, var):
        rate = self._scalar(self._rate, var)
        return self._run("ApplyGradientDescent", var, alpha=rate, delta=grad)

    def _apply_sparse(self, values, rows, var):
        step = values * self._scalar(self._rate, var)
        if var._is_resource:
            return _scatter("ScatterAdd", var, rows, -step)
        return _scatter("ScatterSub", var, rows, step).op


class MomentumOptimizer(Optimizer):
    """a = momentum * a + g; v -= learning_rate * a (Nesterov: v -= rate * (g + momentum * a))."""

    def __init__(self, learning_rate, momentum, use_locking=False, name="Momentum",
                 use_nesterov=False):  # fmt: skip
        super().__init__(use_locking, name)
        self._rate, self._momentum, self._nesterov = learning_rate, momentum, use_nesterov

    def _prepare(self, var_list):
        for var in var_list:
            self._zeros_slot(var, "momentum")

    def _arguments(self, grad, var):
        return {
            "accum": self.get_slot(var, "momentum"), "lr": self._scalar(self._rate, var),
            "grad": grad, "momentum": self._scalar(self._momentum, var),
            "use_nesterov": self._nesterov,
        }  # fmt: skip

    def _apply_dense(self, grad, var):
        return self._run("ApplyMomentum", var, **self._arguments(grad, var))

    def _apply_sparse(self, values, rows, var):
        arguments = self._arguments(values, var)
        return self._run("SparseApplyMomentum", var, indices=rows, **arguments)


class AdamOptimizer(Optimizer):
    """Adam (Kingma and Ba, 2015): rate sqrt(1 - beta2^t) / (1 - beta1^t) * m / (sqrt(v) +
    epsilon)."""

    def __init__(self, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-08,
                 use_locking=False, name="Adam"):  # fmt: skip
        super().__init__(use_locking, name)
        self._rate, self._beta1, self._beta2, self._epsilon = learning_rate, beta1, beta2, epsilon
        self._powers = None

    def _prepare(self, var_list):
        for slot in ("m", "v"):
            for var in var_list:
                self._zeros_slot(var, slot)
        if self._powers is None:
            first = min(var_list, key=lambda v: v.op.name)
            with colocate_with(first.op, ignore_existing=True):
                self._powers = [
                    self._beside(first, constant(beta, first.dtype), f"beta{i}_power")
                    for i, beta in enumerate((self._beta1, self._beta2), 1)
                ]

    def _terms(self, var):
        values = (self._rate, self._beta1, self._beta2, self._epsilon)
        return [self._scalar(value, var) for value in values]

    def _apply_dense(self, grad, var):
        rate, beta1, beta2, epsilon = self._terms(var)
        return self._run(
            "ApplyAdam", var, m=self.get_slot(var, "m"), v=self.get_slot(var, "v"),
            beta1_power=self._powers[0].value(), beta2_power=self._powers[1].value(), lr=rate,
            beta1=beta1, beta2=beta2, epsilon=epsilon, grad=grad,
        )  # fmt: skip

    def _apply_sparse(self, values, rows, var):
        """Every row's moments decay; those that have a gradient are added to."""
        rate, beta1, beta2, epsilon = self._terms(var)
        power1, power2 = (p.value() for p in self._powers)
        rate = rate * ops.sqrt(1 - power2) / (1 - power1)
        moments = []
        for slot, beta, term in (("m", beta1, values), ("v", beta2, values * values)):
            moment = self.get_slot(var, slot)
            with control_dependencies([moment.assign(moment.value() * beta)]):
                added = _scatter("ScatterAdd", moment, rows, term * (1 - beta))
            with control_dependencies([added]):
                moments.append(ops.identity(moment._read() if var._is_resource else added))
        return var.assign_sub(rate * moments[0] / (ops.sqrt(moments[1]) + epsilon)).op

    def _finish(self):
        updates = []
        for power, beta in zip(self._powers, (self._beta1, self._beta2)):
            with colocate_with(power.op):
                updates.append(power.assign(power.value() * self._scalar(beta, power)).op)
        return updates


__all__ = [
    "AdamOptimizer", "ClusterSpec", "GradientDescentOptimizer", "MomentumOptimizer", "Optimizer",
    "Server", "create_global_step", "get_global_step", "get_or_create_global_step",
    "replica_device_setter",
]  # fmt: skip
_KEPT = get_collection
