#include "calls/products.h"

#include "bindings/block.h"
#include "calls/rows.h"

namespace wf::calls {
namespace {

using namespace testing;

TEST_CASE("bindings: a product of given and of packed operands") {
  Block block;
  const List a = block.put(std::vector<float>{1, 2, 3, 4});
  const List b = block.put(std::vector<float>{5, 6, 7, 8});
  const List c = block.room(4);
  REQUIRE(matmul(block.workspace, {2, 2, 2, false}, a, b, c).ok());
  CHECK(at(c, 3) == 50);
  REQUIRE(matmul(block.workspace, {2, 2, 2, true}, a, b, c).ok());
  CHECK(at(c, 3) == 53);
  const auto packed = PackedMatrix::make(block.workspace, 2, 2, true, b);
  REQUIRE(packed.ok());
  REQUIRE(matmul(block.workspace, 2, *packed.value(), a, c).ok());
  CHECK(at(c, 3) == 53);
  check_refused(matmul(block.workspace, 3, *packed.value(), a, c), "a: 4 numbers");
}

TEST_CASE("bindings: sizes of a product that its lists do not have") {
  Block block;
  const List a = block.floats(6), b = block.floats(6), c = block.room(4);
  const ProductSizes sizes[] = {{2, 2, 4, false},
                                {0, 2, 3, false},
                                {-2, -2, -3, false},
                                {2, -2, 3, false},
                                {kMostInt, 2, 3, false},
                                {2, kMostInt, 3, true},
                                {65536, 65536, 65536, false},
                                {kLeastInt, kLeastInt, kLeastInt, false}};
  for (const ProductSizes& wrong : sizes)
    CHECK(matmul(block.workspace, wrong, a, b, c).code() == Code::kInvalidArgument);
  CHECK(matmul(block.workspace, {2, 2, 3, false}, a, b, {c.address, 3}).code() ==
        Code::kInvalidArgument);
  for (const List list : hostile_lists(block.workspace)) {
    CHECK_FALSE(matmul(block.workspace, {2, 2, 3, false}, list, b, c).ok());
    CHECK_FALSE(matmul(block.workspace, {2, 2, 3, false}, a, list, c).ok());
    CHECK_FALSE(matmul(block.workspace, {2, 2, 3, false}, a, b, list).ok());
    CHECK_FALSE(PackedMatrix::make(block.workspace, 2, 2, false, list).ok());
  }
  for (const int size : {0, -1, kLeastInt, kMostInt})
    CHECK_FALSE(PackedMatrix::make(block.workspace, size, size, false, b).ok());
}

TEST_CASE("bindings: what is not finite is found, wherever in an operand it stands") {
  Block block;
  for (const float bad : {kNan, kInfinity, -kInfinity}) {
    for (int i = 0; i < 6; ++i) {
      block.clear();
      std::vector<float> numbers(6, 1.0f);
      numbers[static_cast<std::size_t>(i)] = bad;
      const List spoilt = block.put(numbers), whole = block.floats(6), c = block.room(4);
      check_refused(matmul(block.workspace, {2, 2, 3, false}, spoilt, whole, c), "NaN");
      check_refused(matmul(block.workspace, {2, 2, 3, false}, whole, spoilt, c), "NaN");
      check_refused(PackedMatrix::make(block.workspace, 2, 3, false, spoilt).status(), "NaN");
      check_refused(softmax(block.workspace, 3, spoilt), "NaN");
      check_refused(layer_norm(block.workspace, 1e-5, spoilt, whole, whole), "NaN");
      check_refused(layer_norm(block.workspace, 1e-5, whole, spoilt, whole), "NaN");
      check_refused(rms_norm(block.workspace, 1e-5, whole, spoilt), "NaN");
      check_refused(rms_norm(block.workspace, 1e-5, spoilt, whole), "NaN");
    }
  }
}

TEST_CASE("bindings: rows are changed where they lie, and nothing beside them") {
  Block block;
  const List x = block.put(std::vector<float>{1, 1, 2, 2});
  const List after = block.floats(1, 9);
  REQUIRE(softmax(block.workspace, 2, x).ok());
  for (int i = 0; i < 4; ++i) CHECK(at(x, i) == doctest::Approx(0.5));
  CHECK(at(after, 0) == 9);
  const List weight = block.put(std::vector<float>{2, 3});
  const List y = block.put(std::vector<float>{3, 4, 0, 0});
  REQUIRE(rms_norm(block.workspace, 0.5, weight, y).ok());
  CHECK(at(y, 0) == doctest::Approx(6 / std::sqrt(13.0)));
  CHECK(at(y, 1) == doctest::Approx(12 / std::sqrt(13.0)));
  CHECK(at(y, 2) == 0);
}

TEST_CASE("bindings: rows of no width, and epsilons that are none") {
  Block block;
  const List x = block.floats(6), four = block.floats(4);
  for (const int columns : {0, -1, 4, 7, kMostInt, kLeastInt})
    CHECK(softmax(block.workspace, columns, x).code() == Code::kInvalidArgument);
  for (const double epsilon : {-1e-9, 2.0, double{kNan}, double{kInfinity}}) {
    check_refused(rms_norm(block.workspace, epsilon, x, x), "epsilon");
    check_refused(layer_norm(block.workspace, epsilon, x, x, x), "epsilon");
  }
  CHECK_FALSE(layer_norm(block.workspace, 0, four, x, x).ok());
  CHECK_FALSE(layer_norm(block.workspace, 0, {}, {}, x).ok());
  CHECK_FALSE(rms_norm(block.workspace, 0, {}, x).ok());
  CHECK_FALSE(rms_norm(block.workspace, 0, x, {}).ok());
  for (const List list : hostile_lists(block.workspace)) {
    CHECK_FALSE(softmax(block.workspace, 1, list).ok());
    CHECK_FALSE(rms_norm(block.workspace, 0, x, list).ok());
    CHECK_FALSE(rms_norm(block.workspace, 0, list, x).ok());
    CHECK_FALSE(layer_norm(block.workspace, 0, x, list, x).ok());
  }
}

}  // namespace
}  // namespace wf::calls
