// Who bites whom? A sentence, then one of its two nouns: is it the one who acts?
//   [adjective…] noun verb [adjective…] noun ?      dog bites old man ? dog → yes
//   [adjective…] noun is verb by [adjective…] noun ?    man is bitten by dog ? man → no
// Scored at that noun, the last word. Both answers are equally likely for the same set of words, so
// a model without word order can only guess. Zero to two adjectives precede each noun, so no word
// has a fixed position.
#include <algorithm>

#include "training/tasks/row_task.h"

namespace wf {
namespace {

enum Word : std::int32_t { kNo, kYes, kNothing, kQuestion, kIs, kBy, kFirstOfClasses };
constexpr int kMaxAdjectives = 2;

class Agent final : public RowTask {
 public:
  // Verbs, adjectives and nouns share the rest of the vocabulary.
  explicit Agent(int vocab_size)
      : adjectives_(kFirstOfClasses + (vocab_size - kFirstOfClasses) / 3),
        nouns_(adjectives_ + (vocab_size - kFirstOfClasses) / 3),
        end_(vocab_size) {}

  // The longest sentence, the question mark, and the noun in question.
  int shortest() const override { return 2 * kMaxAdjectives + 5 + 2; }

 protected:
  void fill_row(Random& random, int length, std::int32_t* ids,
                std::int32_t* targets) const override {
    std::fill_n(ids, length, std::int32_t{kNothing});
    std::fill_n(targets, length, -1);
    const std::int32_t first = drawn(random, nouns_, end_);
    std::int32_t second = drawn(random, nouns_, end_ - 1);
    if (second >= first) ++second;
    const bool is_passive = random.below(2);
    int t = 0;
    const auto add_noun = [&](std::int32_t noun) {
      for (std::uint32_t left = random.below(kMaxAdjectives + 1); left > 0; --left)
        ids[t++] = drawn(random, adjectives_, nouns_);
      ids[t++] = noun;
    };
    add_noun(first);
    if (is_passive) ids[t++] = kIs;
    ids[t++] = drawn(random, kFirstOfClasses, adjectives_);
    if (is_passive) ids[t++] = kBy;
    add_noun(second);
    ids[t++] = kQuestion;
    const bool asks_first = random.below(2);
    ids[t] = asks_first ? first : second;
    targets[t] = asks_first != is_passive ? kYes : kNo;
  }

 private:
  // First ids of adjectives and nouns, which follow the verbs, and the end.
  int adjectives_, nouns_, end_;
};

Result<std::unique_ptr<Task>> make(const TaskSettings& settings) {
  WF_RETURN_IF_ERROR(check_vocabulary("agent", settings.vocab_size, kFirstOfClasses + 4));
  return new_task<Agent>(settings.vocab_size);
}

}  // namespace

extern const TaskEntry kAgentTask;
const TaskEntry kAgentTask = {"agent", make};

}  // namespace wf
