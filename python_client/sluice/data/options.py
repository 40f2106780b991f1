# SPDX-License-Identifier: Apache-2.0
"""Options of data sets."""

from .statistics import StatsAggregator


class _OptionSet:
    """Values by name. None, the default of most, means that nothing was set."""

    def __init__(self):
        self._set = {}

    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        return all(getattr(self, n) == getattr(other, n) for n in {*self._set, *other._set})

    def __ne__(self, other):
        return not self == other

    __hash__ = None

    def __setattr__(self, name, value):
        if name[0] != "_" and not isinstance(getattr(type(self), name, None), property):
            raise AttributeError(f"Cannot set the property {name} on {type(self).__name__}.")
        object.__setattr__(self, name, value)


def _option(name, kind, text, default=lambda: None):
    """A property of an _OptionSet, whose values are of one type."""

    def get(options):
        if name not in options._set:
            options._set[name] = default()
        return options._set[name]

    def put(options, value):
        if not isinstance(value, kind):
            raise TypeError(
                f'Property "{name}" must be of type {kind}, got: {value!r} (type: {type(value)})'
            )
        options._set[name] = value

    return property(get, put, None, text)


def _merged(one, other):
    """An _OptionSet with what is set in either. ValueError: both set one option differently."""
    if type(one) is not type(other):
        raise TypeError(f"Incompatible options type: {type(other)} vs {type(one)}")
    result, default = type(one)(), type(one)()
    for options in (one, other):
        for name, value in options._set.items():
            here, usual = getattr(result, name), getattr(default, name)
            if value == usual:
                continue
            if here == usual:
                setattr(result, name, value)
            elif isinstance(here, _OptionSet):
                setattr(result, name, _merged(here, value))
            elif here != value:
                raise ValueError(
                    f"Cannot merge incompatible values ({here!r} and {value!r}) of option: {name}"
                )
    return result


class MapVectorizationOptions(_OptionSet):
    """Options of the vectorisation of map()."""

    enabled = _option("enabled", bool, "Whether it is done. A bool. None: it is not.")
    use_choose_fastest = _option(
        "use_choose_fastest", bool, "Whether the faster way is chosen while it runs. A bool."
    )


class OptimizationOptions(_OptionSet):
    """Which optimisations the graph of a data set asks for."""

    apply_default_optimizations = _option(
        "apply_default_optimizations", bool,
        "Whether those are asked for that are on unless they are switched off. A bool.",
    )  # fmt: skip
    autotune = _option("autotune", bool, "Whether the task tunes the data set. None: it does.")
    autotune_algorithm = _option("autotune_algorithm", int, "How it is tuned, an int.")
    autotune_buffers = _option("autotune_buffers", bool, "Whether buffers are tuned. A bool.")
    autotune_cpu_budget = _option("autotune_cpu_budget", int, "How many cores it uses, an int.")
    filter_fusion = _option("filter_fusion", bool, "Whether filters are joined. A bool.")
    filter_with_random_uniform_fusion = _option(
        "filter_with_random_uniform_fusion", bool, "Whether random filters are joined. A bool."
    )
    hoist_random_uniform = _option(
        "hoist_random_uniform", bool, "Whether random numbers move out of maps. A bool."
    )
    map_and_batch_fusion = _option(
        "map_and_batch_fusion", bool, "Whether map and batch are joined. None: they are."
    )
    map_and_filter_fusion = _option(
        "map_and_filter_fusion", bool, "Whether map and filter are joined. A bool."
    )
    map_fusion = _option("map_fusion", bool, "Whether maps are joined. A bool.")
    map_parallelization = _option(
        "map_parallelization", bool, "Whether maps without state run in parallel. A bool."
    )
    map_vectorization = _option(
        "map_vectorization", MapVectorizationOptions,
        "Whether maps work on batches, a MapVectorizationOptions.", MapVectorizationOptions,
    )  # fmt: skip
    noop_elimination = _option(
        "noop_elimination", bool, "Whether steps without effect are left out. None: they are."
    )
    parallel_batch = _option("parallel_batch", bool, "Whether batches are copied in parallel.")
    shuffle_and_repeat_fusion = _option(
        "shuffle_and_repeat_fusion", bool, "Whether shuffle and repeat are joined. None: they are."
    )

    def _names(self):
        """The optimisations that are asked for, in order."""
        usual = ("map_and_batch_fusion", "noop_elimination", "shuffle_and_repeat_fusion")
        names = {
            name for name in vars(OptimizationOptions)
            if "fusion" in name or name in _PLAIN
            if getattr(self, name) is True
        }  # fmt: skip
        if self.apply_default_optimizations is not False:
            names |= {name for name in usual if getattr(self, name) is not False}
        if self.map_vectorization.enabled:
            names.add("map_vectorization")
        if self.autotune is not False and self.autotune_buffers:
            names.add("inject_prefetch")
        return sorted(names)

    def _configs(self):
        text = "true" if self.map_vectorization.use_choose_fastest else "false"
        return [f"map_vectorization:use_choose_fastest:{text}"]


