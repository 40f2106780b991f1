# SPDX-License-Identifier: Apache-2.0
"""The names of the standard collections."""


def _collection_names():
    own = """
        GLOBAL_VARIABLES=variables METRIC_VARIABLES TRAINABLE_VARIABLES LOCAL_VARIABLES
        MODEL_VARIABLES MOVING_AVERAGE_VARIABLES SUMMARIES QUEUE_RUNNERS
        TABLE_INITIALIZERS=table_initializer RESOURCES LOCAL_RESOURCES COND_CONTEXT WHILE_CONTEXT
        GLOBAL_STEP TRAIN_OP UPDATE_OPS LOSSES REGULARIZATION_LOSSES SAVERS INIT_OP LOCAL_INIT_OP
        READY_OP READY_FOR_LOCAL_INIT_OP SUMMARY_OP SAVEABLE_OBJECTS ASSET_FILEPATHS=asset_filepaths
        WEIGHTS BIASES ACTIVATIONS CONCATENATED_VARIABLES EVAL_STEP TRAINABLE_RESOURCE_VARIABLES
    """
    for entry in own.split():
        name, _, value = entry.partition("=")
        yield name, value or name.lower()
    yield "VARIABLES", "variables"


GraphKeys = type(
    "GraphKeys", (), {"__doc__": "Names of the standard collections.", **dict(_collection_names())}
)
