// The trainer's verbs. Each reads its options, prints one JSON object a line and returns the
// process's exit code.
#pragma once

#include "trainer/arguments.h"

namespace trainer {

int train(Arguments& arguments);         // train.cpp
int creatures(Arguments& arguments);     // train.cpp
int learn(Arguments& arguments);         // learn.cpp
int score(Arguments& arguments);         // score.cpp
int lengths(Arguments& arguments);       // lengths.cpp
int score_masked(Arguments& arguments);  // score_masked.cpp
int heads(Arguments& arguments);         // heads.cpp
int cost(Arguments& arguments);          // cost.cpp

}  // namespace trainer
