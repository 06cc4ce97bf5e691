#include "bindings/block.h"
#include "calls/reader.h"
#include "calls/tensor.h"

namespace wf::calls {
namespace {

using namespace testing;

TEST_CASE("bindings: a block has the room that was asked for, and only that is its own") {
  Workspace workspace;
  CHECK(workspace.reserve(0).ok());
  CHECK_FALSE(workspace.holds(0, 1));
  check_refused(workspace.reserve(-1), "workspace");
  check_refused(workspace.reserve(kNan), "workspace");
  check_refused(workspace.reserve(1e300), "out of memory", Code::kOutOfMemory);
  check_refused(workspace.reserve(4294967296.0 + 64), "out of memory", Code::kOutOfMemory);
  REQUIRE(workspace.reserve(128).ok());
  const std::uintptr_t first = workspace.address();
  CHECK(workspace.holds(first, 128));
  CHECK(workspace.holds(first + 128, 0));
  CHECK_FALSE(workspace.holds(first, 129));
  CHECK_FALSE(workspace.holds(first + 1, 128));
  CHECK_FALSE(workspace.holds(first - 1, 1));
  CHECK_FALSE(workspace.holds(first, std::uint64_t{1} << 63));
  CHECK_FALSE(workspace.holds(~std::uintptr_t{0}, 2));
  workspace.release();
  CHECK_FALSE(workspace.holds(first, 1));
}

TEST_CASE("bindings: what does not lie in the block whole is refused, and nothing is read of it") {
  Block block(256);
  for (const List list : hostile_lists(block.workspace)) {
    CAPTURE(list.length);
    Reader integers(block.workspace), floats(block.workspace), array(block.workspace);
    CHECK(integers.integers("ids", list).empty());
    check_refused(integers.status(), "ids");
    floats.floats("x", list, {1.0 * list.length});
    CHECK_FALSE(floats.status().ok());
    CHECK(array.array<float>("out", list, {1.0 * list.length}) == nullptr);
    CHECK_FALSE(array.status().ok());
  }
  Reader reader(block.workspace);
  CHECK(reader.integers("none", {12345, 0}).empty());
  CHECK(reader.status().ok());
}

TEST_CASE("bindings: sizes and lengths agree, in numbers that do not run over") {
  Block block;
  const List four = block.floats(4);
  const auto refused = [&](std::initializer_list<double> sizes) {
    Reader reader(block.workspace);
    reader.floats("x", four, sizes);
    check_refused(reader.status(), "x: 4 numbers");
  };
  refused({3});
  refused({5});
  refused({-2, -2});
  refused({0, 4});
  refused({kNan});
  // 2³² + 4 floats, which 32 bits would hold to be 4.
  refused({65537, 65536.0 - 65536.0 / 65537.0});
  refused({4294967300.0});
  refused({65536, 65536, 4});
  CHECK(count_of({1e5, 1e5}).status().code() == Code::kOutOfMemory);
  CHECK(count_of({65536, 65536}).status().code() == Code::kOutOfMemory);
  CHECK(count_of({-1, 4}).status().code() == Code::kInvalidArgument);
  CHECK(count_of({kNan}).status().code() == Code::kInvalidArgument);
  CHECK(count_of({0, 1e300}).value() == 0);
}

TEST_CASE("bindings: positions lie near each other, a list for each axis") {
  Block block;
  const auto refused = [&](std::vector<std::int32_t> numbers, int count) {
    Reader reader(block.workspace);
    reader.positions("positions", block.put(numbers), count);
    check_refused(reader.status(), "positions");
  };
  refused({0, 1, 2}, 2);
  refused({0, 1, 2}, 0);
  refused({0, 1, 2}, -3);
  refused({0, 1, 2, 3}, 1);
  refused({kMostInt}, 1);
  refused({kLeastInt, 0}, 2);
  refused({}, 0);
  Reader reader(block.workspace);
  const Positions grid =
      reader.positions("positions", block.put(std::vector<std::int32_t>{0, 1, 5, 6}), 2);
  REQUIRE(reader.status().ok());
  CHECK(grid.axes == 2);
  CHECK(grid.at(1, 1) == 6);
}

TEST_CASE("bindings: seeds are whole numbers that a double holds") {
  CHECK(seed_of(7).value() == 7);
  for (const double seed : {-1.0, 9007199254740993.0, 1e300, double{kNan}, double{kInfinity}})
    CHECK(seed_of(seed).status().code() == Code::kInvalidArgument);
}

TEST_CASE("bindings: a tensor is read where it lies while it lives, and not after") {
  Block block;
  auto made = Tensor::make(block.workspace, block.put(std::vector<float>{1, 2, -kInfinity, 4}));
  REQUIRE(made.ok());
  std::unique_ptr<Tensor> tensor = made.take();
  auto other = Tensor::make(block.workspace, block.floats(8));
  REQUIRE(other.ok());
  CHECK(tensor->hides());
  CHECK_FALSE(other.value()->hides());
  const List whole = {tensor->address(), tensor->length()};
  const List part = {tensor->address() + 4, 2};
  for (const List list : {whole, part}) {
    Reader reader(block.workspace);
    CHECK(reader.floats("x", list, {1.0 * list.length}) ==
          reinterpret_cast<const float*>(list.address));
    reader.forbid_not_finite(list);  // it was looked at when it came
    CHECK(reader.status().ok());
    CHECK(reader.integers("x", list).empty());  // nothing but floats is taken from there
    CHECK_FALSE(reader.status().ok());
  }
  const auto refused = [&](List list) {
    Reader reader(block.workspace);
    reader.floats("x", list, {1.0 * list.length});
    check_refused(reader.status(), "x");
  };
  refused({tensor->address() - 4, 4});
  refused({tensor->address() + 4, 4});
  refused({tensor->address() + 2, 2});
  refused({tensor->address(), kMostInt});
  tensor.reset();
  refused(whole);
  for (const float bad : {kNan, kInfinity})
    check_refused(Tensor::make(block.workspace, block.put(std::vector<float>{1, bad})).status(),
                  "NaN or infinity");
  CHECK_FALSE(Tensor::make(block.workspace, {}).ok());
}

}  // namespace
}  // namespace wf::calls
