# SPDX-License-Identifier: Apache-2.0
"""Parallel experiments: one function with several arguments, each a trial in its own process."""

import contextlib
import functools
import itertools
import multiprocessing
import os
import pickle
import random
import tempfile
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, Optional


class Trial(NamedTuple):
    """What came of one trial.

    number: of the trial. arguments: a dict. result: what the function returned. metric: the number
    by which trials are ranked; None if it failed. log: what it printed. error: a traceback, or
    None. seconds: how long it took.
    """

    number: int
    arguments: dict
    result: Any
    metric: Optional[float]
    log: str
    error: Optional[str]
    seconds: float


def launch(spark, map_fun, args_dict=None, processes=None, direction="max", metric=None):
    """Runs a function once for each set of arguments. A trial that fails does not end the others.

    Args:
      spark: a SparkSession or SparkContext. None: processes of this machine, whose function and
        arguments must be of a module, not of an interactive session.
      map_fun: the function. It returns a number or a dict.
      args_dict: a dict: argument -> list of values. Trial N gets the values with number N, as the
        lists have one length. None: one trial without arguments.
      processes: how many run at a time here. None: as many as there are cores.
      direction: "max" or "min": which results are best.
      metric: key of the result by which trials are ranked. None: the only one, or "metric".

    Returns:
      A list of Trial, the best first, failed ones last.

    Raises:
      ValueError: the lists have different lengths, or the direction is another word.
    """
    columns = args_dict or {}
    if len({len(values) for values in columns.values()}) > 1:
        lengths = {key: len(values) for key, values in columns.items()}
        raise ValueError(f"the lists of arguments must have one length: {lengths}")
    sets = [dict(zip(columns, values)) for values in zip(*columns.values())] if columns else [{}]
    return _run(spark, map_fun, sets, processes, direction, metric)


def grid_search(spark, map_fun, args_dict, processes=None, direction="max", metric=None):
    """As launch(), with all combinations of the values."""
    names = list(args_dict)
    sets = [dict(zip(names, values)) for values in itertools.product(*args_dict.values())]
    return _run(spark, map_fun, sets, processes, direction, metric)


def random_search(spark, map_fun, boundary_dict, samples=10, seed=None, processes=None,
                  direction="max", metric=None):  # fmt: skip
    """As launch(), with values drawn at random.

    Args:
      spark, map_fun, processes, direction, metric: as for launch().
      boundary_dict: a dict: argument -> [lowest, highest], both ints or floats.
      samples: number of trials.
      seed: of the random numbers. None: another one each time.
    """
    drawn = random.Random(seed)

    def draw(bounds):
        if len(bounds) != 2 or bounds[0] > bounds[1]:
            raise ValueError(f"bounds are [lowest, highest], not {bounds!r}")
        whole = all(isinstance(bound, int) for bound in bounds)
        return drawn.randint(*bounds) if whole else drawn.uniform(*bounds)

    sets = [{name: draw(b) for name, b in boundary_dict.items()} for _ in range(samples)]
    return _run(spark, map_fun, sets, processes, direction, metric)


def _run(spark, map_fun, sets, processes, direction, metric):
    if direction not in ("max", "min"):
        raise ValueError(f'direction is "max" or "min", not {direction!r}')
    numbered = list(enumerate(sets))
    if spark is None:
        with ThreadPoolExecutor(processes or os.cpu_count()) as pool:
            trials = list(pool.map(functools.partial(_in_process, map_fun, metric), numbered))
    else:
        sc = getattr(spark, "sparkContext", spark)
        work = functools.partial(_on_executor, map_fun, metric)
        trials = sc.parallelize(numbered, max(1, len(numbered))).map(work).collect()
    sign = -1 if direction == "max" else 1
    return sorted(
        trials, key=lambda t: (t.metric is None, sign * (t.metric or 0.0), t.number)
    )  # fmt: skip


def _on_executor(map_fun, metric, numbered):
    from pyspark import cloudpickle

    return _in_process(functools.partial(_call, cloudpickle.dumps(map_fun)), metric, numbered)


def _call(pickled, **arguments):
    return pickle.loads(pickled)(**arguments)


def _in_process(map_fun, metric, numbered):
    """Runs one trial in a new process."""
    number, arguments = numbered
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="sluice-trial-") as folder:
        process = multiprocessing.get_context("spawn").Process(
            target=_trial, args=(map_fun, arguments, folder)
        )
        process.start()
        process.join()
        result, error = None, f"the process ended with status {process.exitcode}"
        with contextlib.suppress(FileNotFoundError):
            with open(os.path.join(folder, "result"), "rb") as file:
                result, error = pickle.load(file)
        with open(os.path.join(folder, "log"), errors="replace") as file:
            log = file.read()
    value = None
    if error is None:
        try:
            value = _metric_of(result, metric)
        except (TypeError, ValueError, KeyError) as wrong:
            error = f"no metric in the result {result!r}: {wrong!r}"
    return Trial(number, arguments, result, value, log, error, time.monotonic() - begin)


def _metric_of(result, key):
    if isinstance(result, dict):
        if key is None:
            key = next(iter(result)) if len(result) == 1 else "metric"
        result = result[key]
    return float(result)


def _trial(map_fun, arguments, folder):
    log = os.open(os.path.join(folder, "log"), os.O_WRONLY | os.O_CREAT)
    os.dup2(log, 1)
    os.dup2(log, 2)
    try:
        outcome = map_fun(**arguments), None
    except BaseException:
        outcome = None, traceback.format_exc()
    with open(os.path.join(folder, "result.part"), "wb") as file:
        pickle.dump(outcome, file)
    os.rename(os.path.join(folder, "result.part"), os.path.join(folder, "result"))
