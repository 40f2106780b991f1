// SPDX-License-Identifier: Apache-2.0
// Hash tables under many threads and unexpected tensors. tests/interop/ops/lookup_test.py compares
// them with TensorFlow's.
#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>

#include "kernels/any/lookup/pair_sources.h"
#include "kernels/any/lookup/tables.h"
#include "tests/kernels/kernel_runner.h"

namespace sluice::kernels {
namespace {

constexpr int64_t kKeys = 200;

Tensor Keys() {
  Tensor keys(kInt64, Shape{kKeys});
  for (int64_t i = 0; i < kKeys; ++i) keys.mutable_data<int64_t>()[i] = i + 1;
  return keys;
}
Tensor Tripled(const Tensor& keys) {
  Tensor values(kInt64, keys.shape());
  for (int64_t i = 0; i < keys.num_elements(); ++i)
    values.mutable_data<int64_t>()[i] = keys.data<int64_t>()[i] * 3;
  return values;
}

// Runs ops on one table.
class TableTest : public testing::Test {
 protected:
  TestNode Make(const std::string& op, AttrMap attrs, const std::vector<DType>& inputs = {}) {
    auto node = runner_.Make(op, std::move(attrs), inputs);
    EXPECT_TRUE(node.ok()) << node.status();
    return *std::move(node);
  }
  TestNode Mutable() {
    return Make("MutableHashTableV2", {{"key_dtype", kInt64}, {"value_dtype", kInt64}});
  }
  TestNode Dense(AttrMap attrs = {}) {
    attrs["value_dtype"] = kInt64;
    attrs.emplace("initial_num_buckets", int64_t{4});
    return Make("MutableDenseHashTableV2", std::move(attrs), {kInt64, kInt64});
  }
  absl::StatusOr<Tensor> Handle(const TestNode& node) {
    std::vector<Tensor> inputs;
    if (node.spec.op.find("Dense") != std::string::npos)
      inputs = {Tensor::Scalar<int64_t>(0), Tensor::Scalar<int64_t>(-1)};
    SLUICE_ASSIGN(auto out, runner_.Run(node, std::move(inputs)));
    return out[0];
  }
  absl::StatusOr<std::vector<Tensor>> Run(const std::string& op, std::vector<Tensor> inputs) {
    AttrMap attrs;
    if (op == "LookupTableExportV2") attrs = {{"Tkeys", kInt64}, {"Tvalues", kInt64}};
    return runner_.Run(op, std::move(attrs), std::move(inputs));
  }
  RefPtr<Table> TableOf(const Tensor& handle) {
    return RefPtr<Table>(dynamic_cast<Table*>(handle.scalar<ResourceHandle>().object.get()));
  }

