# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.groups import keras_datasets_boston_housing as _keras_datasets_boston_housing
boston_housing = _keras_datasets_boston_housing
from sluice.groups import keras_datasets_cifar10 as _keras_datasets_cifar10
cifar10 = _keras_datasets_cifar10
from sluice.groups import keras_datasets_cifar100 as _keras_datasets_cifar100
cifar100 = _keras_datasets_cifar100
from sluice.groups import keras_datasets_fashion_mnist as _keras_datasets_fashion_mnist
fashion_mnist = _keras_datasets_fashion_mnist
from sluice.groups import keras_datasets_imdb as _keras_datasets_imdb
imdb = _keras_datasets_imdb
from sluice.groups import keras_datasets_mnist as _keras_datasets_mnist
mnist = _keras_datasets_mnist
from sluice.groups import keras_datasets_reuters as _keras_datasets_reuters
reuters = _keras_datasets_reuters
