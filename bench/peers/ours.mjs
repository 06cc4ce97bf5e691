// Whereformer, through its public package: what is timed is what a user of it calls in a loop, copies
// included: results go into memory that was given for them, weights of a product stay in the engine.

/** A work that this version of the package does not have. */
export class NotOffered extends Error {}

const form = (run, dispose = () => {}) => [{ name: "whereformer", isAsync: false, run, dispose }];

/** What the engine does with this method, or NotOffered. */
function offered(engine, method) {
  if (typeof engine[method] !== "function") throw new NotOffered(`the package has no ${method}`);
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

/** The works of the package with this many threads. */
export async function open(host) {
  const engine = await (host.threads > 1 ? host.threadedEngine() : host.engine());
  // The one-thread engine still makes the inputs of rows that need one.
  if (host.threads > 1 && engine.threads < host.threads)
    return { engine, missing: `${host.threads} threads cannot be had here` };
  return {
    engine,
    matmul: ({ a, b }, { m, k, n }) => {
      offered(engine, "matmul");
      const left = { data: a, shape: [m, k] };
      const right = { data: b, shape: [k, n] };
      const options = { out: new Float32Array(m * n) };
      if (m > 1) return form(() => engine.matmul(left, right, options).data);
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
      const options = { out: new Float32Array(rows * width) };
      return form(() => engine.softmax(input, options).data);
    },
    layerNorm: ({ x, weight, bias }, { rows, width, epsilon }) => {
      offered(engine, "layerNorm");
      const input = { data: x, shape: [rows, width] };
      const vector = (data) => ({ data, shape: [width] });
      const out = new Float32Array(rows * width);
      const options = { weight: vector(weight), bias: vector(bias), epsilon, out };
      return form(() => engine.layerNorm(input, options).data);
    },
    rotary: ({ x }, { scheme, heads, tokens, width }) => {
      const rotary = engine.scheme(scheme, { numHeads: heads, headDim: width });
      const input = { data: x, shape: [heads, tokens, width] };
      const options = { out: new Float32Array(x.length) };
      return form(
        () => rotary.rotate(input, undefined, options).data,
        () => rotary.dispose(),
      );
    },
    attention: ({ q, k, v, bias }, { heads, tokens, width }) => {
      const shape = [heads, tokens, width];
      const mask = bias ? { mask: { data: bias, shape: [heads, tokens, tokens] } } : {};
      const tensors = { q: { data: q, shape }, k: { data: k, shape }, v: { data: v, shape } };
      return attentionForm(engine, { numHeads: heads, headDim: width }, { ...tensors, ...mask });
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
  };
}
