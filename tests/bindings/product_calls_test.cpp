#include "bindings/call_arguments.h"
#include "calls/products.h"
#include "calls/rows.h"
#include "calls/tensor.h"

namespace wf {
namespace {

using calls::List;
using calls::PackedMatrix;
using calls::ProductSizes;
using testing::CallArguments;
using testing::is_refused;
using testing::refuses_wrong_lists;
using testing::said;

std::vector<float> numbers_of(List list) {
  return {testing::elements(list), testing::elements(list) + list.length};
}

}  // namespace

TEST_CASE("matmul multiplies lists of the block and tensors, and refuses every other naming") {
  CallArguments arguments;
  const calls::Workspace& workspace = arguments.workspace;
  const ProductSizes sizes = {.rows = 2, .columns = 2, .depth = 3, .transpose_b = false};
  const List a = arguments.floats({1, 2, 3, 4, 5, 6}), b = arguments.floats({1, 0, 0, 1, 1, 1});
  const List out = arguments.room(4);
  REQUIRE(calls::matmul(workspace, sizes, a, b, out).ok());
  const std::vector<float> expected = {4, 5, 10, 11};
  CHECK(numbers_of(out) == expected);

  // b as [columns,depth].
  const List turned = arguments.floats({1, 0, 1, 0, 1, 1});
  REQUIRE(calls::matmul(workspace, {2, 2, 3, true}, a, turned, out).ok());
  CHECK(numbers_of(out) == expected);

  auto tensor = calls::Tensor::make(arguments.workspace, b);
  REQUIRE(tensor.ok());
  const List in_tensor = {tensor.value()->address(), 6};
  const List again = arguments.room(4);
  REQUIRE(calls::matmul(workspace, sizes, a, in_tensor, again).ok());
  CHECK(numbers_of(again) == expected);
  // A result must not be written to a tensor.
  CHECK(!calls::matmul(workspace, sizes, a, b, {in_tensor.address, 4}).ok());

  refuses_wrong_lists(arguments, a,
                      [&](List list) { return calls::matmul(workspace, sizes, list, b, out); });
  refuses_wrong_lists(arguments, b,
                      [&](List list) { return calls::matmul(workspace, sizes, a, list, out); });
  refuses_wrong_lists(arguments, out,
                      [&](List list) { return calls::matmul(workspace, sizes, a, b, list); });
  CHECK(!calls::matmul(workspace, sizes, {}, b, out).ok());
  CHECK(!calls::matmul(workspace, sizes, a, b, {}).ok());
}

TEST_CASE("matmul refuses sizes that its lists do not have") {
  CallArguments arguments;
  const List a = arguments.some_floats(6), b = arguments.some_floats(6), out = arguments.room(4);
  const auto product = [&](int rows, int columns, int depth) {
    return calls::matmul(arguments.workspace, {rows, columns, depth, false}, a, b, out).code();
  };
  REQUIRE(product(2, 2, 3) == Code::kOk);
  for (const int wrong : testing::kWrongSizes) {
    CHECK(product(wrong, 2, 3) == Code::kInvalidArgument);
    CHECK(product(2, wrong, 3) == Code::kInvalidArgument);
    CHECK(product(2, 2, wrong) == Code::kInvalidArgument);
    CHECK(product(wrong, wrong, wrong) == Code::kInvalidArgument);
  }
  CHECK(product(-2, 2, -3) == Code::kInvalidArgument);
  CHECK(product(-2, -2, -3) == Code::kInvalidArgument);
}

TEST_CASE("matmul names what is not finite in its operands, and leaves -infinity to masks") {
  CallArguments arguments;
  const ProductSizes sizes = {2, 2, 2, false};
  const auto product = [&](const std::vector<float>& a, const std::vector<float>& b) {
    return calls::matmul(arguments.workspace, sizes, arguments.floats(a), arguments.floats(b),
                         arguments.room(4));
  };
  for (const float wrong : {INFINITY, -INFINITY, std::nanf("")}) {
    for (int i = 0; i < 4; ++i) {
      std::vector<float> spoilt = {1, 2, 3, 4};
      spoilt[i] = wrong;
      const std::string expected =
          "invalid_argument: input: NaN or infinity (expected finite numbers)";
      CHECK(is_refused(product(spoilt, {1, 1, 1, 1}), expected));
      CHECK(is_refused(product({1, 1, 1, 1}, spoilt), expected));
      CHECK(is_refused(product({0, 0, 0, 0}, spoilt), expected));
    }
  }
  // Finite operands may have an infinite product.
  CHECK(product({3e38f, 3e38f, 3e38f, -3e38f}, {3e38f, 3e38f, 3e38f, 3e38f}).ok());
}

TEST_CASE("A packed matrix has the sizes of its list, and multiplies rows as wide as it is deep") {
  CallArguments arguments;
  const calls::Workspace& workspace = arguments.workspace;
  const List b = arguments.some_floats(15), a = arguments.some_floats(6), out = arguments.room(10);
  auto made = PackedMatrix::make(workspace, 3, 5, false, b);
  REQUIRE(made.ok());
  const PackedMatrix& matrix = *made.value();
  REQUIRE(calls::matmul(workspace, 2, matrix, a, out).ok());
  const List plain = arguments.room(10);
  REQUIRE(calls::matmul(workspace, {2, 5, 3, false}, a, b, plain).ok());
  for (int i = 0; i < 10; ++i)
    CHECK(testing::elements(out)[i] == doctest::Approx(testing::elements(plain)[i]));

  refuses_wrong_lists(arguments, b, [&](List list) {
    return PackedMatrix::make(workspace, 3, 5, false, list).status();
  });
  refuses_wrong_lists(arguments, a,
                      [&](List list) { return calls::matmul(workspace, 2, matrix, list, out); });
  refuses_wrong_lists(arguments, out,
                      [&](List list) { return calls::matmul(workspace, 2, matrix, a, list); });
  for (const int wrong : testing::kWrongSizes) {
    CHECK(!PackedMatrix::make(workspace, wrong, 5, false, b).ok());
    CHECK(!PackedMatrix::make(workspace, 3, wrong, true, b).ok());
    CHECK(!PackedMatrix::make(workspace, wrong, wrong, true, b).ok());
    CHECK(!calls::matmul(workspace, wrong, matrix, a, out).ok());
  }
  CHECK(is_refused(PackedMatrix::make(workspace, 1, 2, false, arguments.floats({1, std::nanf("")})),
                   "invalid_argument: input: NaN or infinity (…"));
  const testing::MemoryLimit limit(1 << 10);
  CHECK(is_refused(PackedMatrix::make(workspace, 512, 2, false, arguments.some_floats(1024)),
                   "out_of_memory: …"));
}

TEST_CASE("What changes rows where they lie refuses what is not whole rows") {
  CallArguments arguments;
  const calls::Workspace& workspace = arguments.workspace;
  const List x = arguments.some_floats(12), weight = arguments.some_floats(4),
             bias = arguments.some_floats(4);
  const auto softmax = [&](int columns, List list) {
    return calls::softmax(workspace, columns, list);
  };
  const auto layer_norm = [&](double epsilon, List w, List b, List list) {
    return calls::layer_norm(workspace, epsilon, w, b, list);
  };
  const auto rms_norm = [&](double epsilon, List w, List list) {
    return calls::rms_norm(workspace, epsilon, w, list);
  };
  REQUIRE(softmax(4, x).ok());
  REQUIRE(layer_norm(1e-5, weight, bias, x).ok());
  REQUIRE(rms_norm(1e-5, weight, x).ok());

  refuses_wrong_lists(arguments, x, [&](List list) { return softmax(4, list); });
  refuses_wrong_lists(arguments, x, [&](List list) { return rms_norm(0, weight, list); });
  refuses_wrong_lists(arguments, x, [&](List list) { return layer_norm(0, weight, bias, list); });
  refuses_wrong_lists(arguments, weight, [&](List list) { return layer_norm(0, list, bias, x); });
  refuses_wrong_lists(arguments, bias, [&](List list) { return layer_norm(0, weight, list, x); });
  for (const List list : arguments.wrong(weight, sizeof(float)))
    if (list.length != 3) CHECK(!rms_norm(0, list, x).ok());  // 12 is four rows of 3 too
  for (const int wrong : {-4, -1, 0, 5, 7, 24, INT32_MIN, INT32_MAX})
    CHECK(said(softmax(wrong, x)).starts_with("invalid_argument: "));
  for (const double wrong : testing::kWrongNumbers) {
    CHECK(is_refused(layer_norm(wrong, weight, bias, x), "invalid_argument: epsilon: …"));
    CHECK(is_refused(rms_norm(wrong, weight, x), "invalid_argument: epsilon: …"));
  }
  CHECK(!softmax(0, {}).ok());
  CHECK(!layer_norm(0, {}, {}, x).ok());
  CHECK(!rms_norm(0, {}, x).ok());
  CHECK(!rms_norm(0, weight, {}).ok());
}

TEST_CASE("Rows are changed where they lie, and nothing beside them") {
  CallArguments arguments;
  const calls::Workspace& workspace = arguments.workspace;
  const List x = arguments.floats({1, 1, 2, 2});
  REQUIRE(calls::softmax(workspace, 2, x).ok());
  CHECK(numbers_of(x) == std::vector<float>(4, 0.5f));
  const List weight = arguments.floats({2, 3}), bias = arguments.floats({10, 20});
  const List y = arguments.floats({3, 4, 0, 0});
  REQUIRE(calls::rms_norm(workspace, 0.5, weight, y).ok());
  CHECK(testing::elements(y)[0] == doctest::Approx(6 / std::sqrt(13.0)));
  CHECK(testing::elements(y)[1] == doctest::Approx(12 / std::sqrt(13.0)));
  CHECK(testing::elements(y)[2] == 0);
  const List z = arguments.floats({1, 3, 0, 0});
  REQUIRE(calls::layer_norm(workspace, 0, weight, bias, {z.address, 2}).ok());
  CHECK(testing::elements(z)[0] == doctest::Approx(8));
  CHECK(testing::elements(z)[1] == doctest::Approx(23));
  CHECK(testing::elements(z)[2] == 0);
  CHECK(numbers_of(weight) == std::vector<float>{2, 3});
}

TEST_CASE("What changes rows refuses NaN and infinities in any of its lists") {
  CallArguments arguments;
  const calls::Workspace& workspace = arguments.workspace;
  const std::string expected = "invalid_argument: input: NaN or infinity (expected finite numbers)";
  for (const float wrong : {INFINITY, -INFINITY, std::nanf("")}) {
    const List spoilt = arguments.floats({1, 2, wrong, 4}), x = arguments.some_floats(4);
    CHECK(is_refused(calls::softmax(workspace, 2, spoilt), expected));
    CHECK(is_refused(calls::layer_norm(workspace, 0, spoilt, x, x), expected));
    CHECK(is_refused(calls::layer_norm(workspace, 0, x, spoilt, x), expected));
    CHECK(is_refused(calls::layer_norm(workspace, 0, x, x, spoilt), expected));
    CHECK(is_refused(calls::rms_norm(workspace, 0, spoilt, x), expected));
    CHECK(is_refused(calls::rms_norm(workspace, 0, x, spoilt), expected));
  }
}

}  // namespace wf
