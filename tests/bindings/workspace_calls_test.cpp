#include "bindings/call_arguments.h"
#include "calls/reader.h"
#include "calls/tensor.h"

namespace wf {
namespace {

using calls::List;
using calls::Reader;
using calls::Tensor;
using calls::Workspace;
using testing::CallArguments;
using testing::is_refused;
using testing::said;

}  // namespace

TEST_CASE("A workspace has the room that was asked for, and refuses what no memory has") {
  Workspace workspace;
  CHECK(!workspace.holds(0, 0 + 1));
  CHECK(workspace.reserve(1000).ok());
  CHECK(workspace.size() >= 1000);
  const std::uintptr_t before = workspace.address();
  CHECK(workspace.reserve(10).ok());
  CHECK(workspace.address() == before);
  CHECK(is_refused(workspace.reserve(-1), "invalid_argument: workspace: -1 bytes (…"));
  CHECK(is_refused(workspace.reserve(std::nan("")), "invalid_argument: workspace: …"));
  CHECK(is_refused(workspace.reserve(4294967296.0 + 8), "out_of_memory: …"));
  CHECK(is_refused(workspace.reserve(1e300), "out_of_memory: …"));
  CHECK(is_refused(workspace.reserve(INFINITY), "out_of_memory: …"));
  {
    const testing::MemoryLimit limit(1 << 20);
    CHECK(is_refused(workspace.reserve(1 << 21), "out_of_memory: …"));
  }
  // The contents are still there.
  CHECK(workspace.holds(before, 1000));
  workspace.release();
  CHECK(workspace.size() == 0);
  CHECK(!workspace.holds(before, 1));
}

TEST_CASE("A block holds what begins and ends in it, whatever sums run over") {
  Workspace workspace;
  REQUIRE(workspace.reserve(256).ok());
  const std::uintptr_t first = workspace.address();
  const std::uint64_t size = workspace.size();
  CHECK(workspace.holds(first, size));
  CHECK(workspace.holds(first + size - 1, 1));
  CHECK(!workspace.holds(first + size, 1));
  CHECK(!workspace.holds(first - 1, 1));
  CHECK(!workspace.holds(first, size + 1));
  CHECK(!workspace.holds(first + 8, size - 7));
  CHECK(!workspace.holds(first, ~std::uint64_t{0}));
  CHECK(!workspace.holds(first + 8, ~std::uint64_t{0} - 4));
  CHECK(!workspace.holds(first, std::uint64_t{1} << 32));
  CHECK(!workspace.holds(~std::uintptr_t{0}, 2));
  CHECK(!workspace.holds(0, 8));
}

TEST_CASE("A list is read where it lies whole in the block, at a multiple of its element's size") {
  CallArguments arguments;
  const List integers = arguments.integers({1, 2, 3});
  Reader reader(arguments.workspace);
  CHECK(reader.integers("list", integers).size() == 3);
  CHECK(reader.integers("list", {}).empty());
  CHECK(reader.integers("list", {12345, 0}).empty());
  CHECK(reader.status().ok());
  const List doubles = arguments.doubles({1, 2});
  const auto read = [&]<class T>(List list, T) {
    Reader one(arguments.workspace);
    one.list<const T>("list", list);
    return one.status();
  };
  for (const List list : arguments.wrong(integers, sizeof(std::int32_t), testing::Lengths::kAny))
    CHECK(!read(list, std::int32_t{}).ok());
  CHECK(is_refused(read({doubles.address + 4, 1}, 0.0),
                   "invalid_argument: list: 1 elements outside the engine's memory (expected "
                   "elements inside it)"));
  CHECK(is_refused(read({doubles.address, -2}, 0.0),
                   "invalid_argument: list: -2 elements outside the engine's memory (expected "
                   "elements inside it)"));
  // 2^31 - 1 doubles are 2^34 - 8 bytes, of which a 32-bit size would keep the lowest 32 bits.
  CHECK(!read({doubles.address, INT32_MAX}, 0.0).ok());
}

TEST_CASE("The first refusal stays, and nothing is read after it") {
  CallArguments arguments;
  const List list = arguments.integers({1, 2, 3});
  Reader reader(arguments.workspace);
  reader.integers("first", {list.address, -1});
  CHECK(reader.integers("second", list).empty());
  CHECK(reader.array<float>("third", list, {7.0}) == nullptr);
  CHECK(reader.floats("fourth", list, {3.0}) == nullptr);
  CHECK(reader.positions("fifth", list, 0).data == nullptr);
  reader.forbid_not_finite(list);
  CHECK(is_refused(reader.status(), "invalid_argument: first: -1 elements …"));
}

TEST_CASE("Sizes that no array has are refused, whatever their product runs over to") {
  CallArguments arguments;
  const List list = arguments.some_floats(16);
  const auto read = [&](std::initializer_list<double> sizes) {
    Reader reader(arguments.workspace);
    reader.floats("x", list, sizes);
    return reader.status();
  };
  CHECK(read({16.0}).ok());
  CHECK(read({2.0, 2.0, 4.0}).ok());
  CHECK(is_refused(read({4.0, 5.0}),
                   "invalid_argument: x: 16 numbers (expected 20, the product of its sizes)"));
  // 2^28 · 2^36, which is 0 in 64 bits; 65536 · 65536 + 16, which is 16 in 32 bits.
  CHECK(!read({268435456.0, 68719476736.0}).ok());
  CHECK(!read({65536.0 * 65536.0 + 16}).ok());
  CHECK(!read({-4.0, -4.0}).ok());
  CHECK(!read({16.0, 0.0}).ok());
  CHECK(!read({0.5, 32.0}).ok());
  CHECK(!read({std::nan(""), 1.0}).ok());
  CHECK(!read({INFINITY, 0.0}).ok());
  CHECK(!read({INFINITY}).ok());

  CHECK(calls::count_of({3.0, 4.0}).value() == 12);
  CHECK(calls::count_of({0.0, 4.0}).value() == 0);
  CHECK(is_refused(calls::count_of({-1.0, 4.0}), "invalid_argument: …"));
  CHECK(is_refused(calls::count_of({-2.0, -2.0}), "invalid_argument: …"));
  CHECK(is_refused(calls::count_of({std::nan("")}), "invalid_argument: …"));
  CHECK(is_refused(calls::count_of({65536.0, 65536.0}),
                   "out_of_memory: out of memory: 4294967296 numbers asked for"));
  CHECK(is_refused(calls::count_of({1e300, 1e300}), "out_of_memory: …"));
}

TEST_CASE("Seeds are whole numbers that a double holds exactly") {
  CHECK(calls::seed_of(0).value() == 0);
  CHECK(calls::seed_of(9007199254740991.0).value() == 9007199254740991u);
  for (const double wrong : testing::kWrongNumbers)
    CHECK(is_refused(calls::seed_of(wrong), "invalid_argument: seed: …"));
  CHECK(is_refused(calls::seed_of(9007199254740992.0), "invalid_argument: seed: …"));
}

TEST_CASE("Positions are as many as the tokens on each axis, and near one another") {
  CallArguments arguments;
  const auto read = [&](const std::vector<std::int32_t>& list, int count) {
    Reader reader(arguments.workspace);
    const Positions positions = reader.positions("positions", arguments.integers(list), count);
    if (reader.status().ok()) CHECK(positions.count * positions.axes == int(list.size()));
    return reader.status();
  };
  CHECK(read({0, 1, 2, 3}, 4).ok());
  CHECK(read({0, 1, 2, 3}, 2).ok());
  CHECK(read({0, 1, 2}, 1).ok());
  CHECK(!read({0, 1, 2, 3}, 1).ok());
  CHECK(!read({0, 1, 2}, 2).ok());
  CHECK(!read({}, 1).ok());
  for (const int count : testing::kWrongSizes) CHECK(!read({0, 1, 2, 3}, count).ok());
  CHECK(read({(1 << 30) - 1, -(1 << 30) + 1}, 2).ok());
  CHECK(is_refused(read({1 << 30}, 1), "invalid_argument: positions: 1073741824 (…"));
  CHECK(is_refused(read({-(1 << 30)}, 1), "invalid_argument: positions: -1073741824 (…"));
  CHECK(!read({INT32_MAX}, 1).ok());
  CHECK(!read({INT32_MIN}, 1).ok());
}

TEST_CASE("A tensor is copied, found again by its address, and gone when it is given back") {
  CallArguments arguments;
  const List numbers = arguments.floats({1, 2, 3, 4});
  auto made = Tensor::make(arguments.workspace, numbers);
  REQUIRE(made.ok());
  std::unique_ptr<Tensor> tensor = made.take();
  CHECK(tensor->length() == 4);
  CHECK(!tensor->hides());
  const List there = {tensor->address(), 4};
  const auto read = [&](List list, double size) {
    Reader reader(arguments.workspace);
    const float* found = reader.floats("x", list, {size});
    if (reader.status().ok()) CHECK(found[list.length - 1] != 0);
    return reader.status();
  };
  testing::elements(numbers)[3] = -9;
  CHECK(read(there, 4).ok());
  CHECK(testing::elements(there)[3] == 4);
  CHECK(read({there.address + 8, 2}, 2).ok());
  CHECK(!read({there.address + 8, 3}, 3).ok());
  CHECK(!read({there.address - 4, 4}, 4).ok());
  CHECK(!read({there.address + 2, 2}, 2).ok());
  CHECK(!read({there.address, 5}, 5).ok());
  CHECK(!read({there.address, -4}, -4).ok());
  CHECK(!read({there.address, INT32_MAX}, INT32_MAX).ok());
  // A result or an array of integers must not be part of a tensor.
  Reader reader(arguments.workspace);
  reader.array<float>("out", there, {4.0});
  CHECK(!reader.status().ok());
  tensor.reset();
  CHECK(!read(there, 4).ok());
}

TEST_CASE("Tensors that lie side by side are not one") {
  CallArguments arguments;
  std::vector<std::unique_ptr<Tensor>> tensors;
  for (int i = 0; i < 40; ++i) {
    auto made = Tensor::make(arguments.workspace, arguments.some_floats(16));
    REQUIRE(made.ok());
    tensors.push_back(made.take());
  }
  const auto can_read = [&](List list) {
    Reader reader(arguments.workspace);
    reader.floats("x", list, {1.0 * list.length});
    return reader.status().ok();
  };
  for (int round = 0; round < 2; ++round) {
    for (const auto& tensor : tensors) {
      CHECK(can_read({tensor->address(), 16}));
      CHECK(can_read({tensor->address() + 60, 1}));
      CHECK(!can_read({tensor->address() + 60, 2}));
      CHECK(!can_read({tensor->address(), 17}));
      CHECK(!can_read({tensor->address(), 32}));
    }
    for (std::size_t i = 0; i < tensors.size(); i += 2) {
      const std::uintptr_t address = tensors[i]->address();
      tensors[i].reset();
      CHECK(!can_read({address, 16}));
    }
    std::erase(tensors, nullptr);
  }
}

TEST_CASE("A tensor is made of finite numbers and -infinity, which the calls know from then on") {
  CallArguments arguments;
  const auto make = [&](const std::vector<float>& list) {
    return Tensor::make(arguments.workspace, arguments.floats(list));
  };
  CHECK(make({0, -INFINITY}).value()->hides());
  CHECK(is_refused(make({0, INFINITY}), "invalid_argument: input: NaN or infinity (…"));
  CHECK(is_refused(make({std::nanf("")}), "invalid_argument: input: NaN or infinity (…"));
  CHECK(is_refused(make({}), "invalid_argument: …"));
  testing::refuses_wrong_lists(
      arguments, arguments.some_floats(4),
      [&](List list) { return Tensor::make(arguments.workspace, list).status(); }, sizeof(float),
      testing::Lengths::kAny);
  const testing::MemoryLimit limit(1 << 10);
  CHECK(is_refused(Tensor::make(arguments.workspace, arguments.some_floats(4096)),
                   "out_of_memory: …"));

  // The numbers of a mask are no valid operand.
  auto hiding = make({0, -INFINITY});
  REQUIRE(hiding.ok());
  const List there = {hiding.value()->address(), 2};
  Reader operand(arguments.workspace), mask(arguments.workspace);
  operand.forbid_not_finite(there);
  CHECK(!operand.status().ok());
  mask.forbid_not_finite(there, true);
  CHECK(mask.status().ok());
}

}  // namespace wf
