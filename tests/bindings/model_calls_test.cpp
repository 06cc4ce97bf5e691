#include "bindings/small_model.h"
#include "calls/model_surgery.h"

namespace wf {

using namespace testing;
using calls::ModelSurgery;

TEST_CASE("A model's layout refuses sizes that no model has") {
  const auto refuses = [](auto field, auto value) {
    ModelConfig sizes = sizes_of();
    sizes.*field = value;
    return ModelLayout::make(sizes).status().code() == Code::kInvalidArgument;
  };
  using S = ModelConfig;
  for (int S::* field : {&S::vocab_size, &S::width, &S::num_layers, &S::num_heads, &S::num_kv_heads,
                         &S::head_dim, &S::intermediate})
    for (const int wrong : {0, -1, INT32_MIN, INT32_MAX, 1 << 30, (1 << 20) + 1})
      CHECK(refuses(field, wrong));
  for (float S::* field : {&S::norm_epsilon, &S::initializer_range, &S::softcap, &S::final_softcap})
    for (const double wrong : testing::kWrongNumbers)
      CHECK(refuses(field, static_cast<float>(wrong)));
  CHECK(refuses(&S::num_kv_heads, 3));
  CHECK(refuses(&S::norm_epsilon, 0.0f));
  CHECK(refuses(&S::initializer_range, 0.0f));
}

TEST_CASE("An architecture of values that have no word, or of scales out of range, is refused") {
  using A = Architecture;
  const auto make = [](const A& architecture) {
    ModelConfig config = sizes_of();
    config.architecture = architecture;
    return ModelLayout::make(config).status();
  };
  CHECK(make({}).ok());
  const auto refuses = [&](auto field, auto value) {
    A architecture;
    architecture.*field = value;
    return make(architecture).code() == Code::kInvalidArgument;
  };
  const auto refuses_word = [&]<class Word>(Word A::* field) {
    return refuses(field, static_cast<Word>(kWordsOf<Word>.size())) &&
           refuses(field, static_cast<Word>(255));
  };
  CHECK(refuses_word(&A::norm));
  CHECK(refuses_word(&A::norm_place));
  CHECK(refuses_word(&A::residual));
  CHECK(refuses_word(&A::activation));
  CHECK(refuses_word(&A::head));
  for (int A::* field : {&A::token_types, &A::embedding_width, &A::cluster_divisor})
    for (const int wrong : {-1, 1 << 20, INT32_MIN, INT32_MAX}) CHECK(refuses(field, wrong));
  for (float A::* field :
       {&A::embedding_scale, &A::attention_scale, &A::residual_scale, &A::logit_scale})
    for (const double wrong : testing::kWrongNumbers)
      CHECK(refuses(field, static_cast<float>(wrong)));
  A wide;
  wide.embedding_width = 8;
  for (const int wrong : {-1, 0, INT32_MIN, INT32_MAX}) {
    wide.cluster_divisor = wrong;
    CHECK(make(wide).code() == Code::kInvalidArgument);
  }
  A biased;
  biased.head_bias = true;  // with a tied output head, as in BART
  CHECK(make(biased).ok());
}

TEST_CASE("Cutoffs of an adaptive softmax go up, within the vocabulary") {
  CallArguments arguments;
  auto made = ModelLayout::make(sizes_of());
  REQUIRE(made.ok());
  ModelLayout& layout = *made.value();
  const auto set = [&](List cutoffs) { return layout.set_cutoffs(arguments.workspace, cutoffs); };
  const List cutoffs = arguments.integers({2, 5});
  REQUIRE(set(cutoffs).ok());
  refuses_wrong_lists(arguments, cutoffs, set, 4, testing::Lengths::kAny);
  CHECK(layout.config().architecture.cluster_count == 2);
  for (const std::vector<std::int32_t>& wrong : std::vector<std::vector<std::int32_t>>{
           {0}, {-1}, {INT32_MAX}, {5, 5}, {5, 2}, {2, 5, INT32_MIN}})
    CHECK(set(arguments.integers(wrong)).code() == Code::kInvalidArgument);
  CHECK(set({}).code() == Code::kInvalidArgument);
  CHECK(set(arguments.integers(std::vector<std::int32_t>(kMaxClusters + 1, 1))).code() ==
        Code::kInvalidArgument);
  // A refused call must not change the layout.
  CHECK(layout.config().architecture.cutoffs[1] == 5);
  CHECK(layout.config().architecture.cluster_count == 2);
}

TEST_CASE("Layers are of kinds that were begun, one for each") {
  CallArguments arguments;
  const auto with = [](auto field, auto value) {
    LayerType layer_type;
    layer_type.*field = value;
    return layer_type;
  };
  auto made = ModelLayout::make(sizes_of());
  REQUIRE(made.ok());
  ModelLayout& layout = *made.value();
  const auto rope = testing::chosen_scheme("rope");
  CHECK(is_refused(layout.add_scheme(*rope), "invalid_argument: layers: 0 (…"));
  CHECK(!Model::make(layout, 0).ok());
  CHECK(!layout.set_layer_types(arguments.workspace, arguments.bytes({0, 0})).ok());
  for (const int wrong : {-1, INT32_MIN}) {
    CHECK(is_refused(layout.add_layer_type(with(&LayerType::sliding_window, wrong)),
                     "invalid_argument: slidingWindow: …"));
    CHECK(is_refused(layout.add_layer_type(with(&LayerType::chunk_size, wrong)),
                     "invalid_argument: chunkSize: …"));
  }
  for (const int wrong : {static_cast<int>(kWordsOf<QueryKeyNorm>.size()), 255})
    CHECK(is_refused(
        layout.add_layer_type(with(&LayerType::query_key_norm, static_cast<QueryKeyNorm>(wrong))),
        "invalid_argument: queryKeyNorm: …"));
  for (int i = 0; i < kMaxLayerTypes; ++i)
    CHECK(layout.add_layer_type(with(&LayerType::sliding_window, i)).ok());
  CHECK(is_refused(layout.add_layer_type({}), "invalid_argument: layers: more than …"));
  for (int i = 0; i < kMaxSchemes; ++i) CHECK(layout.add_scheme(*rope).ok());
  CHECK(is_refused(layout.add_scheme(*rope), "invalid_argument: scheme: more than …"));

  const auto set = [&](List kinds) { return layout.set_layer_types(arguments.workspace, kinds); };
  const List kinds = arguments.bytes({0, kMaxLayerTypes - 1});
  REQUIRE(set(kinds).ok());
  refuses_wrong_lists(arguments, kinds, set, 1);
  CHECK(!set({}).ok());
  CHECK(!set(arguments.bytes({0, kMaxLayerTypes})).ok());
  CHECK(!set(arguments.bytes({0, 255})).ok());
  // Layer types that no layer uses.
  CHECK(is_refused(Model::make(layout, 0), "invalid_argument: …"));
}

TEST_CASE("A model whose weights no memory holds is refused") {
  ModelConfig sizes = sizes_of(256);
  sizes.vocab_size = 1 << 20;
  sizes.width = 1 << 14;
  sizes.intermediate = 1 << 16;
  sizes.num_heads = 256;
  sizes.num_kv_heads = 256;
  sizes.head_dim = 1024;
  const testing::MemoryLimit limit(1 << 28);
  CHECK(is_refused(Model::make(*layout_of(sizes), 0), "out_of_memory: …"));
  sizes = sizes_of(1);
  sizes.vocab_size = 1 << 20;
  sizes.width = 1 << 12;  // 2^32 floats, which is 0 in 32 bits
  CHECK(is_refused(Model::make(*layout_of(sizes), 0), "out_of_memory: …"));
}

TEST_CASE("Models are made, reconfigured and copied for seeds that are whole numbers") {
  const auto layout = layout_of(sizes_of());
  const auto model = model_of(*layout);
  for (const double wrong : testing::kWrongNumbers) {
    CHECK(is_refused(Model::make(*layout, wrong), "invalid_argument: seed: …"));
    CHECK(is_refused(model->reconfigured(*layout, wrong), "invalid_argument: seed: …"));
  }
  CHECK(model->reconfigured(*layout_of(sizes_of(), "alibi"), 3).ok());
  // The weights come from a model with other layers.
  CHECK(model->reconfigured(*layout_of(sizes_of(3)), 3).status().code() != Code::kOk);
  CHECK(Model::copy_of(*model->transformer()).ok());
}

TEST_CASE("Options are told of kinds, schemes and options that a model has") {
  const auto model = small_model();
  CHECK(model->option(0, 0, 0).length == 1);
  for (const int wrong : {-1, 1, INT32_MIN, INT32_MAX}) {
    CHECK(model->option(wrong, 0, 0).length == 0);
    CHECK(model->option(0, wrong, 0).length == 0);
    if (wrong != 1) CHECK(model->option(0, 0, wrong).length == 0);
  }
}

TEST_CASE("A run reads ids of the vocabulary and as many positions") {
  CallArguments arguments;
  const auto model = small_model();
  const List ids = arguments.integers({1, 2, 3}), at = arguments.integers({4, 5, 9});
  const auto run = [&](List tokens, List positions, List layers = {}, int kinds = 0) {
    return model->run(arguments.workspace, {tokens, positions}, nullptr, layers,
                      {.kinds = kinds, .heads = {}, .rows = {}, .columns = {}});
  };
  REQUIRE(run(ids, at).ok());
  REQUIRE(run(ids, {}).ok());
  refuses_wrong_lists(
      arguments, ids, [&](List list) { return run(list, {}); }, 4, testing::Lengths::kAny);
  refuses_wrong_lists(
      arguments, at, [&](List list) { return run(ids, list); }, sizeof(std::int32_t));
  CHECK(run({}, {}).code() == Code::kInvalidArgument);
  CHECK(run({}, at).code() == Code::kInvalidArgument);
  for (const std::int32_t wrong : {-1, kVocabulary, INT32_MIN, INT32_MAX})
    CHECK(run(arguments.integers({0, wrong}), {}).code() == Code::kInvalidArgument);
  for (const std::int32_t wrong : {1 << 30, -(1 << 30), INT32_MIN, INT32_MAX})
    CHECK(run(ids, arguments.integers({0, 1, wrong})).code() == Code::kInvalidArgument);
  CHECK(run(ids, arguments.places(6)).code() == Code::kInvalidArgument);  // positions with two axes
  CHECK(run(ids, arguments.integers({-(1 << 30) + 1, 0, (1 << 30) - 1})).ok());

  // Layers whose records are requested.
  REQUIRE(run(ids, {}, {}, 31).ok());
  CHECK(model->record_count() == kLayers);
  REQUIRE(run(ids, {}, arguments.integers({1}), 1).ok());
  CHECK(model->record_count() == 1);
  for (const std::vector<std::int32_t>& wrong : std::vector<std::vector<std::int32_t>>{
           {-1}, {2}, {1, 0}, {1, 1}, {0, 1, 2}, {INT32_MAX}, {INT32_MIN}, {0, INT32_MAX}}) {
    CHECK(run(ids, {}, arguments.integers(wrong), 1).code() == Code::kInvalidArgument);
    CHECK(model->record_count() == 0);
    CHECK(model->take_record(0) == nullptr);
  }
  refuses_wrong_lists(
      arguments, arguments.integers({0, 1}), [&](List list) { return run(ids, {}, list, 1); }, 4,
      testing::Lengths::kAny);
  for (const int wrong : {kAllRecordKinds + 1, -1, INT32_MIN, INT32_MAX})
    CHECK(!run(ids, {}, {}, wrong).ok());
}

TEST_CASE("A run reads rows of floats in place of ids, and no ids beside them") {
  CallArguments arguments;
  const auto model = small_model();
  const List vectors = arguments.some_floats(3 * kWidth);
  const auto run = [&](List rows, List ids = {}, List positions = {}, int kinds = 0) {
    const calls::RecordRequest record{.kinds = kinds, .heads = {}, .rows = {}, .columns = {}};
    return model->run(arguments.workspace, {ids, positions, {}, rows}, nullptr, {}, record);
  };
  REQUIRE(run(vectors).ok());
  REQUIRE(run(vectors, {}, arguments.integers({4, 5, 9}), 31).ok());
  CHECK(model->record_count() == kLayers);
  refuses_wrong_lists(arguments, vectors, [&](List list) { return run(list); });
  CHECK(run(arguments.some_floats(3 * kWidth - 1)).code() == Code::kInvalidArgument);
  CHECK(run(vectors, arguments.integers({1, 2, 3})).code() == Code::kInvalidArgument);
  CHECK(run(vectors, {}, arguments.integers({1, 2})).code() == Code::kInvalidArgument);
  const List losses = arguments.room(2);
  CHECK(!model->loss(arguments.workspace, {{}, {}, {}, vectors}, nullptr, losses).ok());
  CHECK(!model
             ->loss(arguments.workspace, {arguments.integers({1, 2, 3}), {}, {}, vectors}, nullptr,
                    losses)
             .ok());
}

TEST_CASE("Padding is a byte for each token, and a position where token vectors have their own") {
  CallArguments arguments;
  const auto model = small_model("learned");
  const List ids = arguments.integers({1, 2, 3}), at = arguments.places(3);
  const List visible = arguments.bytes({0, 1, 255});
  const auto run = [&](List places, List seen) {
    return model->run(arguments.workspace, {ids, {}, {places, seen}}, nullptr, {}, {});
  };
  REQUIRE(run(at, visible).ok());
  refuses_wrong_lists(arguments, at, [&](List list) { return run(list, visible); });
  refuses_wrong_lists(arguments, visible, [&](List list) { return run(at, list); }, 1);
  for (const std::int32_t wrong : {-1, INT32_MIN, INT32_MAX})
    CHECK(!run(arguments.integers({0, 1, wrong}), {}).ok());
}

TEST_CASE("Records are taken once, from slots that there are") {
  CallArguments arguments;
  const auto model = small_model();
  CHECK(model->take_record(0) == nullptr);
  const auto run = [&](const std::vector<std::int32_t>& ids) {
    return model->run(arguments.workspace, {arguments.integers(ids), {}}, nullptr, {},
                      {.kinds = 1, .heads = {}, .rows = {}, .columns = {}});
  };
  REQUIRE(run({1, 2, 3}).ok());
  for (const int wrong : {-1, kLayers, INT32_MIN, INT32_MAX})
    CHECK(model->take_record(wrong) == nullptr);
  REQUIRE(model->take_record(1) != nullptr);
  CHECK(model->take_record(0)->floats(1) != 0);
  // A failed run leaves no records.
  CHECK(!run({1, 2, kVocabulary}).ok());
  CHECK(model->record_count() == 0);
  CHECK(model->take_record(0) == nullptr);
}

TEST_CASE("Logits and hidden states are read of the last run, whole, and of nothing else") {
  CallArguments arguments;
  const auto model = small_model();
  const List logits = arguments.room(3 * kVocabulary), hidden = arguments.room(3 * kWidth);
  const auto read_logits = [&](List list, List rows = {}) {
    return model->read_logits(arguments.workspace, rows, list);
  };
  const auto read_hidden = [&](List list, List rows = {}) {
    return model->read_hidden(arguments.workspace, rows, list);
  };
  const List ids = arguments.integers({1, 2, 3});
  const auto run = [&](List list) {
    return model->run(arguments.workspace, {list, {}}, nullptr, {}, {});
  };
  for (const List list : {logits, hidden, List{}, List{logits.address, -1}}) {
    CHECK(read_logits(list).code() == Code::kInvalidArgument);
    CHECK(read_hidden(list).code() == Code::kInvalidArgument);
  }
  REQUIRE(run(ids).ok());
  REQUIRE(read_logits(logits).ok());
  REQUIRE(read_hidden(hidden).ok());
  refuses_wrong_lists(arguments, logits, read_logits);
  refuses_wrong_lists(arguments, hidden, read_hidden);
  // Chosen rows.
  const List row = arguments.integers({2});
  const List one = arguments.room(kVocabulary), one_state = arguments.room(kWidth);
  REQUIRE(read_logits(one, row).ok());
  REQUIRE(read_hidden(one_state, row).ok());
  CHECK(read_logits(logits, row).code() == Code::kInvalidArgument);
  refuses_wrong_lists(
      arguments, row, [&](List rows) { return read_logits(one, rows); }, 4, testing::Lengths::kAny);
  for (const std::int32_t wrong : {-1, 3, INT32_MIN, INT32_MAX}) {
    CHECK(read_logits(one, arguments.integers({wrong})).code() == Code::kInvalidArgument);
    CHECK(read_hidden(one_state, arguments.integers({wrong})).code() == Code::kInvalidArgument);
  }
  CHECK(!run({}).ok());
  CHECK(read_logits(logits).code() == Code::kInvalidArgument);
  REQUIRE(run(ids).ok());
  REQUIRE(model->loss(arguments.workspace, {ids, {}}, nullptr, arguments.room(2)).ok());
  CHECK(read_hidden(hidden).code() == Code::kInvalidArgument);
}

TEST_CASE("A lens reads rows of the model's width, and writes as many logits as it has tokens") {
  CallArguments arguments;
  const auto model = small_model();
  const List stream = arguments.room(2 * kWidth), logits = arguments.room(2 * kVocabulary);
  const auto lens = [&](List rows, List out) {
    return model->lens(arguments.workspace, rows, out);
  };
  REQUIRE(lens(stream, logits).ok());
  refuses_wrong_lists(arguments, stream, [&](List list) { return lens(list, logits); });
  refuses_wrong_lists(arguments, logits, [&](List list) { return lens(stream, list); });
  CHECK(lens({}, logits).code() == Code::kInvalidArgument);
  CHECK(lens(arguments.floats(std::vector<float>(2 * kWidth, NAN)), logits).code() ==
        Code::kInvalidArgument);
}

TEST_CASE("States of a run are recorded in memory of their size") {
  CallArguments arguments;
  const auto model = small_model();
  const List ids = arguments.integers({1, 2, 3});
  const List stream = arguments.room((kLayers + 1) * 3 * kWidth);
  const List outputs = arguments.room(kLayers * kHeads * 3 * kChannels);
  const auto run = [&](const calls::StateRequest& states, List rows = {}, List layers = {},
                       List heads = {}) {
    return model->run(arguments.workspace, {ids, {}}, nullptr, layers,
                      {.kinds = 0, .heads = heads, .rows = rows, .columns = {}}, {}, states);
  };
  REQUIRE(run({stream, outputs}).ok());
  refuses_wrong_lists(arguments, stream, [&](List list) { return run({list, {}}); });
  refuses_wrong_lists(arguments, outputs, [&](List list) { return run({{}, list}); });
  const List row = arguments.integers({2}), head = arguments.integers({1, 3});
  REQUIRE(run({arguments.room((kLayers + 1) * kWidth), {}}, row).ok());
  REQUIRE(run({{}, arguments.room(2 * kChannels)}, row, arguments.integers({1}), head).ok());
  CHECK(run({stream, {}}, row).code() == Code::kInvalidArgument);
  // Lists that the run reads, and writes to.
  CHECK(run({List{row.address, 1}, {}}, row).code() == Code::kInvalidArgument);
  for (const std::vector<std::int32_t>& wrong :
       std::vector<std::vector<std::int32_t>>{{-1}, {7}, {INT32_MAX}, {INT32_MIN}, {1, 1}, {1, 0}})
    for (int which = 0; which < 3; ++which) {
      const List list = arguments.integers(wrong);
      CHECK(run({{}, outputs}, which == 0 ? list : List{}, which == 1 ? list : List{},
                which == 2 ? list : List{})
                .code() == Code::kInvalidArgument);
    }
  for (const int wrong : {-1, kLayers, INT32_MIN, INT32_MAX}) CHECK(model->head_width(wrong) == 0);
  CHECK(model->head_width(1) == kChannels);
}

TEST_CASE("Replaced outputs of heads, and patches, are those of the model that runs") {
  CallArguments arguments;
  const calls::Workspace& workspace = arguments.workspace;
  const auto model = small_model();
  const Transformer& transformer = *model->transformer();
  for (const int wrong : {-1, INT32_MIN, INT32_MAX})
    CHECK(is_refused(ModelSurgery::make(kLayers, wrong), "invalid_argument: patches: …"));
  auto made = ModelSurgery::make(kLayers, 64);
  REQUIRE(made.ok());
  ModelSurgery& surgery = *made.value();
  const List heads = arguments.bytes(std::vector<std::uint8_t>(kLayers * kHeads, 2));
  const auto set = [&](List list) { return surgery.set_heads(workspace, transformer, list); };
  refuses_wrong_lists(arguments, heads, set, 1);
  CHECK(!set({}).ok());
  for (const std::uint8_t wrong : {3, 128, 255})
    CHECK(!set(arguments.bytes(std::vector<std::uint8_t>(kLayers * kHeads, wrong))).ok());
  REQUIRE(set(heads).ok());

  const List rows = arguments.integers({0, 2}), stream = arguments.room(2 * kWidth);
  const List output = arguments.room(2 * kChannels);
  const auto add = [&](int layer, int head, List at, List values) {
    return surgery.add_patch(workspace, transformer, layer, head, at, values);
  };
  for (const int wrong : {-2, kLayers, INT32_MIN, INT32_MAX})
    CHECK(is_refused(add(wrong, -1, rows, stream), "invalid_argument: patch.layer: …"));
  for (const int wrong : {-2, kHeads, INT32_MIN, INT32_MAX})
    CHECK(is_refused(add(0, wrong, rows, output), "invalid_argument: patch.head: …"));
  CHECK(is_refused(add(-1, 0, rows, output), "invalid_argument: patch.layer: …"));
  refuses_wrong_lists(
      arguments, rows, [&](List list) { return add(0, -1, list, stream); }, 4,
      testing::Lengths::kAny);
  refuses_wrong_lists(arguments, output, [&](List list) { return add(1, 3, rows, list); });
  CHECK(!add(0, -1, {}, {}).ok());
  for (const std::vector<std::int32_t>& wrong :
       std::vector<std::vector<std::int32_t>>{{-1, 2}, {2, 0}, {1, 1}, {INT32_MIN, 0}})
    CHECK(!add(0, -1, arguments.integers(wrong), stream).ok());
  CHECK(!add(0, -1, rows, arguments.floats(std::vector<float>(2 * kWidth, NAN))).ok());
  REQUIRE(add(-1, -1, rows, stream).ok());
  REQUIRE(add(1, 3, rows, output).ok());

  const List out = arguments.room(2);
  const auto run = [&](Model& other, const std::vector<std::int32_t>& ids) {
    return other.run(workspace, {arguments.integers(ids), {}}, &surgery, {}, {}).code();
  };
  CHECK(run(*model, {1, 2, 3}) == Code::kOk);
  CHECK(model->loss(workspace, {arguments.integers({1, 2, 3, 4}), {}}, &surgery, arguments.room(3))
            .ok());
  CHECK(run(*model, {1, 2}) == Code::kInvalidArgument);  // row 2 of two tokens
  CHECK(!model->loss(workspace, {arguments.integers({1, 2, 3}), {}}, &surgery, out).ok());
  ModelConfig other = sizes_of();
  other.width = 8;
  CHECK(run(*model_of(*layout_of(other)), {1, 2, 3}) == Code::kInvalidArgument);
  other = sizes_of();
  other.num_heads = other.num_kv_heads = 8;
  CHECK(run(*model_of(*layout_of(other)), {1, 2, 3}) == Code::kInvalidArgument);
  // A patch of all tokens fits texts of this length only.
  auto whole = ModelSurgery::make(kLayers, 1);
  REQUIRE(whole.value()->add_patch(workspace, transformer, 0, -1, {}, stream).ok());
  CHECK(!whole.value()->add_patch(workspace, transformer, 0, -1, {}, stream).ok());
  const auto read = [&](const std::vector<std::int32_t>& ids) {
    return model->run(workspace, {arguments.integers(ids), {}}, whole.value().get(), {}, {}).code();
  };
  CHECK(read({1, 2}) == Code::kOk);
  CHECK(read({1, 2, 3}) == Code::kInvalidArgument);
}

TEST_CASE("A loss has a number for each token that is predicted") {
  CallArguments arguments;
  const auto model = small_model();
  const List ids = arguments.integers({1, 2, 3, 4}), at = arguments.places(3);
  const List out = arguments.room(3);
  const auto loss = [&](List tokens, List positions, List list) {
    return model->loss(arguments.workspace, {tokens, positions}, nullptr, list).status();
  };
  REQUIRE(loss(ids, at, out).ok());
  refuses_wrong_lists(arguments, ids, [&](List list) { return loss(list, at, out); });
  refuses_wrong_lists(arguments, at, [&](List list) { return loss(ids, list, out); });
  refuses_wrong_lists(arguments, out, [&](List list) { return loss(ids, at, list); });
  CHECK(is_refused(loss({}, {}, out), "invalid_argument: ids: 0 token ids …"));
  CHECK(is_refused(loss(arguments.integers({1}), {}, out), "invalid_argument: ids: 1 token ids …"));
  CHECK(loss(ids, at, {ids.address, 3}).code() == Code::kInvalidArgument);
  for (const std::int32_t wrong : {-1, kVocabulary, INT32_MIN, INT32_MAX}) {
    CHECK(!loss(arguments.integers({0, 1, 2, wrong}), {}, out).ok());
    CHECK(!loss(arguments.integers({wrong, 1, 2, 3}), {}, out).ok());
  }
}

TEST_CASE("Ablations are those of the model that runs, and bytes that name one") {
  CallArguments arguments;
  const calls::Workspace& workspace = arguments.workspace;
  const auto model = small_model();
  for (const int wrong : {0, -1, kMaxLayers + 1, INT32_MIN, INT32_MAX})
    CHECK(is_refused(ModelSurgery::make(wrong), "invalid_argument: layers: …"));
  auto made = ModelSurgery::make(kLayers);
  REQUIRE(made.ok());
  ModelSurgery& surgery = *made.value();
  const int length = kHeads * (kMaxTerms + kChannels / 2);
  const List bytes = arguments.bytes(std::vector<std::uint8_t>(length, 1));
  const auto set = [&](int layer, List list) {
    return surgery.set_layer(workspace, *model->transformer(), layer, list);
  };
  for (const int wrong : {-1, kLayers, INT32_MIN, INT32_MAX})
    CHECK(is_refused(set(wrong, bytes), "invalid_argument: layer: …"));
  refuses_wrong_lists(arguments, bytes, [&](List list) { return set(0, list); }, 1);
  CHECK(!set(0, {}).ok());
  for (const std::uint8_t wrong : {3, 128, 255}) {
    std::vector<std::uint8_t> list(length, 0);
    list[length - 1] = wrong;
    CHECK(is_refused(set(0, arguments.bytes(list)), "invalid_argument: ablation: …"));
  }

  const List ids = arguments.integers({1, 2, 3}), out = arguments.room(2);
  const auto run = [&](Model& other) {
    const Status status = other.run(workspace, {ids, {}}, &surgery, {}, {});
    CHECK(other.loss(workspace, {ids, {}}, &surgery, out).status().code() == status.code());
    return status;
  };
  REQUIRE(set(0, bytes).ok());
  REQUIRE(run(*model).ok());
  // Models with more or fewer layers, more heads, or wider heads.
  const auto refuses = [&](const ModelConfig& sizes) {
    const auto other = model_of(*layout_of(sizes));
    const Status status = run(*other);
    CHECK(!surgery.set_layer(workspace, *other->transformer(), 0, bytes).ok());
    return status.code() == Code::kInvalidArgument;
  };
  CHECK(refuses(sizes_of(1)));
  CHECK(refuses(sizes_of(3)));
  ModelConfig other = sizes_of();
  other.num_heads = other.num_kv_heads = 8;
  CHECK(refuses(other));
  other = sizes_of();
  other.head_dim = 8;
  CHECK(refuses(other));
  // A pair of channels that the scheme does not rotate.
  auto alibi = small_model("alibi");
  auto own = ModelSurgery::make(kLayers);
  CHECK(!own.value()->set_layer(workspace, *alibi->transformer(), 0, bytes).ok());
}

}  // namespace wf
