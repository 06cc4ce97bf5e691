#include "calls/model.h"

#include "bindings/block.h"
#include "calls/generation.h"
#include "calls/picture_positions.h"
#include "calls/training.h"
#include "training/tasks/registry.h"

namespace wf::calls {
namespace {

using namespace testing;

constexpr ModelSizes kSizes = {.vocab_size = 5,
                               .hidden_size = 8,
                               .num_layers = 2,
                               .num_heads = 2,
                               .num_kv_heads = 1,
                               .head_dim = 4,
                               .intermediate_size = 16,
                               .norm_epsilon = 1e-5,
                               .is_causal = true,
                               .initializer_range = 0.02,
                               .softcap = 0,
                               .final_softcap = 0,
                               .sinks = false};

std::unique_ptr<ChosenScheme> rope() {
  const auto entries = scheme_entries();
  for (int i = 0; i < static_cast<int>(entries.size()); ++i)
    if (!std::strcmp(entries[i]->description->id, "rope")) {
      auto chosen = ChosenScheme::make(i);
      REQUIRE(chosen.ok());
      return chosen.take();
    }
  return nullptr;
}

std::unique_ptr<ModelLayout> layout_in(Block& block) {
  auto layout = ModelLayout::make(kSizes);
  REQUIRE_MESSAGE(layout.ok(), layout.status().message());
  REQUIRE(layout.value()->add_stack(0, 0, 0).ok());
  REQUIRE(layout.value()->add_scheme(*rope()).ok());
  REQUIRE(layout.value()
              ->set_stack_of(block.workspace, block.put(std::vector<std::uint8_t>{0, 0}))
              .ok());
  return layout.take();
}

std::unique_ptr<Model> model_in(Block& block) {
  auto model = Model::make(*layout_in(block), 1);
  REQUIRE_MESSAGE(model.ok(), model.status().message());
  return model.take();
}

const RecordRequest kNothing = {};

TEST_CASE("bindings: sizes of a model that are none") {
  const auto refused = [](auto change) {
    ModelSizes sizes = kSizes;
    change(sizes);
    CHECK_FALSE(ModelLayout::make(sizes).ok());
  };
  for (const int bad : {0, -1, kMostInt, kLeastInt}) {
    refused([=](auto& sizes) { sizes.vocab_size = bad; });
    refused([=](auto& sizes) { sizes.hidden_size = bad; });
    refused([=](auto& sizes) { sizes.num_layers = bad; });
    refused([=](auto& sizes) { sizes.num_heads = bad; });
    refused([=](auto& sizes) { sizes.num_kv_heads = bad; });
    refused([=](auto& sizes) { sizes.head_dim = bad; });
    refused([=](auto& sizes) { sizes.intermediate_size = bad; });
  }
  for (const double bad : {-1.0, double{kNan}, double{kInfinity}, 1e300}) {
    refused([=](auto& sizes) { sizes.norm_epsilon = bad; });
    refused([=](auto& sizes) { sizes.initializer_range = bad; });
    refused([=](auto& sizes) { sizes.softcap = bad; });
    refused([=](auto& sizes) { sizes.final_softcap = bad; });
  }
}

TEST_CASE("bindings: layers of kinds that there are not") {
  Block block;
  auto made = ModelLayout::make(kSizes);
  REQUIRE(made.ok());
  ModelLayout& layout = *made.value();
  CHECK_FALSE(layout.add_scheme(*rope()).ok());  // to no kind yet
  CHECK_FALSE(Model::make(layout, 0).ok());
  for (const int bad : {-1, kLeastInt}) {
    CHECK_FALSE(layout.add_stack(bad, 0, 0).ok());
    CHECK_FALSE(layout.add_stack(0, bad, 0).ok());
    CHECK_FALSE(layout.add_stack(0, 0, bad).ok());
  }
  CHECK_FALSE(layout.add_stack(0, 0, 3).ok());
  for (int i = 0; i < kMostStacks; ++i) REQUIRE(layout.add_stack(kMostInt, kMostInt, 0).ok());
  check_refused(layout.add_stack(0, 0, 0), "layers");
  for (int i = 0; i < kMostStackedSchemes; ++i) REQUIRE(layout.add_scheme(*rope()).ok());
  check_refused(layout.add_scheme(*rope()), "scheme");
  const auto kinds = [&](std::vector<std::uint8_t> list) {
    return layout.set_stack_of(block.workspace, block.put(list)).ok();
  };
  CHECK_FALSE(kinds({0}));
  CHECK_FALSE(kinds({0, kMostStacks}));
  CHECK_FALSE(kinds({0, 255}));
  CHECK_FALSE(layout.set_stack_of(block.workspace, {}).ok());
  CHECK_FALSE(layout.set_stack_of(block.workspace, {1, 2}).ok());
  CHECK(kinds({0, 7}));
  CHECK_FALSE(Model::make(layout, -1).ok());
  CHECK_FALSE(Model::make(layout, kNan).ok());
}

TEST_CASE("bindings: a model runs over ids that it knows, and leaves what it was asked for") {
  Block block;
  const auto model = model_in(block);
  block.clear();
  const List ids = block.put(std::vector<std::int32_t>{0, 4, 2});
  const List logits = block.room(15), hidden = block.room(24);
  CHECK_FALSE(model->read_logits(block.workspace, logits).ok());  // before any run
  CHECK_FALSE(model->read_hidden(block.workspace, hidden).ok());
  REQUIRE(model->run(block.workspace, {ids, {}}, nullptr, {}, kNothing).ok());
  CHECK(model->read_logits(block.workspace, logits).ok());
  CHECK(model->read_hidden(block.workspace, hidden).ok());
  CHECK_FALSE(model->read_logits(block.workspace, hidden).ok());
  CHECK_FALSE(model->read_hidden(block.workspace, {hidden.address, 23}).ok());
  CHECK(model->record_count() == 0);
  CHECK(model->take_record(0) == nullptr);
  for (const List list : hostile_lists(block.workspace)) {
    CHECK_FALSE(model->read_logits(block.workspace, list).ok());
    CHECK_FALSE(model->run(block.workspace, {list, {}}, nullptr, {}, kNothing).ok());
    CHECK_FALSE(model->run(block.workspace, {ids, list}, nullptr, {}, kNothing).ok());
    CHECK_FALSE(model->run(block.workspace, {ids, {}}, nullptr, list, kNothing).ok());
    CHECK_FALSE(model->loss(block.workspace, {ids, {}}, nullptr, list).ok());
    CHECK_FALSE(model->load(block.workspace, {list.address, kMostInt}).ok());
  }
  // What a refused run leaves cannot be read as if it were of one.
  CHECK_FALSE(model->read_logits(block.workspace, logits).ok());
  for (const std::int32_t bad : {-1, 5, kMostInt, kLeastInt}) {
    const List wrong = block.put(std::vector<std::int32_t>{0, bad, 2});
    CHECK_FALSE(model->run(block.workspace, {wrong, {}}, nullptr, {}, kNothing).ok());
    CHECK_FALSE(model->loss(block.workspace, {wrong, {}}, nullptr, block.room(2)).ok());
  }
  CHECK_FALSE(model->run(block.workspace, {}, nullptr, {}, kNothing).ok());
  CHECK_FALSE(model->loss(block.workspace, {{ids.address, 1}, {}}, nullptr, {}).ok());
  CHECK(model->loss(block.workspace, {ids, {}}, nullptr, block.room(2)).ok());
}

TEST_CASE("bindings: records of layers that there are not, and twice the same") {
  Block block;
  const auto model = model_in(block);
  block.clear();
  const List ids = block.put(std::vector<std::int32_t>{0, 4, 2});
  const RecordRequest record = {.kinds = kRecordWeights, .heads = {}, .rows = {}, .columns = {}};
  const auto runs = [&](std::vector<std::int32_t> layers) {
    return model->run(block.workspace, {ids, {}}, nullptr, block.put(layers), record).ok();
  };
  CHECK_FALSE(runs({2}));
  CHECK_FALSE(runs({-1}));
  CHECK_FALSE(runs({kMostInt}));
  CHECK_FALSE(runs({0, 0}));
  CHECK_FALSE(runs({1, 0}));
  CHECK_FALSE(runs({0, 1, 1}));
  CHECK(model->record_count() == 0);
  REQUIRE(runs({1}));
  CHECK(model->record_count() == 1);
  for (const int slot : {-1, 1, kMostInt, kLeastInt}) CHECK(model->take_record(slot) == nullptr);
  REQUIRE(model->take_record(0));
}

TEST_CASE("bindings: options of stacks and schemes out of range are none") {
  Block block;
  const auto model = model_in(block);
  CHECK(model->option(0, 0, 0).length == 1);
  for (const int bad : {-1, 1, kMostInt, kLeastInt}) {
    CHECK(model->option(bad, 0, 0).length == 0);
    CHECK(model->option(0, bad, 0).length == 0);
    CHECK(model->option(0, 0, bad == 1 ? 999 : bad).length == 0);
  }
}

TEST_CASE("bindings: cuts of other sizes, other kinds and other layers") {
  Block block;
  const auto model = model_in(block);
  block.clear();
  const Transformer& transformer = *model->transformer();
  const List ids = block.put(std::vector<std::int32_t>{0, 4, 2});
  const int size = 2 * (kMostTerms + 2);
  for (const int bad : {0, -1, kMostInt, kLeastInt}) CHECK_FALSE(Cuts::make(bad).ok());
  const auto cuts = Cuts::make(2), three = Cuts::make(3);
  REQUIRE(cuts.ok());
  std::vector<std::uint8_t> numbers(static_cast<std::size_t>(size), 0);
  numbers[0] = 1;
  const List good = block.put(numbers);
  const auto set = [&](Cuts& of, int layer, List list) {
    return of.set_layer(block.workspace, transformer, layer, list).ok();
  };
  CHECK(set(*cuts.value(), 1, good));
  for (const int bad : {-1, 2, kMostInt, kLeastInt}) CHECK_FALSE(set(*cuts.value(), bad, good));
  CHECK_FALSE(set(*cuts.value(), 0, {good.address, size - 1}));
  CHECK_FALSE(set(*cuts.value(), 0, {}));
  CHECK_FALSE(set(*three.value(), 0, good));
  numbers[1] = 3;
  CHECK_FALSE(set(*cuts.value(), 0, block.put(numbers)));
  CHECK(model->run(block.workspace, {ids, {}}, cuts.value().get(), {}, kNothing).ok());
  // Cuts of another model's layers.
  CHECK_FALSE(model->run(block.workspace, {ids, {}}, three.value().get(), {}, kNothing).ok());
  CHECK_FALSE(model->loss(block.workspace, {ids, {}}, three.value().get(), block.room(2)).ok());
}

TEST_CASE("bindings: a generation of wrong settings, and one past its end") {
  Block block;
  const auto model = model_in(block);
  block.clear();
  const List prompt = block.put(std::vector<std::int32_t>{0, 4});
  const GenerationSettings good = {
      .max_tokens = 2, .temperature = 1, .top_k = 0, .top_p = 1, .seed = 0};
  const auto refused = [&](auto change, List ids) {
    GenerationSettings settings = good;
    change(settings);
    CHECK_FALSE(Generation::make(block.workspace, *model, ids, settings).ok());
  };
  for (const int bad : {0, -1, kMostInt, kLeastInt})
    refused([=](auto& settings) { settings.max_tokens = bad; }, prompt);
  for (const double bad : {-1.0, double{kNan}, double{kInfinity}}) {
    refused([=](auto& settings) { settings.temperature = bad; }, prompt);
    refused([=](auto& settings) { settings.top_p = bad; }, prompt);
    refused([=](auto& settings) { settings.seed = bad; }, prompt);
  }
  refused([](auto& settings) { settings.top_k = -1; }, prompt);
  refused([](auto& settings) { settings.top_p = 0; }, prompt);
  refused([](auto&) {}, {});
  for (const List list : hostile_lists(block.workspace)) refused([](auto&) {}, list);
  const auto made = Generation::make(block.workspace, *model, prompt, good);
  REQUIRE(made.ok());
  CHECK(made.value()->next().ok());
  CHECK(made.value()->next().ok());
  CHECK(made.value()->next().ok());  // the last token's own place
  CHECK_FALSE(made.value()->next().ok());
  const auto unknown = Generation::make(block.workspace, *model,
                                        block.put(std::vector<std::int32_t>{0, 5}), good);
  REQUIRE(unknown.ok());
  CHECK_FALSE(unknown.value()->next().ok());
}

TEST_CASE("bindings: a training of wrong settings, tasks, ids and states") {
  Block block;
  const auto layout = layout_in(block);
  block.clear();
  int task = -1;
  const auto tasks = task_entries();
  for (int i = 0; i < static_cast<int>(tasks.size()); ++i)
    if (!std::strcmp(tasks[i]->id, "language_model")) task = i;
  const List ids = block.put(std::vector<std::int32_t>(64, 3));
  const TrainingSettings good = {.task = task,
                                 .model_seed = 0,
                                 .seed = 0,
                                 .batch_size = 2,
                                 .length = 8,
                                 .learning_rate = 1e-3,
                                 .warmup_steps = 1,
                                 .total_steps = 4,
                                 .weight_decay = 0.1,
                                 .clip_norm = 1};
  const auto refused = [&](auto change, List list) {
    TrainingSettings settings = good;
    change(settings);
    CHECK_FALSE(Training::make(block.workspace, *layout, settings, list).ok());
  };
  for (const int bad : {-1, kMostInt, kLeastInt}) {
    refused([=](auto& settings) { settings.task = bad; }, ids);
    refused([=](auto& settings) { settings.batch_size = bad; }, ids);
    refused([=](auto& settings) { settings.length = bad; }, ids);
    refused([=](auto& settings) { settings.warmup_steps = bad; }, ids);
    if (bad < 0) refused([=](auto& settings) { settings.total_steps = bad; }, ids);
  }
  for (const double bad : {-1.0, double{kNan}, double{kInfinity}}) {
    refused([=](auto& settings) { settings.learning_rate = bad; }, ids);
    refused([=](auto& settings) { settings.weight_decay = bad; }, ids);
    refused([=](auto& settings) { settings.clip_norm = bad; }, ids);
    refused([=](auto& settings) { settings.seed = bad; }, ids);
    refused([=](auto& settings) { settings.model_seed = bad; }, ids);
  }
  refused([](auto&) {}, {});
  refused([](auto&) {}, block.put(std::vector<std::int32_t>(64, 5)));
  refused([](auto&) {}, block.put(std::vector<std::int32_t>(64, -1)));
  for (const List list : hostile_lists(block.workspace)) refused([](auto&) {}, list);

  const auto made = Training::make(block.workspace, *layout, good, ids);
  REQUIRE_MESSAGE(made.ok(), made.status().message());
  Training& training = *made.value();
  REQUIRE(training.step().ok());
  CHECK(training.steps_done() == 1);
  CHECK(training.memory_bytes() > 0);
  for (const int bad : {0, -1, kMostInt, kLeastInt}) {
    CHECK_FALSE(training.evaluate(bad, 1, 0).ok());
    CHECK_FALSE(training.evaluate(8, bad, 0).ok());
  }
  CHECK_FALSE(training.evaluate(8, 1, kNan).ok());
  const auto saved = training.save();
  REQUIRE(saved.ok());
  const List state = saved.value()->list();
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(state.address);
  const List copied = block.put(std::vector<std::uint8_t>(bytes, bytes + state.length));
  CHECK(training.restore(block.workspace, copied).ok());
  CHECK_FALSE(training.restore(block.workspace, {copied.address, copied.length - 1}).ok());
  CHECK_FALSE(training.restore(block.workspace, state).ok());  // no array of the block
  CHECK_FALSE(training.restore(block.workspace, {}).ok());
  CHECK(training.copy_model().ok());
}

TEST_CASE("bindings: pictures that lie in no text") {
  Block block;
  const List out = block.room(3 * 6);
  const auto places = [&](std::vector<double> blocks, int tokens, List result) {
    const List list = block.put(blocks);
    return positions_with_pictures(block.workspace, tokens, true, list, result).ok();
  };
  CHECK(places({1, 1, 2, 2, 1}, 6, out));
  CHECK(places({}, 6, out));
  CHECK_FALSE(places({1, 1, 2, 2}, 6, out));
  CHECK_FALSE(places({1, 1, 2, 3, 1}, 6, out));
  for (const double bad : {-1.0, double{kNan}, double{kInfinity}, 1e300, 2147483647.0}) {
    for (std::size_t i = 0; i < 4; ++i) {
      std::vector<double> numbers = {1, 1, 2, 2, 1};
      numbers[i] = bad;
      CHECK_FALSE(places(numbers, 6, out));
    }
  }
  CHECK_FALSE(places({1, 1, 2, 2, double{kNan}}, 6, out));
  CHECK_FALSE(places({1, 2, 1, 2, 1e300}, 6, out));
  for (const int bad : {0, -1, 5, kMostInt, kLeastInt}) CHECK_FALSE(places({}, bad, out));
  for (const List list : hostile_lists(block.workspace))
    CHECK_FALSE(places({1, 1, 2, 2, 1}, 6, list));
}

}  // namespace
}  // namespace wf::calls
