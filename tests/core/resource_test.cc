// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/resource.h"

#include <thread>

#include "gtest/gtest.h"

namespace sluice {
namespace {

auto NewVariable(DType dtype) {
  return [dtype]() -> absl::StatusOr<RefPtr<ResourceVariable>> {
    return MakeRefCounted<ResourceVariable>(dtype);
  };
}

// Another class with the type name of ResourceVariable.
struct Impostor : Resource {
  static constexpr absl::string_view kTypeName = ResourceVariable::kTypeName;
  std::string ToString() const override { return "impostor"; }
  absl::string_view type_name() const override { return kTypeName; }
};

TEST(ResourceStoreTest, MissingResourceHasTheKnownText) {
  ResourceStore store;
  const absl::Status status = store.Lookup<ResourceVariable>("", "v").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(status.message(), "Resource localhost/v/N10tensorflow3VarE does not exist.");
  EXPECT_EQ(store.size(), 0);
}

TEST(ResourceStoreTest, FindsByContainerTypeAndName) {
  ResourceStore store;
  const auto v = *store.LookupOrCreate<ResourceVariable>("", "v", NewVariable(kFloat));
  EXPECT_EQ(*store.LookupOrCreate<ResourceVariable>("localhost", "v", NewVariable(kInt32)), v);
  EXPECT_FALSE(store.Lookup<ResourceVariable>("other", "v").ok());
  EXPECT_FALSE(store.Lookup<RefVariable>("", "v").ok());
  EXPECT_EQ(store.Lookup<Impostor>("", "v").status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(store.Delete("", ResourceVariable::kTypeName, "v").ok());
  EXPECT_TRUE(v->removed());
  EXPECT_EQ(store.Delete("", ResourceVariable::kTypeName, "v").code(), absl::StatusCode::kNotFound);
}

TEST(ResourceStoreTest, FailedCreationLeavesNothing) {
  ResourceStore store;
  auto fail = []() -> absl::StatusOr<RefPtr<ResourceVariable>> {
    return absl::InternalError("no");
  };
  EXPECT_FALSE(store.LookupOrCreate<ResourceVariable>("", "v", fail).ok());
  EXPECT_EQ(store.size(), 0);
}

TEST(ResourceStoreTest, ClearDropsOneContainer) {
  ResourceStore store;
  const auto a = *store.LookupOrCreate<ResourceVariable>("a", "v", NewVariable(kFloat));
  const auto ab = *store.LookupOrCreate<ResourceVariable>("ab", "v", NewVariable(kFloat));
  store.Clear("a");
  EXPECT_TRUE(a->removed());
  EXPECT_FALSE(ab->removed());
  store.ClearAll();
  EXPECT_TRUE(ab->removed());
  EXPECT_EQ(store.size(), 0);
}

TEST(ResourceStoreTest, HandlesResolveByObjectThenByName) {
  ResourceStore store;
  ResourceHandle handle;
  handle.name = "v";
  handle.object = *store.LookupOrCreate<ResourceVariable>("", "v", NewVariable(kFloat));
  EXPECT_EQ(store.Resolve<ResourceVariable>(handle)->get(), handle.object.get());
  EXPECT_EQ(store.Resolve<RefVariable>(handle).status().code(), absl::StatusCode::kInvalidArgument);
  store.ClearAll();
  EXPECT_EQ(store.Resolve<ResourceVariable>(handle).status().code(), absl::StatusCode::kNotFound);
  const auto again = *store.LookupOrCreate<ResourceVariable>("", "v", NewVariable(kFloat));
  EXPECT_EQ(*store.Resolve<ResourceVariable>(handle), again);
}

TEST(ResourceStoreTest, OneIsMadeWhenManyAsk) {
  ResourceStore store;
  std::atomic<int> made{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        auto create = [&]() -> absl::StatusOr<RefPtr<ResourceVariable>> {
          made.fetch_add(1);
          return MakeRefCounted<ResourceVariable>(kFloat);
        };
        ASSERT_TRUE(store.LookupOrCreate<ResourceVariable>("", absl::StrCat("v", i), create).ok());
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(made.load(), 200);
}

TEST(VariableTest, SaysWhatItHolds) {
  RefVariable v(kFloat, "w");
  EXPECT_EQ(v.ToString(), "reference variable w of float, uninitialised");
  v.value = Tensor::Scalar<float>(2);
  EXPECT_EQ(v.ToString(), "reference variable w float [] {2}");
}

}  // namespace
}  // namespace sluice
