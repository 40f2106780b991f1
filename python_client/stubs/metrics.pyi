# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.training.metrics import accuracy as accuracy
from sluice.training.metrics import false_negatives as false_negatives
from sluice.training.metrics import false_positives as false_positives
from sluice.training.metrics import mean as mean
from sluice.training.metrics import mean_absolute_error as mean_absolute_error
from sluice.training.metrics import mean_cosine_distance as mean_cosine_distance
from sluice.training.metrics import mean_iou as mean_iou
from sluice.training.metrics import mean_per_class_accuracy as mean_per_class_accuracy
from sluice.training.metrics import mean_relative_error as mean_relative_error
from sluice.training.metrics import mean_squared_error as mean_squared_error
from sluice.training.metrics import mean_tensor as mean_tensor
from sluice.training.metrics import percentage_below as percentage_below
from sluice.training.metrics import precision as precision
from sluice.training.metrics import recall as recall
from sluice.training.metrics import root_mean_squared_error as root_mean_squared_error
from sluice.training.metrics import true_negatives as true_negatives
from sluice.training.metrics import true_positives as true_positives
from sluice.training.ranked_metrics import average_precision_at_k as average_precision_at_k
from sluice.training.ranked_metrics import precision_at_k as precision_at_k
from sluice.training.ranked_metrics import precision_at_top_k as precision_at_top_k
from sluice.training.ranked_metrics import recall_at_k as recall_at_k
from sluice.training.ranked_metrics import recall_at_top_k as recall_at_top_k
from sluice.training.ranked_metrics import sparse_average_precision_at_k as sparse_average_precision_at_k
from sluice.training.ranked_metrics import sparse_precision_at_k as sparse_precision_at_k
from sluice.training.threshold_metrics import auc as auc
from sluice.training.threshold_metrics import false_negatives_at_thresholds as false_negatives_at_thresholds
from sluice.training.threshold_metrics import false_positives_at_thresholds as false_positives_at_thresholds
from sluice.training.threshold_metrics import precision_at_thresholds as precision_at_thresholds
from sluice.training.threshold_metrics import recall_at_thresholds as recall_at_thresholds
from sluice.training.threshold_metrics import sensitivity_at_specificity as sensitivity_at_specificity
from sluice.training.threshold_metrics import specificity_at_sensitivity as specificity_at_sensitivity
from sluice.training.threshold_metrics import true_negatives_at_thresholds as true_negatives_at_thresholds
from sluice.training.threshold_metrics import true_positives_at_thresholds as true_positives_at_thresholds


