// SPDX-License-Identifier: Apache-2.0
// Runs every stateless kernel on unexpected inputs: empty, scalar and rank-5 tensors, negative,
// repeated and huge numbers. It may compute or refuse; it may not crash. Under ASan and UBSan this
// shows that no memory outside is read or written.
#include <gtest/gtest.h>

#include <random>

#include "core/op/op_def.h"
#include "core/tensor/variant.h"
#include "kernels/register.h"
#include "tests/kernels/kernel_runner.h"

namespace sluice::kernels {
namespace {

using Rng = std::minstd_rand;
using Numbers = std::vector<int64_t>;

int64_t Pick(Rng& random, std::initializer_list<int64_t> values) {
  return *(values.begin() + random() % values.size());
}

Shape RandomShape(Rng& random) {
  Shape shape;
  const int rank = static_cast<int>(Pick(random, {0, 1, 1, 2, 2, 3, 4, 5}));
  for (int d = 0; d < rank; ++d) shape.AddDim(Pick(random, {0, 1, 2, 2, 3, 4}));
  return shape;
}

template <typename T>
T RandomElement(Rng& random) {
  if constexpr (std::is_same_v<T, std::string>)
    return std::string(random() % 4, 'a');
  else if constexpr (std::is_same_v<T, bool>)
    return random() % 2 == 0;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(
        Pick(random, {0, 0, 1, 1, 2, 2, 3, -1, -2, 5, 77, int64_t{-1} << 31, int64_t{-1} << 63}));
  else if constexpr (requires(T t) { t.imag(); })
    return T(1, -2);
  else if constexpr (std::is_constructible_v<T, float>)
    return T(static_cast<float>(random() % 9) / 2 - 2);
  else
    return T{};
}

Tensor RandomTensor(DType dtype, Rng& random) {
  Tensor tensor(dtype, RandomShape(random));
  const auto fill = [&]<typename T>(Type<T>) {
    for (T& element : tensor.mutable_flat<T>()) element = RandomElement<T>(random);
    return absl::OkStatus();
  };
  using All = Join<Join<NumericTypes, TypeList<bool, std::string>>,
                   TypeList<Qint8, Quint8, Qint16, Quint16, Qint32, ResourceHandle, Variant>>;
  EXPECT_EQ(VisitDType(All{}, dtype, fill), absl::OkStatus());
  return tensor;
}

DType PickType(DTypeSet allowed, Rng& random) {
  std::vector<DType> types;
  for (int t = 1; t <= 23; ++t) {
    if (allowed.contains(static_cast<DType>(t))) types.push_back(static_cast<DType>(t));
  }
  return types[random() % types.size()];
}

DTypeSet AllowedTypes(const KernelSignature& kernel, const AttrDef& attr) {
  DTypeSet allowed = kAnyType;
  if (!attr.allowed_types.empty()) {
    allowed = {};
    for (DType t : attr.allowed_types) allowed = allowed | DTypeSet(t);
  }
  for (const TypeConstraint& constraint : kernel.types) {
    if (constraint.attr == attr.name)
      allowed = DTypeSet::FromBits(allowed.bits() & constraint.allowed.bits());
  }
  return allowed;
}

// A value for an attribute, mostly its default. Returns false for kinds that this test does not
// make. `numbers`: those that an integer may be.
bool RandomAttr(const KernelSignature& kernel, const AttrDef& attr, const Numbers& numbers,
                Rng& random, AttrMap& attrs) {
  if (attr.type == AttrType{AttrKind::kType, false}) {
    const DTypeSet allowed = AllowedTypes(kernel, attr);
    if (allowed.bits() == 0) return false;
    attrs[attr.name] = PickType(allowed, random);
    return true;
  }
  if (attr.default_value && random() % 3 != 0) return true;
  if (attr.type == AttrType{AttrKind::kInt, false}) {
    // A number of inputs stays small: the test makes them all.
    const int64_t number = numbers[random() % numbers.size()];
    attrs[attr.name] = std::max(attr.minimum.value_or(INT64_MIN), number);
  } else if (attr.type == AttrType{AttrKind::kBool, false}) {
    attrs[attr.name] = random() % 2 == 0;
  } else if (attr.type == AttrType{AttrKind::kString, false} && !attr.allowed_strings.empty()) {
    attrs[attr.name] = attr.allowed_strings[random() % attr.allowed_strings.size()];
  } else if (attr.type == AttrType{AttrKind::kInt, true}) {
    std::vector<int64_t> values(Pick(random, {0, 1, 4, 4, 5}));
    for (int64_t& value : values) value = numbers[random() % numbers.size()];
    attrs[attr.name] = values;
  } else if (attr.type == AttrType{AttrKind::kFloat, true}) {
    attrs[attr.name] = std::vector<float>{0, 1};
  } else {
    return attr.default_value.has_value();
  }
  return true;
}

// One node of the op on random inputs. Returns false if the test cannot make such a node.
bool RunOnce(KernelRunner& runner, const OpDef& op, const KernelSignature& kernel,
             const Numbers& numbers, Rng& random) {
  AttrMap attrs;
  for (const AttrDef& attr : op.attrs) {
    if (!RandomAttr(kernel, attr, numbers, random, attrs)) return false;
  }
  std::vector<Tensor> inputs;
  for (const ArgDef& arg : op.inputs) {
    if (arg.is_ref || !arg.type_list_attr.empty()) return false;
    int64_t count = 1;
    if (!arg.number_attr.empty()) {
      count = GetAttrOr<int64_t>(attrs, arg.number_attr, 1);
      if (count < 0 || count > 8) return false;
    }
    const DType dtype =
        arg.type != kInvalid ? arg.type : GetAttrOr<DType>(attrs, arg.type_attr, kFloat);
    // Equal shapes pass more checks than different ones.
    const Tensor model = RandomTensor(dtype, random);
    for (; count > 0; --count) {
      const bool alike = !inputs.empty() && inputs.back().dtype() == dtype && random() % 2 == 0;
      inputs.push_back(alike               ? inputs.back()
                       : random() % 2 == 0 ? model
                                           : RandomTensor(dtype, random));
    }
  }
  (void)runner.Run(op.name, attrs, std::move(inputs));
  return true;
}

void RunAll(const Numbers& numbers, int times) {
  KernelRunner runner;
  int ops = 0, made = 0;
  for (const KernelSignature& kernel : AllKernels()->table().signatures()) {
    const OpDef* op = AllOps().Find(kernel.op);
    if (op == nullptr || op->stateful || kernel.device_type != kCpu || kernel.op[0] == '_')
      continue;
    Rng random(static_cast<uint32_t>(std::hash<std::string>{}(kernel.op)) | 1);
    int runs = 0;
    for (int i = 0; i < times; ++i) runs += RunOnce(runner, *op, kernel, numbers, random);
    ++ops;
    made += runs > 0;
  }
  testing::Test::RecordProperty("ops", made);
  EXPECT_GT(made, ops / 3);
}

TEST(HostileTest, NoInputCrashesAKernel) { RunAll({0, 1, 1, 2, 2, 3, -1, -2, 7}, 400); }

// Under UBSan this shows that no product or sum of attributes and dimensions overflows.
TEST(HostileTest, NoLargeAttributeCrashesAKernel) {
  constexpr int64_t kLarge = int64_t{1} << 62;
  RunAll({1, 2, 3, INT32_MAX, INT32_MIN, int64_t{1} << 31, kLarge, INT64_MAX, INT64_MIN}, 150);
}

}  // namespace
}  // namespace sluice::kernels
