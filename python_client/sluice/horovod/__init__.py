# SPDX-License-Identifier: Apache-2.0
"""The code of sluice.hvd. It runs in any Python from 3.7, over our client or TensorFlow's."""
