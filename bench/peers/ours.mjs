// Whereformer, through its public package, as in a user's loop. Operands are already in the engine
// (`wf.tensor`), as those of TensorFlow.js are; results are copied out into given memory. Beside it
// is a form whose operands are copied in at each call, which does not count as a contender.

/** A work that this version of the package does not have. */
export class NotOffered extends Error {}

const arrays = "whereformer, arrays";

const form = (run, dispose = () => {}) => [{ name: "whereformer", isAsync: false, run, dispose }];

/** Returns the engine's method, or throws NotOffered. */
function offered(engine, method) {
  if (typeof engine[method] !== "function") throw new NotOffered(`the package has no ${method}`);
}

/**
 * Returns both forms of a call with operands, tensors by name: in the engine, and as arrays. `call`
 * receives the operands and memory for a result of `size` numbers.
 */
function bothForms(engine, operands, size, call, dispose = () => {}) {
  const kept = Object.entries(operands).map(([name, value]) => [name, engine.tensor(value)]);
  const inEngine = Object.fromEntries(kept);
  const out = new Float32Array(size);
  const [direct] = form(
    () => call(inEngine, out).data,
    () => {
      for (const [, tensor] of kept) tensor.dispose();
      dispose();
    },
  );
  const [copied] = form(() => call(operands, out).data);
  return [direct, { ...copied, name: arrays, isCopied: true, isRuntime: false }];
}

/** Returns the contender that runs an attention. */
export function attentionForm(engine, options, input) {
  const attention = engine.attention(options);
  const whole = { ...input, out: attention.run(input).output };
  return form(
    () => attention.run(whole).output.data,
    () => attention.dispose(),
  );
}

/** Works that need no object of their own. */
const plainCalls = (engine) => ({
  matmul: ({ a, b }, { m, k, n }) => {
    offered(engine, "matmul");
    const left = { data: a, shape: [m, k] };
    const right = { data: b, shape: [k, n] };
    if (m > 1)
      return bothForms(engine, { left, right }, m * n, ({ left, right }, out) =>
        engine.matmul(left, right, { out }),
      );
    const options = { out: new Float32Array(m * n) };
    // The matrix of a vector's product holds weights, which do not change.
    const matrix = engine.matrix(right);
    return form(
      () => engine.matmul(left, matrix, options).data,
      () => matrix.dispose(),
    );
  },
  softmax: ({ x }, { rows, width }) => {
    offered(engine, "softmax");
    const input = { data: x, shape: [rows, width] };
    return bothForms(engine, { input }, rows * width, ({ input }, out) =>
      engine.softmax(input, { out }),
    );
  },
  layerNorm: ({ x, weight, bias }, { rows, width, epsilon }) => {
    offered(engine, "layerNorm");
    const input = { data: x, shape: [rows, width] };
    const vector = (data) => ({ data, shape: [width] });
    const operands = { input, weight: vector(weight), bias: vector(bias) };
    return bothForms(engine, operands, rows * width, ({ input, ...vectors }, out) =>
      engine.layerNorm(input, { ...vectors, epsilon, out }),
    );
  },
});

/** Works of schemes, attention, trainers and models. */
const objects = (engine) => ({
  rotary: ({ x }, { scheme, heads, tokens, width }) => {
    const rotary = engine.scheme(scheme, { numHeads: heads, headDim: width });
    const input = { data: x, shape: [heads, tokens, width] };
    return bothForms(
      engine,
      { input },
      x.length,
      ({ input }, out) => rotary.rotate(input, undefined, { out }),
      () => rotary.dispose(),
    );
  },
  attention: ({ q, k, v, bias }, { heads, tokens, width }) => {
    const shape = [heads, tokens, width];
    const mask = bias ? { mask: { data: bias, shape: [heads, tokens, tokens] } } : {};
    const tensors = { q: { data: q, shape }, k: { data: k, shape }, v: { data: v, shape } };
    const attention = engine.attention({ numHeads: heads, headDim: width });
    return bothForms(
      engine,
      { ...tensors, ...mask },
      q.length,
      (operands, out) => attention.run({ ...operands, out }).output,
      () => attention.dispose(),
    );
  },
  training: ({ trainer }) => {
    const [contender] = form(
      () => trainer.step(),
      () => trainer.dispose(),
    );
    return [{ ...contender, steps: 4 }];
  },
  block: ({ model, ids }) =>
    form(
      () => model.run(ids, { record: ["hidden"] }).hidden.data,
      () => model.dispose(),
    ),
});

/** Returns the works of the package with this many threads. */
export async function open(host) {
  const engine = await (host.threads > 1 ? host.threadedEngine() : host.engine());
  // Rows that need one use the engine with one thread for their inputs.
  if (host.threads > 1 && engine.threads < host.threads)
    return { engine, missing: `${host.threads} threads cannot be had here` };
  return { engine, ...plainCalls(engine), ...objects(engine) };
}
