// Interleaved rounds: each round runs every contender once, in changing order, so that a change of
// the machine's speed affects all of them.

// The cost of a call: wall time, or another clock, which may be asynchronous.
const wall = () => performance.now();

// Longer than the time for which thread pools spin before they sleep.
export const restOfPoolsMs = 10;

const rest = (ms) => new Promise((resume) => setTimeout(resume, ms));

/**
 * Returns the order of contenders in a round: beginning one further each time, and backwards every
 * other time, so that none always runs after the same other one, which leaves its data in the
 * caches.
 */
export function orderOfRound(count, round) {
  const step = round % 2 === 0 ? 1 : count - 1;
  return Array.from({ length: count }, (_, i) => (round + i * step) % count);
}

/** Returns the time of so many calls. */
export async function timeCalls({ run, isAsync }, calls, clock = wall) {
  const begin = clock === wall ? wall() : await clock();
  if (isAsync) for (let i = 0; i < calls; i++) await run();
  else for (let i = 0; i < calls; i++) run();
  return (clock === wall ? wall() : await clock()) - begin;
}

/**
 * Returns the number of samples per contender and round: short work is easily interrupted by other
 * work.
 */
const passesOfRound = (cost) => (cost < 100 ? 3 : 1);

/** Returns the times of one round: for each contender the minimum of its samples. */
async function timeRound(contenders, calls, round, { passes, restMs, clock }) {
  const times = {};
  for (let pass = 0; pass < passes; pass++) {
    for (const index of orderOfRound(contenders.length, round + pass)) {
      const { name } = contenders[index];
      if (restMs > 0) await rest(restMs);
      const time = (await timeCalls(contenders[index], calls[index], clock)) / calls[index];
      times[name] = Math.min(times[name] ?? Number.POSITIVE_INFINITY, time);
    }
  }
  return times;
}

/** Returns the number of calls that make a sample long enough to be timed. */
export async function callsOfSample(contender, sampleMs, clock = wall) {
  await timeCalls(contender, 1);
  for (let calls = 1; ; ) {
    const time = await timeCalls(contender, calls, clock);
    if (time >= sampleMs / 2) return Math.max(1, Math.round((calls * sampleMs) / time));
    calls *= time > 0 ? Math.min(16, Math.max(2, Math.ceil(sampleMs / time))) : 16;
  }
}

/** Returns the number of rounds whose samples cost so much, and of samples in each. */
export function roundsWithin(cost, { rounds: max, min = 3, budgetMs }) {
  const passes = passesOfRound(cost);
  return { passes, count: Math.max(min, Math.min(max, Math.floor(budgetMs / (cost * passes)))) };
}

/**
 * Times `contenders` (`{ name, run, isAsync }`) and resolves to the rounds, each `{ name: ms of one
 * call }`, and to the results of `probe` before each round. Slow work gets fewer rounds, at least
 * `min`, so that a row stays within its budget. If contenders have threads, each begins after
 * `restMs`: a thread pool that spins for a while after its work would take a core from the next
 * contender. `clock` replaces the wall clock, in milliseconds.
 */
export async function measureRounds(contenders, settings) {
  const { sampleMs, restMs = 0, probe, clock } = settings;
  const calls = [];
  const costs = [];
  for (const contender of contenders) {
    calls.push(await callsOfSample(contender, sampleMs));
    costs.push(await timeCalls(contender, calls.at(-1)));
  }
  const cost = costs.reduce((sum, value) => sum + value, 0);
  const { count, passes } = roundsWithin(cost, settings);
  const rounds = [];
  const probes = [];
  for (let round = 0; round < count; round++) {
    probes.push(probe());
    rounds.push(await timeRound(contenders, calls, round, { passes, restMs, clock }));
  }
  return { rounds, probes };
}
