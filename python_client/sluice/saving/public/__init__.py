# SPDX-License-Identifier: Apache-2.0
"""The public modules saved_model, and save() of objects."""
