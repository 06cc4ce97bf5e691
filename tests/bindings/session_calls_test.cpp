#include "bindings/small_model.h"
#include "calls/session.h"

namespace wf {

using namespace testing;
using calls::Sampling;
using calls::SamplingSettings;
using calls::Session;

namespace {

std::unique_ptr<Session> session_of(const calls::Model& model) {
  auto made = Session::make(model, false);
  REQUIRE_MESSAGE(made.ok(), made.status().message());
  return made.take();
}

std::unique_ptr<Sampling> sampling_of(const CallArguments& arguments, const calls::Model& model,
                                      const SamplingSettings& settings = SamplingSettings{}) {
  auto made = Sampling::make(arguments.workspace, model, settings, {}, {}, {});
  REQUIRE_MESSAGE(made.ok(), made.status().message());
  return made.take();
}

}  // namespace

TEST_CASE("Sampling has settings within their ranges, and ids of the vocabulary") {
  CallArguments arguments;
  const auto model = small_model();
  const auto make = [&](const SamplingSettings& settings, List ids = {}, List biases = {},
                        List prompt = {}) {
    return Sampling::make(arguments.workspace, *model, settings, ids, biases, prompt).status();
  };
  REQUIRE(make(SamplingSettings{}).ok());
  const auto refuses = [&](auto field, auto value) {
    SamplingSettings settings;
    settings.*field = value;
    return make(settings).code();
  };
  using S = SamplingSettings;
  for (const double wrong : testing::kWrongNumbers)
    for (const auto field : {&S::temperature, &S::top_p, &S::min_p, &S::repetition_penalty,
                             &S::presence_penalty, &S::frequency_penalty, &S::seed}) {
      if (field == &S::presence_penalty || field == &S::frequency_penalty) {
        if (std::fabs(wrong) <= kMaxPenalty) continue;
      }
      CHECK(refuses(field, wrong) == Code::kInvalidArgument);
    }
  CHECK(refuses(&S::temperature, 101.0) == Code::kInvalidArgument);
  CHECK(refuses(&S::top_p, 0.0) == Code::kInvalidArgument);
  CHECK(refuses(&S::repetition_penalty, 0.0) == Code::kInvalidArgument);
  CHECK(refuses(&S::top_k, -1) == Code::kInvalidArgument);
  CHECK(refuses(&S::top_k, INT32_MIN) == Code::kInvalidArgument);
  CHECK(refuses(&S::top_k, INT32_MAX) == Code::kOk);

  const List two = arguments.integers({1, 2}), outside = arguments.integers({1, kVocabulary});
  const List biases = arguments.floats({1.0f, -2.0f});
  CHECK(make(SamplingSettings{}, two, biases, two).ok());
  CHECK(make(SamplingSettings{}, outside, biases).code() == Code::kInvalidArgument);
  CHECK(make(SamplingSettings{}, arguments.integers({1}), biases).code() == Code::kInvalidArgument);
  CHECK(make(SamplingSettings{}, {}, {}, outside).code() == Code::kInvalidArgument);
  CHECK(make(SamplingSettings{}, two, arguments.floats({1.0f, INFINITY})).code() ==
        Code::kInvalidArgument);
}

TEST_CASE("A session appends ids of the vocabulary, and grows with its text") {
  CallArguments arguments;
  const auto model = small_model();
  const auto session = session_of(*model);
  const List two = arguments.integers({1, 2});
  const auto append = [&](List list) { return session->append(arguments.workspace, list, true); };
  refuses_wrong_lists(arguments, two, append, 4, testing::Lengths::kAny);
  CHECK(append({}).code() == Code::kInvalidArgument);
  CHECK(append(arguments.integers({1, kVocabulary})).code() == Code::kInvalidArgument);
  const int before = session->length();
  const double bytes = session->bytes();
  for (int i = 0; i < 200; ++i) REQUIRE(append(two).ok());
  CHECK(session->length() == before + 400);
  CHECK(session->bytes() > bytes);

  for (const double much : {1.0 * INT32_MAX, INT32_MAX - 1.0, 1.0 * (1 << 30), 4e9, 1e300})
    CHECK(session->reserve(much).code() == Code::kOutOfMemory);
  for (const double wrong : {-1.0, std::nan("")})
    CHECK(session->reserve(wrong).code() == Code::kInvalidArgument);
  CHECK(session->truncate(-1).code() == Code::kInvalidArgument);
  CHECK(session->truncate(session->length() + 1).code() == Code::kInvalidArgument);

  ModelConfig both_ways = sizes_of();
  both_ways.is_causal = false;
  CHECK(is_refused(Session::make(*model_of(*layout_of(both_ways)), false), "unsupported: …"));
}

TEST_CASE(
    "A session chooses a token only after its last one was appended, and outlives its model") {
  CallArguments arguments;
  auto model = small_model();
  const auto session = session_of(*model);
  const auto sampling = sampling_of(arguments, *model);
  model.reset();
  CHECK(is_refused(session->next(*sampling), "invalid_argument: …"));
  REQUIRE(session->append(arguments.workspace, arguments.integers({1, 2}), false).ok());
  CHECK(is_refused(session->next(*sampling), "invalid_argument: …"));
  REQUIRE(session->append(arguments.workspace, arguments.integers({3}), true).ok());
  const auto fork = session->fork();
  REQUIRE(fork.ok());
  const auto next = session->next(*sampling);
  REQUIRE(next.ok());
  CHECK((next.value().id >= 0 && next.value().id < kVocabulary));
  REQUIRE(session->truncate(2).ok());
  CHECK(is_refused(session->next(*sampling), "invalid_argument: …"));
  CHECK(fork.value()->length() == 3);
  CHECK(fork.value()->next(*sampling).ok());
}

TEST_CASE("A session records rows of layers and heads that there are, of one token at a time") {
  CallArguments arguments;
  const auto model = small_model();
  const auto session = session_of(*model);
  const calls::Workspace& workspace = arguments.workspace;
  const auto record = [&](int kinds, List layers = {}, List heads = {}) {
    return session->record(workspace, {.kinds = kinds, .heads = heads, .rows = {}, .columns = {}},
                           layers);
  };
  const auto append = [&](const std::vector<std::int32_t>& ids) {
    return session->append(workspace, arguments.integers(ids), true, true);
  };
  CHECK(is_refused(append({1}), "invalid_argument: record: nothing …"));
  REQUIRE(session->append(workspace, arguments.integers({1, 2, 3}), true).ok());
  const double bytes = session->bytes();
  // Weights need nothing of the text that was not kept, but terms do.
  REQUIRE(record(kRecordWeights).ok());
  CHECK(session->length() == 3);
  REQUIRE(record(31).ok());
  CHECK(session->length() == 0);
  CHECK(session->bytes() > bytes);
  CHECK(session->record_count() == kLayers);
  REQUIRE(append({4}).ok());
  CHECK(append({4, 5}).code() == Code::kInvalidArgument);
  for (int i = 0; i < 600; ++i) REQUIRE(append({i % kVocabulary}).ok());
  const auto row = session->row(1);
  REQUIRE(row != nullptr);
  CHECK(row->heads() == kHeads);
  CHECK(row->rows() == 1);
  CHECK(row->columns() == 601);
  for (const int wrong : {-1, kLayers, INT32_MIN, INT32_MAX}) CHECK(session->row(wrong) == nullptr);
  const auto fork = session->fork();
  REQUIRE(fork.ok());
  CHECK(fork.value()->record_count() == 0);

  REQUIRE(record(1, arguments.integers({1}), arguments.integers({0, 3})).ok());
  CHECK(session->record_count() == 1);
  for (const std::vector<std::int32_t>& wrong : std::vector<std::vector<std::int32_t>>{
           {-1}, {7}, {1, 0}, {1, 1}, {0, 1, 2, 3, 4}, {INT32_MAX}, {INT32_MIN}}) {
    CHECK(record(1, arguments.integers(wrong)).code() == Code::kInvalidArgument);
    CHECK(session->record_count() == 0);
    CHECK(session->row(0) == nullptr);
    CHECK(append({1}).code() == Code::kInvalidArgument);
    CHECK(record(1, {}, arguments.integers(wrong)).code() == Code::kInvalidArgument);
  }
  refuses_wrong_lists(
      arguments, arguments.integers({0, 1}), [&](List list) { return record(1, list); }, 4,
      testing::Lengths::kAny);
  refuses_wrong_lists(
      arguments, arguments.integers({0, 1}), [&](List list) { return record(1, {}, list); }, 4,
      testing::Lengths::kAny);
  for (const int wrong : {kAllRecordKinds + 1, -1, INT32_MIN, INT32_MAX})
    CHECK(!record(wrong).ok());
  REQUIRE(record(0).ok());
  CHECK(session->record_count() == 0);
}

TEST_CASE("The cache of a latent layer is counted as wide as it is") {
  // Heads have 4 channels, but the cache 16386 floats for each token: slightly more than 2^32 for
  // 2^18 tokens.
  ModelConfig sizes = sizes_of(1);
  sizes.num_kv_heads = sizes.num_heads;
  const auto layout = layout_of(sizes, "mla", {{"kvLoraRank", {16384}}, {"ropeHeadDim", {2}}});
  const auto model = model_of(*layout);
  CHECK(session_of(*model)->reserve(1 << 18).code() == Code::kOutOfMemory);
}

TEST_CASE("Weights that are no numbers generate some token, or none, and nothing worse") {
  CallArguments arguments;
  for (const float spoilt : {std::nanf(""), INFINITY, -INFINITY, 3e38f}) {
    const auto model = small_model();
    float* values = model->transformer()->values();
    std::fill_n(values, model->transformer()->parameters().total(), spoilt);
    for (const double temperature : {0.0, 1.0})
      for (const double top_p : {0.5, 1.0})
        for (const double penalty : {1.0, 1.5})
          for (const int top_k : {0, 3}) {
            SamplingSettings settings;
            settings.temperature = temperature;
            settings.top_p = top_p;
            settings.min_p = 1 - top_p;
            settings.top_k = top_k;
            settings.repetition_penalty = penalty;
            const auto sampling = sampling_of(arguments, *model, settings);
            const auto session = session_of(*model);
            int id = 1;
            for (int i = 0; i < 3; ++i) {
              if (!session->append(arguments.workspace, arguments.integers({id}), true).ok()) break;
              const auto next = session->next(*sampling);
              CHECK((!next.ok() || (next.value().id >= 0 && next.value().id < kVocabulary)));
              if (next.ok()) id = next.value().id;
            }
          }
    CHECK(model
              ->run(arguments.workspace, {arguments.integers({1, 2, 3}), {}}, nullptr, {},
                    {.kinds = 31, .heads = {}, .rows = {}, .columns = {}})
              .ok());
  }
}

}  // namespace wf
