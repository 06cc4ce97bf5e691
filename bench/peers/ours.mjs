// Whereformer, through its public package: what a user of it calls in a loop. Operands were handed
// over before (`wf.tensor`), as TensorFlow.js's are; results are copied out into memory that was
// given for them. Beside it the same with operands copied in at each call, which is no contender of
// its own.

/** A work that this version of the package does not have. */
export class NotOffered extends Error {}

const arrays = "whereformer, arrays";

const form = (run, dispose = () => {}) => [{ name: "whereformer", isAsync: false, run, dispose }];

/** What the engine does with this method, or NotOffered. */
function offered(engine, method) {
  if (typeof engine[method] !== "function") throw new NotOffered(`the package has no ${method}`);
}

/**
 * Both forms of a call on operands, tensors by name: in the engine, and as arrays. `call` gets the
 * operands and memory for a result of `size` numbers.
 */
function bothForms(engine, operands, size, call, dispose = () => {}) {
  const kept = Object.entries(operands).map(([name, value]) => [name, engine.tensor(value)]);
  const inEngine = Object.fromEntries(kept);
  const out = new Float32Array(size);
  const [own] = form(
    () => call(inEngine, out).data,
    () => {
      for (const [, tensor] of kept) tensor.dispose();
      dispose();
    },
  );
  const [copied] = form(() => call(operands, out).data);
  return [own, { ...copied, name: arrays, isOwn: true, isRuntime: false }];
}

/** The contender that runs an attention. */
export function attentionForm(engine, options, input) {
  const attention = engine.attention(options);
  const whole = { ...input, out: attention.run(input).output };
  return form(
    () => attention.run(whole).output.data,
    () => attention.dispose(),
  );
}

/** What needs no object of its own. */
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
    // A vector is multiplied with weights, which stay what they are.
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

/** What schemes, attention, trainers and models do. */
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

/** The works of the package with this many threads. */
export async function open(host) {
  const engine = await (host.threads > 1 ? host.threadedEngine() : host.engine());
  // The one-thread engine still makes the inputs of rows that need one.
  if (host.threads > 1 && engine.threads < host.threads)
    return { engine, missing: `${host.threads} threads cannot be had here` };
  return { engine, ...plainCalls(engine), ...objects(engine) };
}