  KernelRunner runner_;
};

TEST_F(TableTest, ReadersAndWritersSeeWholeValues) {
  const TestNode mutable_node = Mutable(), dense_node = Dense();
  for (const TestNode* node : {&mutable_node, &dense_node}) {
    const auto handle = Handle(*node);
    ASSERT_TRUE(handle.ok()) << handle.status();
    const RefPtr<Table> table = TableOf(*handle);
    std::atomic<int> wrong{0};
    const auto work = [&](unsigned seed) {
      std::minstd_rand random(seed);
      KernelRunner runner;
      const Tensor keys = Keys(), values = Tripled(keys);
      for (int turn = 0; turn < 100; ++turn) {
        const auto begin = static_cast<int64_t>(random() % kKeys);
        const Tensor some = keys.Rows(begin, kKeys);
        if (seed % 2 == 0)
          (void)(turn % 3 == 0 ? table->Remove(some)
                               : table->Insert(some, values.Rows(begin, kKeys)));
        const auto found =
            runner.Run("LookupTableFindV2", {}, {*handle, keys, Tensor::Scalar<int64_t>(-7)});
        if (!found.ok()) {
          ++wrong;
          continue;
        }
        for (int64_t i = 0; i < kKeys; ++i) {
          const int64_t value = (*found)[0].data<int64_t>()[i];
          if (value != -7 && value != (i + 1) * 3) ++wrong;
        }
      }
    };
    std::vector<std::thread> threads;
    for (unsigned seed = 1; seed <= 4; ++seed) threads.emplace_back(work, seed);
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0) << table->ToString();
  }
}

TEST_F(TableTest, OneOfManyInitialisersGivesTheContent) {
  for (int turn = 0; turn < 20; ++turn) {
    const auto made = MakeStaticTable({kInt64, kInt64, Shape{}, Shape{}});
    ASSERT_TRUE(made.ok());
    std::atomic<int> failed{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        const auto pairs = PairsOfTensors(Keys(), Tripled(Keys()));
        failed += (*made)->Initialize(**pairs).ok() ? 0 : 1;
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(failed, 0);
    EXPECT_EQ((*made)->size(), kKeys);
  }
}

TEST_F(TableTest, UnexpectedTensorsAreRefused) {
  std::minstd_rand random(5);
  const auto draw = [&](DType dtype) {
    Shape shape;
    for (auto rank = random() % 4; rank > 0; --rank)
      shape.AddDim(static_cast<int64_t>(random() % 4));
    Tensor tensor(dtype, shape);
    if (dtype == kInt64)
      for (int64_t& x : tensor.mutable_flat<int64_t>()) x = static_cast<int64_t>(random() % 9) - 1;
    return tensor;
  };
  const TestNode mutable_node = Mutable(), dense_node = Dense();
  const TestNode fixed = Make("HashTableV2", {{"key_dtype", kInt64}, {"value_dtype", kInt64}});
  const TestNode rows =
      Make("MutableHashTableOfTensorsV2",
           {{"key_dtype", kInt64}, {"value_dtype", kInt64}, {"value_shape", PartialShape{2}}});
  for (const TestNode* node : {&mutable_node, &dense_node, &fixed, &rows}) {
    const auto handle = Handle(*node);
    ASSERT_TRUE(handle.ok()) << handle.status();
    for (int turn = 0; turn < 300; ++turn) {
      const DType key = random() % 8 == 0 ? kString : kInt64;
      const DType value = random() % 8 == 0 ? kString : kInt64;
      for (const char* op :
           {"LookupTableInsertV2", "LookupTableFindV2", "LookupTableImportV2", "InitializeTableV2"})
        (void)Run(op, {*handle, draw(key), draw(value)});
      (void)Run("LookupTableRemoveV2", {*handle, draw(key)});
      EXPECT_TRUE(Run("LookupTableSizeV2", {*handle}).ok());
      (void)Run("LookupTableExportV2", {*handle});
    }
  }
}

TEST_F(TableTest, ALoadFactorNearZeroEndsInAnError) {
  const TestNode node = Dense({{"max_load_factor", 1e-30f}});
  const auto handle = Handle(node);
  ASSERT_TRUE(handle.ok()) << handle.status();
  const auto inserted = Run("LookupTableInsertV2", {*handle, Keys(), Tripled(Keys())});
  EXPECT_EQ(inserted.status().code(), absl::StatusCode::kResourceExhausted) << inserted.status();
}

TEST_F(TableTest, AnExportIsImportedAsItIs) {
  const TestNode node = Dense(), other_node = Dense();
  const auto handle = Handle(node), other = Handle(other_node);
  ASSERT_TRUE(handle.ok() && other.ok());
  ASSERT_TRUE(Run("LookupTableInsertV2", {*handle, Keys(), Tripled(Keys())}).ok());
  ASSERT_TRUE(Run("LookupTableRemoveV2", {*handle, Keys().Rows(0, 50)}).ok());
  const auto exported = Run("LookupTableExportV2", {*handle});
  ASSERT_TRUE(exported.ok()) << exported.status();
  ASSERT_TRUE(Run("LookupTableImportV2", {*other, (*exported)[0], (*exported)[1]}).ok());
  const auto again = Run("LookupTableExportV2", {*other});
  ASSERT_TRUE(again.ok()) << again.status();
  for (size_t i = 0; i < 2; ++i) EXPECT_TRUE(SameTensor((*again)[i], (*exported)[i]).ok());
  EXPECT_EQ(TableOf(*other)->size(), kKeys - 50);
}

}  // namespace
}  // namespace sluice::kernels
