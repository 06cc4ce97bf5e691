// Long sequences: memory, decoding, and cost against length.

import { readProbe } from "../measure/probes.mjs";
import { projections } from "./attention.mjs";

const megabyte = 1e6;

function attentionOver(engine, { scheme, schemeOptions, heads, width }, options = {}) {
  const chosen = scheme
    ? { scheme: engine.scheme(scheme, { numHeads: heads, headDim: width, ...schemeOptions }) }
    : { numHeads: heads, headDim: width };
  return engine.attention({ ...chosen, ...options });
}

const tensors = (sizes, numbers) => {
  const shape = [sizes.heads, sizes.tokens, sizes.width];
  return Object.fromEntries(Object.entries(numbers).map(([name, data]) => [name, { data, shape }]));
};

/** Returns all memory of an engine after a single call, without that of its inputs and outputs. */
export async function memory(sizes, { host }) {
  const engine = await host.newEngine();
  const input = tensors(sizes, projections(sizes));
  const attention = attentionOver(engine, sizes);
  const begin = performance.now();
  const { output } = attention.run(input);
  const time = performance.now() - begin;
  if (!output.data.every(Number.isFinite)) throw new Error("the output is not finite");
  const inputs = Object.values(input).reduce((sum, { data }) => sum + data.byteLength, 0);
  const beyond = engine.memory() - inputs - output.data.byteLength;
  return { result: { figure: beyond / megabyte, times: { whereformer: time }, rounds: [] } };
}

/**
 * Compares the time of one token's attention over a full cache with that of reading as many bytes
 * once.
 */
export async function decode(sizes, { peers }) {
  const { engine } = peers.ours;
  const { heads, tokens, width } = sizes;
  const attention = attentionOver(engine, sizes, { isCausal: true });
  const cache = attention.cache({ capacity: tokens + 1 });
  attention.decode(cache, tensors(sizes, projections(sizes)));
  const one = { heads, tokens: 1, width };
  const token = tensors(one, projections(one));
  const bytes = 2 * 4 * heads * tokens * width;
  return {
    contenders: [
      {
        name: "ours",
        isAsync: false,
        run: () => {
          attention.decode(cache, token);
          cache.truncate(tokens);
        },
        dispose: () => {
          cache.dispose();
          attention.dispose();
        },
      },
      { name: "reading the cache", isAsync: false, run: readProbe(bytes) },
    ],
    bytes,
    figure: (times) => times.ours / times["reading the cache"],
  };
}

const worthRepeating = 2000;

async function timeOf(run) {
  const begin = performance.now();
  await run();
  return performance.now() - begin;
}

/**
 * Times one call of attention over this many tokens by one form of a peer, or returns why it
 * failed.
 */
export async function length({ peer, form = 0, ...sizes }, { peers }) {
  const { contenders } = peers[peer].missing
    ? { contenders: [] }
    : { contenders: await peers[peer].attention(projections(sizes), sizes) };
  const times = {};
  const failures = {};
  for (const { name, run } of contenders.slice(form, form + 1)) {
    try {
      const first = await timeOf(run);
      // The first call of a short one consists mostly of compilation and allocation.
      times[name] = first < worthRepeating ? Math.min(first, await timeOf(run)) : first;
    } catch (error) {
      failures[name] = String(error?.message ?? error)
        .split("\n")[0]
        .slice(0, 200);
    }
  }
  return { result: { times, failures, rounds: [] } };
}
