// SPDX-License-Identifier: Apache-2.0
// Precompiled for every test program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cmake/pch.h"
