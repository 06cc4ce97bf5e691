// The native trainer and scorer of the small models; `scripts/train.mjs` drives it.
//
//   trainer train --scheme rope <sizes> --stream file:weight… --state file --weights file …
//   trainer score --scheme rope <sizes> --weights file --text name:file…
//
// Every line on standard output is one JSON object. Progress of "train" is kept in the state file,
// from which an interrupted run goes on.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "model/checkpoint.h"
#include "training/tasks/registry.h"
#include "training/trainer.h"

namespace {

using wf::Result;
using wf::Status;

// Threads that wait for work. Which thread takes which index is left to chance; nothing that is
// computed depends on it.
class Threads final : public wf::Executor {
 public:
  explicit Threads(int count) {
    for (int i = 1; i < count; ++i) workers_.emplace_back([this] { serve(); });
  }
  ~Threads() override {
    {
      const std::lock_guard lock(mutex_);
      stops_ = true;
    }
    wakes_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  void run(int count, void (*task)(void*, int), void* context) override {
    std::unique_lock lock(mutex_);
    task_ = task;
    context_ = context;
    count_ = count;
    next_ = 0;
    busy_ = static_cast<int>(workers_.size());
    ++round_;
    wakes_.notify_all();
    lock.unlock();
    take_all();
    lock.lock();
    done_.wait(lock, [this] { return busy_ == 0; });
  }

 private:
  void take_all() {
    for (int index; (index = next_.fetch_add(1)) < count_;) task_(context_, index);
  }
  void serve() {
    std::unique_lock lock(mutex_);
    for (int seen = 0;;) {
      wakes_.wait(lock, [&] { return stops_ || round_ != seen; });
      if (stops_) return;
      seen = round_;
      lock.unlock();
      take_all();
      lock.lock();
      if (--busy_ == 0) done_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable wakes_, done_;
  std::vector<std::thread> workers_;
  void (*task_)(void*, int) = nullptr;
  void* context_ = nullptr;
  int count_ = 0, busy_ = 0, round_ = 0;
  bool stops_ = false;
  std::atomic<int> next_{0};
};

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "trainer: %s\n", why.c_str());
  std::exit(1);
}

void require(const Status& status) {
  if (!status.ok()) fail(status.message());
}

template <class T>
T require(Result<T> result) {
  require(result.status());
  return result.take();
}

// --name value pairs, in order; a name may repeat.
class Arguments {
 public:
  Arguments(int count, char** words) {
    for (int i = 2; i < count; i += 2) {
      if (std::strncmp(words[i], "--", 2) != 0 || i + 1 == count)
        fail(std::string("expected --name value, found ") + words[i]);
      pairs_.push_back({words[i] + 2, words[i + 1], false});
    }
  }
  std::vector<std::string> all(const char* name) {
    std::vector<std::string> values;
    for (Pair& pair : pairs_) {
      if (pair.name != name) continue;
      pair.used = true;
      values.push_back(pair.value);
    }
    return values;
  }
  std::string text(const char* name) {
    const std::vector<std::string> values = all(name);
    if (values.size() != 1) fail(std::string("--") + name + " is needed once");
    return values[0];
  }
  double number(const char* name) {
    const std::string value = text(name);
    char* end = nullptr;
    const double parsed = std::strtod(value.c_str(), &end);
    if (value.empty() || *end) fail(std::string("--") + name + " is " + value + ", no number");
    return parsed;
  }
  int integer(const char* name) { return static_cast<int>(number(name)); }
  void finish() const {
    for (const Pair& pair : pairs_)
      if (!pair.used) fail("unknown option --" + pair.name);
  }

 private:
  struct Pair {
    std::string name, value;
    bool used;
  };
  std::vector<Pair> pairs_;
};

bool read_file(const std::string& path, std::vector<std::uint8_t>& bytes) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (!file) return false;
  bytes.clear();
  std::uint8_t block[65536];
  for (std::size_t n; (n = std::fread(block, 1, sizeof(block), file)) > 0;)
    bytes.insert(bytes.end(), block, block + n);
  std::fclose(file);
  return true;
}

// Beside the target first, then renamed: an interrupted write leaves the old file.
void write_file(const std::string& path, const wf::Buffer<std::uint8_t>& bytes) {
  const std::string draft = path + ".part";
  std::FILE* file = std::fopen(draft.c_str(), "wb");
  const bool written = file && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  if (!file || std::fclose(file) != 0 || !written) fail("cannot write " + draft);
  if (std::rename(draft.c_str(), path.c_str()) != 0) fail("cannot write " + path);
}

// Raw little-endian 16-bit ids.
std::vector<std::int32_t> read_ids(const std::string& path) {
  std::vector<std::uint8_t> bytes;
  if (!read_file(path, bytes)) fail("cannot read " + path);
  std::vector<std::int32_t> ids(bytes.size() / 2);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = bytes[2 * i] | bytes[2 * i + 1] << 8;
  return ids;
}

// "left:right" at the last colon.
std::pair<std::string, std::string> halves(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) fail("no colon in " + text);
  return {text.substr(0, colon), text.substr(colon + 1)};
}

