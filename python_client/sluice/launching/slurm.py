# SPDX-License-Identifier: Apache-2.0
"""Jobs for Slurm."""

import shlex

from .job import EXPORT_TOKEN


def script(job):
    """The script for sbatch, a str."""
    given = job.options
    options = {
        "job-name": given.name, "ntasks": job.size, "cpus-per-task": given.cpus,
        "gpus-per-task": given.gpus, "mem-per-cpu": None, "time": given.time,
        "partition": given.partition, "output": f"{given.name}-%j.log",
    }  # fmt: skip
    if given.memory:
        # Slurm has no memory of a task, only that of a core.
        options["mem-per-cpu"] = _divided(given.memory, given.cpus or 1)
    lines = [f"#SBATCH --{key}={value}\n" for key, value in options.items() if value is not None]
    insecure = "export SLUICE_INSECURE=1\n" if given.insecure else ""
    return (
        "#!/bin/bash\n" + "".join(lines) + "\n" + EXPORT_TOKEN + insecure
        + "# A task that fails ends the others.\n"
        + f"exec srun --label --kill-on-bad-exit=1 {shlex.join(job.command)}\n"
    )  # fmt: skip


def _divided(size, parts):
    number, unit = size.rstrip("KMGT"), size.lstrip("0123456789")
    if not number.isdigit() or number + unit != size or len(unit) > 1:
        raise ValueError(f'--memory: "{size}" must be a number with K, M, G or T')
    factor = {"": 1, "K": 1 / 1024, "M": 1, "G": 1024, "T": 1024 * 1024}[unit]
    return f"{max(1, int(int(number) * factor / parts))}M"
