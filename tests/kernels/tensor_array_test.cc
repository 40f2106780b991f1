// SPDX-License-Identifier: Apache-2.0
#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "tests/kernels/kernel_runner.h"

namespace sluice::kernels {
namespace {

Tensor Floats(std::vector<float> values) { return Tensor::Vector<float>(values); }
Tensor Ints(std::vector<int32_t> values) { return Tensor::Vector<int32_t>(values); }
Tensor Int(int32_t value) { return Tensor::Scalar<int32_t>(value); }

// The ops of a loop, one by one. Values are shown as text; errors by the text after the array's
// name.
class TensorArrayTest : public testing::Test {
 protected:
  using Result = absl::StatusOr<std::vector<Tensor>>;

  static std::string Text(const Result& out) {
    if (!out.ok()) {
      const std::string text(out.status().message());
      const size_t name = text.find("TensorArray node_");
      return name == std::string::npos ? text
                                       : text.substr(text.find_first_of(": ", name + 12) + 1);
    }
    return out->empty() || !(*out)[0].valid() ? "OK" : (*out)[0].ToString(16);
  }
  Tensor Make(int size, AttrMap attrs = {}, DType dtype = kFloat) {
    attrs["dtype"] = dtype;
    const Result out = runner_.Run("TensorArrayV3", attrs, {Int(size)});
    EXPECT_TRUE(out.ok()) << out.status();
    return (*out)[0];
  }
  std::string Write(const Tensor& handle, int index, Tensor value) {
    const Result out =
        runner_.Run("TensorArrayWriteV3", {}, {handle, Int(index), std::move(value), flow_});
    return out.ok() ? "OK" : Text(out);
  }
  std::string Read(const Tensor& handle, int index, DType dtype = kFloat) {
    return Text(runner_.Run("TensorArrayReadV3", {{"dtype", dtype}}, {handle, Int(index), flow_}));
  }
  std::string Gather(const Tensor& handle, std::vector<int32_t> indices, AttrMap attrs = {}) {
    attrs["dtype"] = kFloat;
    return Text(
        runner_.Run("TensorArrayGatherV3", attrs, {handle, Ints(std::move(indices)), flow_}));
  }
  std::string Scatter(const Tensor& handle, std::vector<int32_t> indices, Tensor value) {
    const Result out = runner_.Run("TensorArrayScatterV3", {},
                                   {handle, Ints(std::move(indices)), std::move(value), flow_});
    return out.ok() ? "OK" : Text(out);
  }
  std::string Split(const Tensor& handle, Tensor value, std::vector<int64_t> lengths) {
    const Tensor sizes = Tensor::Vector<int64_t>(lengths);
    const Result out =
        runner_.Run("TensorArraySplitV3", {}, {handle, std::move(value), sizes, flow_});
    return out.ok() ? "OK" : Text(out);
  }
  std::string Concat(const Tensor& handle, AttrMap attrs = {}) {
    attrs["dtype"] = kFloat;
    const Result out = runner_.Run("TensorArrayConcatV3", attrs, {handle, flow_});
    return out.ok() ? (*out)[0].ToString(16) + " " + (*out)[1].ToString(16) : Text(out);
  }
  std::string Size(const Tensor& handle) {
    return Text(runner_.Run("TensorArraySizeV3", {}, {handle, flow_}));
  }
  Tensor Gradient(const Tensor& handle) {
    const Result out = runner_.Run("TensorArrayGradV3", {{"source", "g"}}, {handle, flow_});
    EXPECT_TRUE(out.ok()) << out.status();
    return (*out)[0];
  }