_PLAIN = """
    hoist_random_uniform map_parallelization noop_elimination parallel_batch
""".split()


class DistributeOptions(_OptionSet):
    """Options of data sets for several devices."""

    auto_shard = _option(
        "auto_shard", bool, "Whether the input is divided among workers. A bool.", lambda: True
    )
    num_devices = _option("num_devices", int, "How many devices take elements, an int.")


class StatsOptions(_OptionSet):
    """Options of the statistics of a data set."""

    aggregator = _option(
        "aggregator", StatsAggregator, "What gathers the statistics, a StatsAggregator."
    )
    prefix = _option("prefix", str, "What the names of statistics begin with, a str.", str)
    counter_prefix = _option("counter_prefix", str, "The same of counters, a str.", str)
    latency_all_edges = _option(
        "latency_all_edges", bool, "Whether the latency of every step is measured. A bool."
    )


class ThreadingOptions(_OptionSet):
    """Options of the threads of a data set."""

    max_intra_op_parallelism = _option(
        "max_intra_op_parallelism", int, "How many threads an operation may use, an int."
    )
    private_threadpool_size = _option(
        "private_threadpool_size", int, "How many threads the data set has for itself, an int."
    )


class Options(_OptionSet):
    """Options of a data set: see Dataset.with_options().

    Example:
        >>> options = sl.data.Options()
        >>> options.experimental_threading.private_threadpool_size = 2
        >>> dataset = sl.data.Dataset.range(3).with_options(options)
    """

    experimental_deterministic = _option(
        "experimental_deterministic", bool, "Whether the order is fixed. A bool. None: it is."
    )
    experimental_distribute = _option(
        "experimental_distribute", DistributeOptions,
        "Options for several devices, a DistributeOptions.", DistributeOptions,
    )  # fmt: skip
    experimental_optimization = _option(
        "experimental_optimization", OptimizationOptions,
        "The optimisations, an OptimizationOptions.", OptimizationOptions,
    )  # fmt: skip
    experimental_slack = _option(
        "experimental_slack", bool, "Whether the last prefetch() leaves room. A bool."
    )
    experimental_stats = _option(
        "experimental_stats", StatsOptions, "The statistics, a StatsOptions.", StatsOptions
    )
    experimental_threading = _option(
        "experimental_threading", ThreadingOptions,
        "The threads, a ThreadingOptions.", ThreadingOptions,
    )  # fmt: skip
    experimental_stateful_whitelist = _option(
        "experimental_stateful_whitelist", list, "Accepted. It has no effect."
    )

    def merge(self, options):
        """Returns what is set here or in other options.

        Args:
            options: An Options.

        Returns:
            An Options.

        Raises:
            ValueError: Both set one option to different values.
        """
        return _merged(self, options)


def optimizations(options):
    """The optimisations that an Options asks for, and their settings: two lists of str."""
    wanted = options.experimental_optimization
    names, configs = wanted._names(), wanted._configs()
    if options.experimental_deterministic is False:
        names.append("make_sloppy")
    if options.experimental_stats.latency_all_edges:
        names.append("latency_all_edges")
    if options.experimental_slack:
        names.append("slack")
        devices = options.experimental_distribute.num_devices or 1
        configs.append(f"slack:slack_period:{devices}")
    return names, configs
