# SPDX-License-Identifier: Apache-2.0
"""Programs that save and describe models and other objects."""
