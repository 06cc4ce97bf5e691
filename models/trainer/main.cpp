// The native trainer of the small models, which also measures them; `scripts/train.mjs` and other
// scripts run it.
//
//   trainer train --scheme rope <sizes> --task language_model --stream file:weight… --state file …
//   trainer creatures --scheme learned <sizes> --state file …             a model of pictures
//   trainer learn --scheme rope <sizes> --task sort --evaluate sort…      a short run, not saved
//   trainer score --scheme rope <sizes> --weights file --text name:file…  next-token losses
//   trainer lengths … --multiple 2…                                       in longer windows
//   trainer score_masked … --rounds 7                                     losses of hidden tokens
//   trainer heads …                                                       attention of each head
//   trainer cost --scheme rope --scheme alibi… --forward 512…             times of several schemes
#include <string>

#include "trainer/fail.h"
#include "trainer/verbs.h"

int main(int count, char** words) {
  struct Verb {
    const char* name;
    int (*run)(trainer::Arguments&);
  };
  constexpr Verb kVerbs[] = {
      {"train", trainer::train},
      {"creatures", trainer::creatures},
      {"learn", trainer::learn},
      {"score", trainer::score},
      {"lengths", trainer::lengths},
      {"heads", trainer::heads},
      {"score_masked", trainer::score_masked},
      {"cost", trainer::cost},
  };
  const std::string asked = count > 1 ? words[1] : "";
  std::string known;
  for (const Verb& verb : kVerbs) {
    known += std::string(known.empty() ? "" : ", ") + verb.name;
    if (asked != verb.name) continue;
    trainer::Arguments arguments(count, words);
    return verb.run(arguments);
  }
  trainer::fail("the first word is one of " + known);
}
