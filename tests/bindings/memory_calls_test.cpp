#include "calls/memory.h"

#include "bindings/small_model.h"
#include "calls/session.h"

namespace wf {

using namespace testing;
using calls::Memory;
using calls::Session;

namespace {

std::unique_ptr<Model> decoder() {
  ModelConfig sizes = sizes_of();
  sizes.architecture.cross_attention = true;
  return model_of(*layout_of(sizes, "t5"));
}

}  // namespace

TEST_CASE("A memory is made of rows of the model's width that lie in the block") {
  CallArguments arguments;
  const auto model = decoder();
  const List states = arguments.floats(std::vector<float>(3 * kWidth, 0.5f));
  const auto make = [&](List list, int rows) {
    return Memory::make(arguments.workspace, *model->transformer(), list, rows).status();
  };
  REQUIRE(make(states, 3).ok());
  refuses_wrong_lists(
      arguments, states, [&](List list) { return make(list, 3); }, 4, testing::Lengths::kFixed);
  for (const int wrong : {0, -1, 2, 4, INT32_MIN, INT32_MAX}) CHECK(!make(states, wrong).ok());
  const List visible = arguments.bytes({0, 1, 1});
  const auto masked = [&](List list) {
    return Memory::make(arguments.workspace, *model->transformer(), states, 3, list).status();
  };
  REQUIRE(masked(visible).ok());
  refuses_wrong_lists(arguments, visible, masked, 1);
  CHECK(
      Memory::make(arguments.workspace, *small_model()->transformer(), states, 3).status().code() ==
      Code::kUnsupported);
}

TEST_CASE("Runs, losses and sessions need the memory, which sessions keep alive") {
  CallArguments arguments;
  const auto model = decoder();
  auto memory = Memory::make(arguments.workspace, *model->transformer(),
                             arguments.floats(std::vector<float>(3 * kWidth, 0.5f)), 3);
  REQUIRE(memory.ok());
  const List ids = arguments.integers({1, 2, 3});
  const List losses = arguments.floats(std::vector<float>(2));
  const auto run = [&](const Memory* read) {
    const calls::RecordRequest weights = {.kinds = 1, .heads = {}, .rows = {}, .columns = {}};
    return model->run(arguments.workspace, {ids, {}}, nullptr, {}, weights, {read, weights});
  };
  CHECK(run(nullptr).code() == Code::kUnsupported);
  CHECK(model->record_count() == 0);
  CHECK(run(memory.value().get()).ok());
  REQUIRE(model->record_count() == 2 * kLayers);
  CHECK(model->take_record(0)->columns() == 3);
  CHECK(model->take_record(kLayers)->heads() == kHeads);
  CHECK(!model->loss(arguments.workspace, {ids, {}}, nullptr, losses).ok());
  CHECK(model->loss(arguments.workspace, {ids, {}}, nullptr, losses, memory.value().get()).ok());
  CHECK(!Session::make(*model, false).ok());
  auto made = Session::make(*model, false, memory.value().get());
  REQUIRE(made.ok());
  memory.take().reset();
  REQUIRE(made.value()->append(arguments.workspace, ids, true).ok());
  const calls::SamplingSettings likeliest = {.temperature = 0};
  auto sampling = calls::Sampling::make(arguments.workspace, *model, likeliest, {}, {}, {});
  REQUIRE(sampling.ok());
  CHECK(made.value()->next(*sampling.value()).ok());
}

}  // namespace wf
