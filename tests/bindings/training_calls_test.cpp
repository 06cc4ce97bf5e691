#include <cstring>

#include "bindings/call_arguments.h"
#include "calls/descriptions.h"
#include "calls/training.h"

namespace wf {
namespace {

using calls::List;
using calls::ModelLayout;
using calls::Training;
using calls::TrainingSettings;
using testing::CallArguments;
using testing::is_refused;
using testing::refuses_wrong_lists;
using testing::said;

constexpr int kVocabulary = 19;

std::unique_ptr<ModelLayout> layout_of(int width = 16) {
  const ModelConfig sizes = {.vocab_size = kVocabulary,
                             .width = width,
                             .num_layers = 1,
                             .num_heads = 2,
                             .num_kv_heads = 2,
                             .head_dim = 8,
                             .intermediate = 24,
                             .initializer_range = 0.1f};
  auto made = ModelLayout::make(sizes);
  REQUIRE_MESSAGE(made.ok(), made.status().message());
  REQUIRE(made.value()->add_layer_type({}).ok());
  REQUIRE(made.value()->add_scheme(*testing::chosen_scheme("rope")).ok());
  return made.take();
}

int task_index(const char* id) {
  for (int i = 0; i < calls::task_count(); ++i)
    if (calls::task_id(i) == id) return i;
  FAIL("no task " << id);
  return -1;
}

TrainingSettings settings_of(const char* task = "copy") {
  return {.task = task_index(task),
          .model_seed = 1,
          .seed = 2,
          .batch_size = 2,
          .length = 8,
          .learning_rate = 1e-3,
          .total_steps = 10,
          .warmup_steps = 2};
}

struct Case {
  Result<std::unique_ptr<Training>> make(const TrainingSettings& settings, List ids = {}) {
    return Training::make(arguments.workspace, *layout, settings, ids);
  }
  std::unique_ptr<Training> training(const TrainingSettings& settings = settings_of()) {
    auto made = make(settings);
    REQUIRE_MESSAGE(made.ok(), made.status().message());
    return made.take();
  }

