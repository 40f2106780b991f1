# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

COSINE_DISTANCE: _Any
KMEANS_PLUS_PLUS_INIT: _Any
from sluice.estimator.canned.clustering import KMeans as KMeans
from sluice.estimator.canned.kmeans import ContribKMeans as _estimator_canned_kmeans_ContribKMeans
KMeansClustering = _estimator_canned_kmeans_ContribKMeans
RANDOM_INIT: _Any
SQUARED_EUCLIDEAN_DISTANCE: _Any