  KernelRunner runner_;
  Tensor flow_ = Tensor::Scalar<float>(0);
};

TEST_F(TensorArrayTest, ElementsAreReadOnce) {
  const Tensor array = Make(3);
  EXPECT_EQ(Write(array, 0, Floats({1, 2})), "OK");
  EXPECT_EQ(Read(array, 0), "float [2] {1, 2}");
  EXPECT_EQ(Read(array, 0),
            " Could not read index 0 twice because it was cleared after a previous read (perhaps "
            "try setting "
            "clear_after_read = false?).");
  EXPECT_EQ(Write(array, 0, Floats({1})),
            " Could not write to TensorArray index 0 because it has already been read.");
}

TEST_F(TensorArrayTest, ElementsMayBeReadManyTimes) {
  const Tensor array = Make(3, {{"clear_after_read", false}});
  Write(array, 0, Floats({1, 2}));
  EXPECT_EQ(Read(array, 0), "float [2] {1, 2}");
  EXPECT_EQ(Read(array, 0), "float [2] {1, 2}");
}

TEST_F(TensorArrayTest, ElementsAreWrittenOnce) {
  const Tensor array = Make(3);
  EXPECT_EQ(Write(array, 0, Floats({1})), "OK");
  EXPECT_EQ(Write(array, 0, Floats({1})),
            " Could not write to TensorArray index 0 because it has already been written to.");
}

TEST_F(TensorArrayTest, IndicesAreChecked) {
  const Tensor array = Make(3);
  EXPECT_EQ(Read(array, 3), "Tried to read from index 3 but array size is: 3");
  EXPECT_EQ(Read(array, -1), "Tried to read from index -1 but array size is: 3");
  EXPECT_EQ(Write(array, 3, Floats({1})),
            " Tried to write to index 3 but array is not resizeable and size is: 3");
  EXPECT_EQ(Write(array, -1, Floats({1})),
            " Tried to write to index -1 but array is not resizeable and size is: 3");
  EXPECT_FALSE(
      runner_.Run("TensorArrayWriteV3", {}, {array, Ints({1, 2}), Floats({1}), flow_}).ok());
}

TEST_F(TensorArrayTest, GrowsWhenDynamic) {
  const Tensor array = Make(3, {{"dynamic_size", true}});
  EXPECT_EQ(Write(array, 5, Floats({1})), "OK");
  EXPECT_EQ(Size(array), "int32 [] {6}");
  EXPECT_EQ(runner_.Run("TensorArrayWriteV3", {}, {array, Int(2'000'000'000), Floats({1}), flow_})
                .status()
                .code(),
            absl::StatusCode::kResourceExhausted);
}

TEST_F(TensorArrayTest, UnwrittenElementsAreZerosOfTheElementShape) {
  EXPECT_EQ(Read(Make(3, {{"element_shape", PartialShape{2}}}), 0), "float [2] {0, 0}");
  EXPECT_TRUE(Read(Make(3), 0)
                  .starts_with(" Could not read from TensorArray index 0.  Furthermore, the "
                               "element shape is not fully defined: <unknown>."));
}

TEST_F(TensorArrayTest, ShapesAndTypesAreChecked) {
  const Tensor shaped = Make(3, {{"element_shape", PartialShape{2}}});
  EXPECT_EQ(Write(shaped, 0, Floats({1})),
            " Could not write to TensorArray index 0 because the value shape is [1] which is "
            "incompatible with the "
            "TensorArray's inferred element shape: [2] (consider setting infer_shape=False).");
  const Tensor identical = Make(3, {{"identical_element_shapes", true}});
  EXPECT_EQ(Write(identical, 0, Floats({1, 2})), "OK");
  EXPECT_FALSE(Write(identical, 1, Floats({1})) == "OK");
  EXPECT_EQ(Write(Make(1), 0, Ints({1})),
            "TensorArray dtype is float but Op is trying to write dtype int32.");
  EXPECT_EQ(Read(Make(1), 0, kInt32), "TensorArray dtype is float but Op requested dtype int32.");
  EXPECT_EQ(Text(runner_.Run("TensorArrayV3", {{"dtype", kFloat}}, {Int(-1)})),
            "Size should be >= 0.");
}

TEST_F(TensorArrayTest, Gather) {
  const Tensor array = Make(3, {{"clear_after_read", false}});
  for (int i = 0; i < 3; ++i) Write(array, i, Floats({1.f + 2 * i, 2.f + 2 * i}));
  EXPECT_EQ(Gather(array, {2, 0}), "float [2,2] {5, 6, 1, 2}");
  EXPECT_EQ(
      Gather(array, {0}, {{"element_shape", PartialShape{3}}}),
      "TensorArray was passed element_shape [3] which does not match the Tensor at index 0: [2]");
  const Tensor mixed = Make(2);
  Write(mixed, 0, Floats({1, 2}));
  Write(mixed, 1, Floats({1}));
  EXPECT_EQ(
      Gather(mixed, {0, 1}),
      "TensorArray has inconsistent shapes.  Index 0 has shape: [2] but index 1 has shape: [1]");
  const Tensor nothing_first = Make(2);
  Write(nothing_first, 0, Floats({}));
  Write(nothing_first, 1, Floats({1}));
  EXPECT_EQ(Gather(nothing_first, {0, 1}), "float [2,0] {}");
  EXPECT_EQ(Gather(Make(3), {}, {{"element_shape", PartialShape{3}}}), "float [0,3] {}");
  EXPECT_TRUE(
      Gather(Make(3), {})
          .starts_with(
              "TensorArray has size zero, but element shape <unknown> is not fully defined."));
}

TEST_F(TensorArrayTest, Scatter) {
  const Tensor rows = Tensor::Of<float>({2, 2}, {1, 2, 3, 4});
  const Tensor array = Make(2);
  EXPECT_EQ(Scatter(array, {1, 0}, rows), "OK");
  EXPECT_EQ(Read(array, 0), "float [2] {3, 4}");
  EXPECT_EQ(Scatter(Make(2), {1, 2}, rows), "Max scatter index must be < array size (2 vs. 2)");
  EXPECT_EQ(Scatter(Make(2), {1}, rows),
            "Expected len(indices) == values.shape[0], but saw: 1 vs. 2");
  EXPECT_EQ(Scatter(Make(2), {1}, Tensor::Scalar<float>(1)),
            "Input value for unpack must be at least a vector but received shape: []");
}

TEST_F(TensorArrayTest, Concat) {
  const Tensor array = Make(2);
  Write(array, 0, Tensor::Of<float>({1, 2}, {1, 2}));
  Write(array, 1, Tensor::Of<float>({2, 2}, {3, 4, 5, 6}));
  EXPECT_EQ(Concat(array), "float [3,2] {1, 2, 3, 4, 5, 6} int64 [2] {1, 2}");
  const Tensor mixed = Make(2);
  Write(mixed, 0, Tensor::Of<float>({1, 2}, {1, 2}));
  Write(mixed, 1, Tensor::Of<float>({2, 1}, {3, 4}));
  EXPECT_EQ(Concat(mixed),
            "TensorArray has inconsistent shapes.  Index 0 has (excepting dimension 0) shape: [2] "
            "but index 1 "
            "has (excepting dimension 0) shape: [1]");
  const Tensor scalars = Make(1);
  Write(scalars, 0, Tensor::Scalar<float>(1));
  EXPECT_EQ(Concat(scalars),
            "Concat saw a scalar shape at index 0 but requires at least vectors.  Did you mean to "
            "call pack?");
  EXPECT_EQ(Concat(Make(0), {{"element_shape_except0", PartialShape{2}}}),
            "float [0,2] {} int64 [0] {}");
}

TEST_F(TensorArrayTest, Split) {
  const Tensor array = Make(2);
  EXPECT_EQ(Split(array, Floats({1, 2, 3}), {1, 2}), "OK");
  EXPECT_EQ(Read(array, 1), "float [2] {2, 3}");
  EXPECT_EQ(Split(Make(2), Floats({1, 2, 3}), {1, 1}),
            "Expected sum of lengths to be equal to values.shape[0], but sum of lengths is 2 and "
            "value's shape is: [3]");
  EXPECT_EQ(Split(Make(2), Floats({1, 2, 3}), {4, -1}), "Invalid value in lengths: -1");
  EXPECT_EQ(Split(Make(2), Floats({1, 2, 3}), {1, 1, 1}),
            "TensorArray's size is not equal to the size of lengths (2 vs. 3), and the TensorArray "
            "is not marked as "
            "dynamically resizeable");
  EXPECT_EQ(Split(Make(2, {{"dynamic_size", true}}), Floats({1, 2, 3}), {1, 1, 1}), "OK");
  EXPECT_EQ(Split(Make(2), Tensor::Scalar<float>(1), {1}),
            "Expected value to be at least a vector, but received shape: []");
}

TEST_F(TensorArrayTest, GradientsAddUp) {
  const Tensor array = Make(2, {{"dynamic_size", true}});
  Write(array, 0, Floats({1, 2}));
  Write(array, 1, Floats({3}));
  Read(array, 0);
  const Tensor gradient = Gradient(array);
  EXPECT_EQ(Write(gradient, 0, Floats({1, 1})), "OK");
  EXPECT_EQ(Write(Gradient(array), 0, Floats({10, 1})), "OK");  // the same array
  EXPECT_EQ(Write(gradient, 0, Floats({10})),
            " Could not aggregate to TensorArray index 0 because the existing shape is [2] but the "
            "new input shape is [1].");
  EXPECT_EQ(Read(gradient, 0), "float [2] {11, 2}");
  EXPECT_EQ(Read(gradient, 1), "float [1] {0}");
  EXPECT_EQ(Write(array, 2, Floats({1})),
            " Tried to write to index 2 but array is not resizeable and size is: 2");
}

TEST_F(TensorArrayTest, TheGradientOfASplitOmitsLaterWrites) {
  const Tensor array = Make(2, {{"dynamic_size", true}});
  Split(array, Floats({1, 2, 3}), {1, 2});
  Write(array, 2, Floats({4}));
  EXPECT_EQ(Concat(array), "float [4] {1, 2, 3, 4} int64 [3] {1, 2, 1}");
  const Tensor gradient = Gradient(array);
  Split(gradient, Floats({5, 6, 7, 8}), {1, 2, 1});
  EXPECT_EQ(Concat(gradient), "float [3] {5, 6, 7} int64 [2] {1, 2}");
}

TEST_F(TensorArrayTest, GradientsWithMoreDimensions) {
  const Tensor array = Make(1);
  Write(array, 0, Floats({1, 2}));
  const auto out =
      runner_.Run("TensorArrayGradWithShape", {{"source", "g"}}, {array, flow_, Ints({3})});
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ(Read((*out)[0], 0), "float [3,2] {0, 0, 0, 0, 0, 0}");
}

TEST_F(TensorArrayTest, ClosedArraysAreErrors) {
  const Tensor array = Make(1);
  ASSERT_TRUE(runner_.Run("TensorArrayCloseV3", {}, {array}).ok());
  EXPECT_TRUE(Size(array).ends_with("has already been closed."));
  EXPECT_TRUE(Write(array, 0, Floats({1})).ends_with("has already been closed."));
}

TEST_F(TensorArrayTest, EndWithTheStep) {
  const Tensor array = Make(1);
  runner_.EndStep();
  EXPECT_EQ(runner_.Run("TensorArraySizeV3", {}, {array, flow_}).status().code(),
            absl::StatusCode::kNotFound);
}

TEST_F(TensorArrayTest, HandlesMayBeStrings) {
  const auto made = runner_.Run("TensorArrayV2", {{"dtype", kFloat}}, {Int(1)});
  ASSERT_TRUE(made.ok()) << made.status();
  const Tensor handle = (*made)[0];
  ASSERT_TRUE(runner_.Run("TensorArrayWriteV2", {}, {handle, Int(0), Floats({4}), flow_}).ok());
  EXPECT_EQ(Text(runner_.Run("TensorArrayReadV2", {{"dtype", kFloat}}, {handle, Int(0), flow_})),
            "float [1] {4}");
}

TEST(StackTest, LastInFirstOut) {
  KernelRunner runner;
  const Tensor stack = (*runner.Run("StackV2", {{"elem_type", kFloat}}, {Int(2)}))[0];
  ASSERT_TRUE(runner.Run("StackPushV2", {{"swap_memory", true}}, {stack, Floats({1})}).ok());
  ASSERT_TRUE(runner.Run("StackPushV2", {}, {stack, Floats({2})}).ok());
  EXPECT_TRUE(absl::StrContains(
      runner.Run("StackPushV2", {}, {stack, Floats({3})}).status().message(), "overflowed"));
  EXPECT_EQ(runner.Run("StackPushV2", {}, {stack, Ints({3})}).status().message(),
            "Must have type float but got int32");
  for (const float expected : {2.f, 1.f}) {
    const auto out = runner.Run("StackPopV2", {{"elem_type", kFloat}}, {stack});
    ASSERT_TRUE(out.ok()) << out.status();
    EXPECT_EQ((*out)[0].scalar<float>(), expected);
  }
  EXPECT_TRUE(
      absl::EndsWith(runner.Run("StackPopV2", {{"elem_type", kFloat}}, {stack}).status().message(),
                     "is empty when calling Pop()."));
  ASSERT_TRUE(runner.Run("StackCloseV2", {}, {stack}).ok());
  EXPECT_TRUE(
      absl::EndsWith(runner.Run("StackPopV2", {{"elem_type", kFloat}}, {stack}).status().message(),
                     "has already been closed."));
}

}  // namespace
}  // namespace sluice::kernels