  CallArguments arguments{4 << 20};
  std::unique_ptr<ModelLayout> layout = layout_of();
};

std::vector<std::uint8_t> saved(const Training& training) {
  auto made = training.save();
  REQUIRE(made.ok());
  const List list = made.value()->list();
  const auto* first = testing::elements<std::uint8_t>(list);
  return {first, first + list.length};
}

}  // namespace

TEST_CASE("Training is made of settings of their range") {
  Case one;
  const auto refuses = [&](auto field, auto value) {
    TrainingSettings settings = settings_of();
    settings.*field = value;
    const Status status = one.make(settings).status();
    return status.code() == Code::kInvalidArgument;
  };
  using S = TrainingSettings;
  for (int S::* field : {&S::task, &S::batch_size, &S::length, &S::warmup_steps, &S::total_steps})
    for (const int wrong : {-1, INT32_MIN, INT32_MIN + 1}) CHECK(refuses(field, wrong));
  for (int S::* field : {&S::batch_size, &S::length, &S::total_steps}) CHECK(refuses(field, 0));
  for (int S::* field : {&S::task, &S::batch_size, &S::length, &S::warmup_steps})
    for (const int wrong : {1 << 30, INT32_MAX}) CHECK(refuses(field, wrong));
  CHECK(refuses(&S::warmup_steps, 11));
  CHECK(refuses(&S::task, calls::task_count()));
  for (double S::* field :
       {&S::model_seed, &S::seed, &S::learning_rate, &S::weight_decay, &S::clip_norm})
    for (const double wrong : testing::kWrongNumbers) {
      CAPTURE(wrong);
      CHECK(refuses(field, wrong));
    }
}

TEST_CASE("A batch that no memory holds is refused before any of it is taken") {
  Case one;
  const testing::MemoryLimit limit(1 << 26);
  for (const auto& [batch, length] :
       {std::pair{65536, 1 << 20}, std::pair{1, 1 << 20}, std::pair{65536, 64}}) {
    TrainingSettings settings = settings_of();
    settings.batch_size = batch;
    settings.length = length;
    // More than 2^31 tokens may be refused with another error.
    const Code code = one.make(settings).status().code();
    CHECK((code == Code::kOutOfMemory || 1.0 * batch * length > INT32_MAX));
    CHECK(code != Code::kOk);
  }
}

TEST_CASE("Every task makes its own data, or is given ids of the vocabulary") {
  Case one;
  for (int task = 0; task < calls::task_count(); ++task) {
    const std::string id = calls::task_id(task);
    CAPTURE(id);
    TrainingSettings settings = settings_of();
    settings.task = task;
    settings.length = 36;
    const bool uses_text = id.find("language_model") != std::string::npos;
    CHECK(one.make(settings).ok() != uses_text);
    if (!uses_text) continue;
    std::vector<std::int32_t> text(200);
    for (std::size_t i = 0; i < text.size(); ++i)
      text[i] = static_cast<std::int32_t>(i % (kVocabulary - 1));
    const List ids = one.arguments.integers(text);
    auto made = one.make(settings, ids);
    REQUIRE_MESSAGE(made.ok(), made.status().message());
    CHECK(made.value()->step().ok());
    refuses_wrong_lists(
        one.arguments, ids, [&](List list) { return one.make(settings, list).status(); }, 4,
        testing::Lengths::kAny);
    CHECK(!one.make(settings, {ids.address, 1}).ok());
    CHECK(!one.make(settings, {ids.address, 36}).ok());
    CHECK(one.make(settings, {ids.address, 37}).ok());
    for (const std::int32_t wrong : {-1, kVocabulary, INT32_MIN, INT32_MAX}) {
      text[100] = wrong;
      CHECK(one.make(settings, one.arguments.integers(text)).status().code() ==
            Code::kInvalidArgument);
    }
  }
}

TEST_CASE("Steps go on for ever, and take no memory after the first") {
  Case one;
  const auto training = one.training();
  REQUIRE(training->step().ok());
  const std::size_t before = allocation_count();
  for (int i = 0; i < 20; ++i) CHECK(training->step().ok());  // past the last step of the schedule
  CHECK(allocation_count() == before);
  CHECK(training->steps_done() == 21);
}

TEST_CASE("Weights that run away are an error of the step, and the model stays as it was") {
  Case one;
  TrainingSettings settings = settings_of();
  settings.learning_rate = 10;
  settings.warmup_steps = 0;
  settings.clip_norm = 0;
  const auto training = one.training(settings);
  for (int i = 0; i < 50; ++i) {
    const auto step = training->step();
    CHECK((step.ok() || step.status().code() == Code::kInternal));
  }
}

TEST_CASE("An evaluation is of lengths that a task has, and of no more than memory holds") {
  Case one;
  const auto training = one.training();
  const auto evaluate = [&](int length, int sequences, double seed) {
    return training->evaluate(length, sequences, seed).status().code();
  };
  REQUIRE(evaluate(8, 2, 1) == Code::kOk);
  for (const int wrong : {0, -1, INT32_MIN, INT32_MAX, 1 << 30}) {
    CHECK(evaluate(wrong, 2, 1) == Code::kInvalidArgument);
    CHECK(evaluate(8, wrong, 1) == Code::kInvalidArgument);
  }
  for (const double wrong : testing::kWrongNumbers)
    CHECK(evaluate(8, 2, wrong) == Code::kInvalidArgument);
  const testing::MemoryLimit limit(1 << 26);
  CHECK(evaluate(1 << 20, 1, 1) == Code::kOutOfMemory);
  CHECK(evaluate(8, 2, 1) == Code::kOk);
}

TEST_CASE("A state of another training is refused, and the training goes on as it was") {
  Case one;
  const auto training = one.training();
  REQUIRE(training->step().ok());
  const std::vector<std::uint8_t> state = saved(*training);
  const auto restore = [&](List list) { return training->restore(one.arguments.workspace, list); };
  const auto restore_bytes = [&](const std::vector<std::uint8_t>& bytes) {
    return restore(one.arguments.bytes(bytes));
  };
  REQUIRE(restore_bytes(state).ok());
  refuses_wrong_lists(one.arguments, one.arguments.bytes(state), restore, 1,
                      testing::Lengths::kAny);
  const auto malformed = [&](const std::vector<std::uint8_t>& bytes) {
    const Status status = restore_bytes(bytes);
    CHECK_MESSAGE(status.code() == Code::kMalformedFile, said(status));
  };
  malformed({});
  malformed({0});
  malformed(std::vector<std::uint8_t>(64, 0));
  malformed(std::vector<std::uint8_t>(64, 255));
  for (const std::size_t length :
       {std::size_t{7}, std::size_t{8}, state.size() / 3, state.size() - 1})
    malformed({state.begin(), state.begin() + static_cast<std::ptrdiff_t>(length)});
  const auto made = Training::make(one.arguments.workspace, *layout_of(32), settings_of(), {});
  REQUIRE(made.ok());
  malformed(saved(*made.value()));
  // The file of a model is no saved state of a training.
  const auto model = training->copy_model();
  REQUIRE(model.ok());
  const auto weights = model.value()->save(false);
  REQUIRE(weights.ok());
  CHECK(restore(one.arguments.bytes({testing::elements<std::uint8_t>(weights.value()->list()),
                                     testing::elements<std::uint8_t>(weights.value()->list()) +
                                         weights.value()->list().length}))
            .code() == Code::kMalformedFile);
  CHECK(saved(*training) == state);
  CHECK(training->step().ok());
}

TEST_CASE("Every spoilt byte of a state's header is refused or harmless") {
  Case one;
  const auto training = one.training();
  const std::vector<std::uint8_t> state = saved(*training);
  const List list = one.arguments.bytes(state);
  std::uint8_t* bytes = testing::elements<std::uint8_t>(list);
  std::uint64_t header = 0;
  std::memcpy(&header, bytes, sizeof(header));
  for (std::size_t i = 0; i < header + 8; ++i)
    for (const std::uint8_t wrong :
         {std::uint8_t{0}, std::uint8_t{'9'}, std::uint8_t{'"'}, std::uint8_t{255}}) {
      const std::uint8_t before = bytes[i];
      bytes[i] = wrong;
      const Code code = training->restore(one.arguments.workspace, list).code();
      CHECK((code == Code::kOk || code == Code::kMalformedFile || code == Code::kUnsupported));
      bytes[i] = before;
    }
  const auto step = training->step();
  CHECK((step.ok() || step.status().code() == Code::kInternal));
}

}  // namespace wf