wf::ModelConfig config_from(Arguments& arguments) {
  wf::ModelConfig config;
  config.vocab_size = arguments.integer("vocab-size");
  config.width = arguments.integer("hidden-size");
  config.num_layers = arguments.integer("layers");
  config.num_heads = arguments.integer("heads");
  config.num_kv_heads = arguments.integer("kv-heads");
  config.head_dim = arguments.integer("head-dim");
  config.intermediate = arguments.integer("intermediate-size");
  config.norm_epsilon = static_cast<float>(arguments.number("norm-epsilon"));
  wf::SchemeChoice& choice = config.stacks[0].schemes[config.stacks[0].scheme_count++];
  choice.entry = require(wf::find_scheme(arguments.text("scheme").c_str()));
  choice.options = wf::default_options(*choice.entry->description);
  for (const std::string& option : arguments.all("scheme-option")) {
    const auto [key, value] = halves(option);
    require(wf::set_option(*choice.entry->description, choice.options, key.c_str(),
                           std::atof(value.c_str()), value.c_str()));
  }
  return config;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

wf::TrainerConfig trainer_config_from(Arguments& arguments) {
  wf::TrainerConfig config;
  config.batch = arguments.integer("batch");
  config.length = arguments.integer("length");
  config.slices = arguments.integer("slices");
  config.schedule.peak = static_cast<float>(arguments.number("peak-rate"));
  config.schedule.floor = static_cast<float>(arguments.number("floor-rate"));
  config.schedule.warmup_steps = arguments.integer("warmup-steps");
  config.schedule.total_steps = arguments.integer("steps");
  config.beta1 = static_cast<float>(arguments.number("beta1"));
  config.beta2 = static_cast<float>(arguments.number("beta2"));
  config.weight_decay = static_cast<float>(arguments.number("weight-decay"));
  config.clip = static_cast<float>(arguments.number("clip"));
  config.seed = static_cast<std::uint64_t>(arguments.number("seed"));
  return config;
}

int train(Arguments& arguments) {
  const wf::ModelConfig model_config = config_from(arguments);
  const wf::TrainerConfig config = trainer_config_from(arguments);
  const std::string state_path = arguments.text("state");
  const std::string weights_path = arguments.text("weights");
  const int save_every = arguments.integer("save-every");
  const int report_every = arguments.integer("report-every");
  Threads threads(arguments.integer("threads"));

  std::vector<std::vector<std::int32_t>> texts;
  std::vector<wf::TokenStream> streams;
  for (const std::string& stream : arguments.all("stream")) {
    const auto [path, weight] = halves(stream);
    texts.push_back(read_ids(path));
    streams.push_back({texts.back(), static_cast<float>(std::atof(weight.c_str()))});
  }
  arguments.finish();
  const auto task = require(
      wf::make_task("language_model", {model_config.vocab_size, {streams.data(), streams.size()}}));
  wf::Transformer model = require(wf::Transformer::make(model_config, config.seed));
  wf::Trainer trainer = require(wf::Trainer::make(model, *task, config, &threads));
  std::vector<std::uint8_t> state;
  if (read_file(state_path, state)) require(trainer.restore_state(state));
  std::printf("{\"event\":\"start\",\"parameters\":%zu,\"step\":%d}\n", model.parameters().total(),
              trainer.steps_done());

  const int first = trainer.steps_done();
  const auto start = std::chrono::steady_clock::now();
  double loss = 0;
  int counted = 0;
  while (trainer.steps_done() < config.schedule.total_steps) {
    const wf::StepReport report = require(trainer.step());
    loss += report.loss;
    ++counted;
    const bool last = report.step == config.schedule.total_steps;
    if (report.step % report_every == 0 || last) {
      const double seconds = seconds_since(start);
      const double tokens = static_cast<double>(report.step - first) * config.batch * config.length;
      std::printf("{\"event\":\"step\",\"step\":%d,\"loss\":%.5f,\"rate\":%.3e,\"norm\":%.3f,"
                  "\"tokensPerSecond\":%.0f,\"seconds\":%.1f}\n",
                  report.step, loss / counted, static_cast<double>(report.learning_rate),
                  report.gradient_norm, tokens / seconds, seconds);
      std::fflush(stdout);
      loss = counted = 0;
    }
    if (report.step % save_every == 0 || last) write_file(state_path, require(trainer.save_state()));
  }
  write_file(weights_path, require(wf::save_model(model, wf::Dtype::kF16)));
  return 0;
}

// Where the nats of a held-out text went.
struct Score {
  double nats = 0, nats_without_marks = 0;
  int tokens = 0, tokens_without_marks = 0;
};

struct Scorer {
  const wf::Transformer& model;
  Threads& threads;
  int end_id;
  std::vector<char> is_mark;  // by id

  // Losses of windows of `length` tokens that start every `stride`; only the last `stride`
  // predictions of each window count (of the first window all), so each token counts once.
  Score windows(const std::vector<std::int32_t>& ids, int length, int stride, int count) const {
    std::vector<Score> scores(static_cast<std::size_t>(count));
    threads.for_each(count, [&](int index) {
      wf::TransformerActivations activations =
          require(wf::TransformerActivations::make(model.config(), 1, length,
                                                   wf::Purpose::kInference));
      const std::size_t begin = static_cast<std::size_t>(index) * stride;
      const int scored_from = index == 0 ? 0 : length - stride;
      const int used = static_cast<int>(std::min<std::size_t>(length, ids.size() - 1 - begin));
      wf::TokenBatch batch;
      batch.ids = ids.data() + begin;
      batch.length = used;
      std::vector<std::int32_t> targets(ids.begin() + static_cast<std::ptrdiff_t>(begin) + 1,
                                        ids.begin() + static_cast<std::ptrdiff_t>(begin) + 1 + used);
      for (int t = 0; t < used; ++t)
        if (t < scored_from || targets[t] == end_id) targets[t] = -1;
      require(model.loss(batch, targets.data(), activations));
      Score& score = scores[static_cast<std::size_t>(index)];
      for (int t = 0; t < used; ++t) {
        if (targets[t] < 0) continue;
        const double nats = activations.row_losses()[t];
        score.nats += nats;
        ++score.tokens;
        if (is_mark[static_cast<std::size_t>(targets[t])]) continue;
        score.nats_without_marks += nats;
        ++score.tokens_without_marks;
      }
    });
    Score sum;
    for (const Score& score : scores) {
      sum.nats += score.nats;
      sum.tokens += score.tokens;
      sum.nats_without_marks += score.nats_without_marks;
      sum.tokens_without_marks += score.tokens_without_marks;
    }
    return sum;
  }

  // Every token once, with at least half a window of context (but for the first half window).
  Score sliding(const std::vector<std::int32_t>& ids, int length) const {
    const int stride = length / 2;
    const int targets = static_cast<int>(ids.size()) - 1;
    const int count = 1 + std::max(0, (targets - length + stride - 1) / stride);
    return windows(ids, length, stride, count);
  }

  // The same tokens for every length: those of whole windows of `longest`, cut into pieces.
  Score disjoint(const std::vector<std::int32_t>& ids, int length, int longest) const {
    const int targets = static_cast<int>(ids.size()) - 1;
    return windows(ids, length, length, targets / longest * longest / length);
  }
};

int score(Arguments& arguments) {
  const wf::ModelConfig config = config_from(arguments);
  wf::Transformer model = require(wf::Transformer::make(config, 0));
  const std::string weights = arguments.text("weights");
  std::vector<std::uint8_t> bytes;
  if (!read_file(weights, bytes)) fail("cannot read " + weights);
  require(wf::load_model(bytes, model));
  Threads threads(arguments.integer("threads"));
  Scorer scorer{model, threads, arguments.integer("end-id"),
                std::vector<char>(static_cast<std::size_t>(config.vocab_size), 0)};
  for (const std::string& mark : arguments.all("mark"))
    scorer.is_mark.at(static_cast<std::size_t>(std::atoi(mark.c_str()))) = 1;
  const int length = arguments.integer("length");
  const std::vector<std::string> multiples = arguments.all("multiple");
  const std::vector<std::string> texts = arguments.all("text");
  arguments.finish();
  for (const std::string& text : texts) {
    const auto [name, path] = halves(text);
    const std::vector<std::int32_t> ids = read_ids(path);
    const Score whole = scorer.sliding(ids, length);
    std::printf("{\"event\":\"score\",\"text\":\"%s\",\"tokens\":%d,\"nats\":%.6f,"
                "\"tokensWithoutMarks\":%d,\"natsWithoutMarks\":%.6f}\n",
                name.c_str(), whole.tokens, whole.nats, whole.tokens_without_marks,
                whole.nats_without_marks);
    std::fflush(stdout);
    int longest = length;
    for (const std::string& multiple : multiples)
      longest = std::max(longest, length * std::atoi(multiple.c_str()));
    for (const std::string& multiple : multiples) {
      const int window = length * std::atoi(multiple.c_str());
      const Score cut = scorer.disjoint(ids, window, longest);
      std::printf("{\"event\":\"length\",\"text\":\"%s\",\"length\":%d,\"tokens\":%d,"
                  "\"nats\":%.6f}\n",
                  name.c_str(), window, cut.tokens, cut.nats);
      std::fflush(stdout);
    }
  }
  return 0;
}

}  // namespace

int main(int count, char** words) {
  const std::string verb = count > 1 ? words[1] : "";
  if (verb != "train" && verb != "score") fail("the first word is train or score");
  Arguments arguments(count, words);
  return verb == "train" ? train(arguments) : score(arguments);
}
