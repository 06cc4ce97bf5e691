// Rows that compare the package with itself: attention in one form against attention in another.

import { uniform } from "../measure/inputs.mjs";
import { attentionForm } from "../peers/ours.mjs";
import { projections } from "./attention.mjs";

const fill = (count, value) => Float32Array.from({ length: count }, (_, i) => value(i));

/** Contents of the call; each returns changes to the input. */
const contents = {
  plain: () => ({}),
  /** Positions far apart. */
  far: ({ tokens }, { step }) => ({
    positions: Array.from({ length: tokens }, (_, i) => i * step),
    keyPositions: Array.from({ length: tokens }, (_, i) => i * step),
  }),
  /** A mask that hides this share of the rows completely. */
  hiddenRows: ({ tokens }, { share }) => ({
    mask: {
      data: Uint8Array.from({ length: tokens * tokens }, (_, i) =>
        Math.floor(i / tokens) % 100 < 100 * share ? 0 : 1,
      ),
      shape: [1, tokens, tokens],
    },
  }),
  /**
   * Logits so far below each row's largest that their weights lose bits of precision or become
   * zero.
   */
  lowLogits: ({ tokens }, { from, to }) => ({
    mask: {
      data: fill(tokens * tokens, (i) =>
        i % tokens === Math.floor(i / tokens)
          ? 0
          : from + ((i * 7919) % 1000) * ((to - from) / 1000),
      ),
      shape: [1, tokens, tokens],
    },
  }),
  /** Values of this magnitude. */
  values: ({ heads, tokens, width }, { size }) => ({
    v: { data: uniform(heads * tokens * width, 3, size), shape: [heads, tokens, width] },
  }),
};

function formOf(engine, sizes, name, { scheme, schemeOptions, options = {}, content = [] }) {
  const { heads, tokens, width } = sizes;
  const { q, k, v } = projections(sizes);
  const shape = [heads, tokens, width];
  const input = { q: { data: q, shape }, k: { data: k, shape }, v: { data: v, shape } };
  for (const [kind, parameters] of content)
    Object.assign(input, contents[kind](sizes, parameters ?? {}));
  const chosen = scheme
    ? { scheme: engine.scheme(scheme, { numHeads: heads, headDim: width, ...schemeOptions }) }
    : { numHeads: heads, headDim: width };
  const [form] = attentionForm(engine, { ...chosen, ...options }, input);
  return { ...form, name };
}

/** Compares the time of `ours` with that of `base`, as a ratio. */
export async function compared({ ours, base, ...sizes }, { peers }) {
  const { engine } = peers.ours;
  return {
    contenders: [formOf(engine, sizes, "ours", ours), formOf(engine, sizes, "base", base)],
    figure: (times) => times.ours / times.base,
  };
}

/** Compares the time of what `ours` adds to token vectors with that of `base`. */
export async function additions({ ours, base, heads, tokens, width }, { peers }) {
  const { engine } = peers.ours;
  const positions = Int32Array.from({ length: tokens }, (_, i) => i);
  const formOf = ({ scheme, schemeOptions }, name) => {
    const made = engine.scheme(scheme, { numHeads: heads, headDim: width, ...schemeOptions });
    const out = made.embeddings(positions);
    return {
      name,
      isAsync: false,
      run: () => made.embeddings(positions, { out }).data,
      dispose: () => made.dispose(),
    };
  };
  return {
    contenders: [formOf(ours, "ours"), formOf(base, "base")],
    figure: (times) => times.ours / times.base,
  };
}

/**
 * Compares the time that a scheme adds with the time of its extra operations at the rate of the
 * package's matrix product in the same round; without a matrix product, at the rate of attention.
 */
export async function extraWork({ ours, product, ...sizes }, { peers }) {
  const { engine } = peers.ours;
  const { heads, tokens, width } = sizes;
  const scheme = engine.scheme(ours.scheme, {
    numHeads: heads,
    headDim: width,
    ...ours.schemeOptions,
  });
  const extra = scheme.cost({ queries: tokens, keys: tokens }).layerFlops;
  scheme.dispose();
  const contenders = [formOf(engine, sizes, "ours", ours), formOf(engine, sizes, "base", {})];
  let rateOf = (times) => (4 * heads * tokens ** 2 * width) / times.base;
  if (engine.matmul) {
    const inputs = { a: uniform(product ** 2, 1), b: uniform(product ** 2, 2) };
    const [form] = peers.ours.matmul(inputs, { m: product, k: product, n: product });
    contenders.push({ ...form, name: "product" });
    rateOf = (times) => (2 * product ** 3) / times.product;
  }
  return {
    contenders,
    extraOperations: extra,
    figure: (times) => (times.ours - times.base) / (extra / rateOf(times)),
  };
}

/** Compares two threads with one, as a speed-up. */
export async function threads({ ...sizes }, { peers, host }) {
  const single = await host.engine();
  return {
    contenders: [formOf(peers.ours.engine, sizes, "ours", {}), formOf(single, sizes, "base", {})],
    figure: (times) => times.base / times.ours,
  };
}
