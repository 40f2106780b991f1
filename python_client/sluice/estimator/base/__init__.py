# SPDX-License-Identifier: Apache-2.0
"""What all estimators have in common: how a model function is trained, evaluated, exported."""
