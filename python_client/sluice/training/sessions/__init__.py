# SPDX-License-Identifier: Apache-2.0
"""Sessions that train by themselves, and the workers of a cluster that have them."""
