# SPDX-License-Identifier: Apache-2.0
"""Estimators of boosted trees."""
