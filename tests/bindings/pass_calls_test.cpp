#include "bindings/small_model.h"
#include "calls/pass.h"

namespace wf {

using namespace testing;
using calls::Pass;
using calls::RecordRequest;
using calls::Sequence;

TEST_CASE("A pass reads a text and indices that are right, and nothing else") {
  CallArguments arguments;
  const auto model = small_model();
  const List ids = arguments.integers({1, 2, 3, 4, 5});
  const auto made = [&](const Sequence& text, List layers = {}, const RecordRequest& request = {}) {
    return Pass::make(arguments.workspace, *model, text, layers, request).status();
  };
  REQUIRE(made({.ids = ids, .positions = {}}).ok());
  refuses_wrong_lists(
      arguments, ids, [&](List list) { return made({.ids = list, .positions = {}}); }, 4,
      testing::Lengths::kAny);
  CHECK(made({.ids = {}, .positions = {}}).code() == Code::kInvalidArgument);
  CHECK(made({.ids = arguments.integers({kVocabulary}), .positions = {}}).code() ==
        Code::kInvalidArgument);
  const List places = arguments.places(5);
  refuses_wrong_lists(
      arguments, places, [&](List list) { return made({.ids = ids, .positions = list}); }, 4);
  const List visible = arguments.bytes({1, 1, 0, 1, 1});
  refuses_wrong_lists(
      arguments, visible,
      [&](List list) {
        return made(
            {.ids = ids, .positions = {}, .padding = {.embedding_positions = {}, .visible = list}});
      },
      1);
  for (const std::vector<std::int32_t>& wrong :
       {std::vector<std::int32_t>{kLayers}, {-1}, {1, 0}, {0, 0}, {0, 1, 1}}) {
    const Status status = made({.ids = ids, .positions = {}}, arguments.integers(wrong));
    CHECK(status.code() == Code::kInvalidArgument);
  }
  for (const std::vector<std::int32_t>& wrong :
       {std::vector<std::int32_t>{kHeads}, {-1}, {1, 0}, {0, 0}}) {
    RecordRequest request;
    request.heads = arguments.integers(wrong);
    CHECK(made({.ids = ids, .positions = {}}, {}, request).code() == Code::kInvalidArgument);
  }
}

TEST_CASE("A pass has measures after its last step, and each once") {
  CallArguments arguments;
  const auto model = small_model();
  RecordRequest request;
  request.heads = arguments.integers({0, 3});
  auto made = Pass::make(arguments.workspace, *model, {.ids = arguments.places(9), .positions = {}},
                         arguments.integers({1}), request);
  REQUIRE(made.ok());
  Pass& pass = *made.value();
  CHECK(pass.take_record(0) == nullptr);
  int layers = 0;
  while (layers < kLayers) {
    const auto step = pass.step();
    REQUIRE(step.ok());
    layers = step.value().layers;
  }
  CHECK(pass.step().value().layers == kLayers);
  REQUIRE(pass.record_count() == 1);
  CHECK(pass.take_record(1) == nullptr);
  CHECK(pass.take_record(-1) == nullptr);
  const auto record = pass.take_record(0);
  REQUIRE(record);
  CHECK(record->heads() == 2);
  CHECK(record->measured_pairs() == kChannels / 2);
  CHECK(record->pair_shares() != 0);
  CHECK(pass.take_record(0) == nullptr);
}

}  // namespace wf
