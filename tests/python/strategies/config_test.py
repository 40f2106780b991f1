# SPDX-License-Identifier: Apache-2.0
"""sluice.config: devices, their memory, and threads. Each program is a process of its own: devices
are fixed once they were listed."""

import subprocess
import sys

import pytest

START = """
import numpy as np, sluice as sl
config = sl.config
cpu = config.list_physical_devices("CPU")[0]
"""


def run(program):
    """What a program prints."""
    done = subprocess.run([sys.executable, "-c", START + program], capture_output=True, text=True,
                          timeout=200)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_several_logical_devices():
    said = run("""
parts = [config.LogicalDeviceConfiguration()] * 3
config.set_logical_device_configuration(cpu, parts)
assert config.experimental.get_virtual_device_configuration(cpu) == parts
config.threading.set_intra_op_parallelism_threads(2)
assert config.threading.get_intra_op_parallelism_threads() == 2
print([d.name for d in config.list_logical_devices("CPU")])
try:
    config.experimental.set_virtual_device_configuration(cpu, None)
except RuntimeError as error:
    print(error)
strategy = sl.distribute.MirroredStrategy()
print(strategy.num_replicas_in_sync)
with strategy.scope():
    ids = strategy.run(lambda: sl.distribute.get_replica_context().replica_id_in_sync_group * 2)
with sl.Session() as session:
    print(session.run(list(strategy.experimental_local_results(ids))))
    print(sum(d.device_type == "CPU" for d in session.list_devices()))
""")
    names = [f"/job:localhost/replica:0/task:0/device:CPU:{i}" for i in range(3)]
    assert said.splitlines() == [
        str(names),
        "Virtual devices cannot be modified after being initialized: set them before "
        "list_logical_devices() is called",
        "3", "[0, 2, 4]", "3",
    ]  # fmt: skip


def test_metrics_of_keras_count_what_all_replicas_saw():
    said = run("""
config.set_logical_device_configuration(cpu, [config.LogicalDeviceConfiguration()] * 2)
strategy = sl.distribute.MirroredStrategy()
with strategy.scope():
    mean, hits = sl.keras.metrics.Mean(), sl.keras.metrics.BinaryAccuracy()
    def step():
        number = sl.cast(sl.distribute.get_replica_context().replica_id_in_sync_group, "float32")
        return sl.group(mean.update_state([number, 3.0]), hits.update_state([1.0], [number]))
    update = strategy.group(strategy.run(step))
with sl.Session() as session:
    session.run([v.initializer for v in mean.variables + hits.variables])
    session.run(update)
    print(session.run([mean.result(), hits.result(), mean.count]))
""")
    assert said.splitlines() == ["[1.75, 0.5, 4.0]"], said


def test_a_memory_limit_holds():
    said = run("""
part = config.LogicalDeviceConfiguration(memory_limit=32)
config.set_logical_device_configuration(cpu, [part, part])
with sl.Session() as session:
    size = sl.placeholder(sl.int32, [])
    ones = sl.ones([size, 1 << 20], sl.float32)
    total = sl.reduce_sum(ones)
    print(session.run(total, {size: 4}))
    found = config.experimental.get_memory_info("CPU:0")
    print(found["peak"] >= 16 << 20, found["current"] <= found["peak"] <= 64 << 20)
    try:
        session.run(total, {size: 32})
    except sl.errors.ResourceExhaustedError as error:
        print("exhausted", "OOM" in str(error))
    print(session.run(total, {size: 4}))
    config.experimental.reset_memory_stats("CPU:0")
    print(config.experimental.get_memory_usage("CPU:1") <= 64 << 20)
""")
    whole = str(float(4 << 20))
    assert said.splitlines() == [whole, "True True", "exhausted True", whole, "True"], said


def test_settings():
    run("""
gpus = config.list_physical_devices("GPU")
assert config.get_visible_devices() == [cpu, *gpus]
config.set_visible_devices([], "GPU")
assert config.get_visible_devices() == [cpu]
assert config.list_physical_devices() == [cpu, *gpus]
assert config.experimental.get_device_details(cpu) == {}
assert config.get_logical_device_configuration(cpu) is None
assert config.experimental.get_memory_growth(cpu) is None
assert config.get_soft_device_placement() is False
config.set_soft_device_placement(True)
assert config.get_soft_device_placement()
config.threading.set_inter_op_parallelism_threads(3)
assert config.threading.get_inter_op_parallelism_threads() == 3
assert config.optimizer.get_experimental_options() == {
    "disable_model_pruning": False, "disable_meta_optimizer": False}
config.optimizer.set_experimental_options({"constant_folding": False, "remapping": True})
assert config.optimizer.get_experimental_options()["constant_folding"] is False
assert config.optimizer.get_jit() is False
config.optimizer.set_jit(True)
assert config.optimizer.get_jit() is True
config.optimizer.set_jit(False)
for call, error in (
    (lambda: config.optimizer.set_experimental_options({"x": True}), ValueError),
    (lambda: config.experimental.set_memory_growth(cpu, True), ValueError),
    (lambda: config.set_visible_devices(config.PhysicalDevice("/x", "CPU")), ValueError),
    (lambda: config.set_visible_devices(cpu, "GPU"), ValueError),
    (lambda: config.experimental.get_memory_info("CPU:7"), ValueError),
    (lambda: config.experimental.get_memory_info("CPU"), ValueError),
    (lambda: config.set_logical_device_configuration(
        cpu, [config.LogicalDeviceConfiguration(memory_limit=0)]), ValueError),
):
    try:
        call()
    except error:
        continue
    raise AssertionError(error)
with sl.Session() as session:
    assert session.run(sl.constant(2) * 3) == 6
""")


@pytest.mark.parametrize("name", ["config.experimental_connect_to_host", "tpu.experimental"])
def test_absent_names_say_why(name):
    import sluice as sl

    with pytest.raises(AttributeError, match="session connects|MirroredStrategy"):
        found = sl
        for part in name.split("."):
            found = getattr(found, part)
