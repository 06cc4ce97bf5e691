/**
 * The public types in typical use. Nothing here runs: `tsc` must accept it, with an error on each
 * marked line.
 */
import {
  type Engine,
  load,
  type RecordName,
  type Scheme,
  type SchemeId,
  type Tensor,
  TextStream,
  WhereformerError,
} from "whereformer";
import { load as loadThreads, type ThreadedEngine } from "whereformer/threads";
import { load as loadWorker, type RemoteScheme } from "whereformer/worker";

const wf: Engine = await load({ variant: "auto", onProgress: (loaded, total) => loaded / total });
await load({ wasm: new URL("https://example.org/simd.wasm") });
await load({ wasm: new Uint8Array(8), variant: "simd" });
// @ts-expect-error: no such variant
await load({ variant: "fast" });
// @ts-expect-error: no such option
await load({ wasmUrl: "simd.wasm" });

const ids: SchemeId[] = wf.schemes.map(({ id }) => id);
const known: SchemeId = "rope";
// @ts-expect-error: no such scheme
const unknown: SchemeId = "ropes";

const rope: Scheme = wf.scheme("rope", {
  numHeads: 8,
  headDim: 64,
  ropeTheta: 1e4,
  interleaved: true,
});
const alibi = wf.scheme("alibi", { numHeads: 8, headDim: 64 });
// @ts-expect-error: sizes are needed
wf.scheme("rope", { ropeTheta: 1e4 });
// @ts-expect-error: an option of another scheme
wf.scheme("alibi", { numHeads: 8, headDim: 64, ropeTheta: 1e4 });
// @ts-expect-error: a misspelt option
wf.scheme("rope", { numHeads: 8, headDim: 64, theta: 1e4 });
// @ts-expect-error: an option of another type
wf.scheme("rope", { numHeads: 8, headDim: 64, interleaved: "yes" });
// @ts-expect-error: not the name of a scheme
wf.scheme("rop", { numHeads: 8, headDim: 64 });
// A name and options that are known at run time only.
const chosen: { id: string; options: Record<string, unknown> } = JSON.parse("{}");
wf.attention({ scheme: wf.scheme(chosen.id, { numHeads: 8, headDim: 64, ...chosen.options }) });
for (const { id } of wf.schemes) wf.scheme(id, { numHeads: 8, headDim: 64 });
// @ts-expect-error: every scheme has a number of heads
wf.scheme(chosen.id, { headDim: 64 });

const x: Tensor = { data: new Float32Array(64), shape: [1, 1, 64] };
const turned: Tensor = rope.rotate({ data: [1, 2], shape: [1, 1, 2] }, [0]);
rope.rotate(turned, Int32Array.of(3));
rope.rotate(x, undefined, { out: turned });
const packed = wf.matrix(x, { transposeB: true });
wf.matmul(x, packed, { out: new Float32Array(64) });
// @ts-expect-error: results are float32
wf.softmax(x, { out: new Float64Array(64) });
// @ts-expect-error: a matrix can only be the right operand
wf.matmul(packed, x);
rope.rotate(x, { data: [0], shape: [1, 1] });
// @ts-expect-error: a tensor has a shape
rope.rotate({ data: new Float32Array(64) });
// @ts-expect-error: float64 is not converted silently
rope.rotate({ data: new Float64Array(64), shape: [1, 1, 64] });
const factor: number = rope.frequencies(4096).attentionFactor;
// @ts-expect-error: key positions are needed
alibi.bias([0]);

const attention = wf.attention({ scheme: [rope, alibi], isCausal: true, slidingWindow: 128 });
wf.attention({ numHeads: 2, headDim: 4, softcap: 30, sinks: [0, 1] });
// @ts-expect-error: schemes are objects, not ids
wf.attention({ scheme: "rope" });
const result = attention.run({
  q: x,
  k: x,
  v: x,
  record: ["weights", "terms"],
  region: { heads: [0] },
});
const output: Float32Array = result.output.data;
const content: Tensor | undefined = result.terms?.["content"];
// A requested record is defined.
const recorded: Tensor = result.weights;
const split: Record<string, Tensor> = result.terms;
// @ts-expect-error: a record that was not requested may be undefined
result.logits.data;
const asked: RecordName[] = ["weights"];
// @ts-expect-error: the contents of a list made at run time are not known
attention.run({ q: x, k: x, v: x, record: asked }).weights.data;
// @ts-expect-error: only rotary schemes have pairs
attention.run({ q: x, k: x, v: x, record: ["pairs"] }).pairs.data;
// @ts-expect-error: no such record
attention.run({ q: x, k: x, v: x, record: ["weight"] });
// @ts-expect-error: v is needed
attention.run({ q: x, k: x });
const cache = attention.cache({ capacity: 16 });
attention.decode(cache, { q: x, k: x, v: x });
// @ts-expect-error: length is read only
cache.length = 3;

const model = await wf.model("https://example.org/models/rope/");
const sizes = { vocabSize: 8, hiddenSize: 8, numLayers: 1, numHeads: 1, intermediateSize: 8 };
await wf.model({ ...sizes, scheme: { id: "rope", options: { ropeTheta: 5 } } });
// @ts-expect-error: sizes are missing
await wf.model({ vocabSize: 8, hiddenSize: 8 });
// @ts-expect-error: options of another scheme
await wf.model({ ...sizes, scheme: { id: "alibi", options: { ropeTheta: 5 } } });
const hidden: Tensor = model.run("text", { record: ["hidden"] }).hidden;
// @ts-expect-error: a record that was not requested may be undefined
model.run("text").weights.data;
const ofVectors: Tensor = model.run({ vectors: x }, { record: ["hidden"] }).hidden;
model.bend({}).run({ vectors: new Float32Array(8) });
// @ts-expect-error: only ids have a loss
model.loss({ vectors: x });
const seen = model.look({ data: new Uint8Array(12), width: 2, height: 2 }, { record: ["weights"] });
const maps: Tensor = seen.weights;
const firstPatch: number = seen.grid.special.length;
model.look({ data: [0, 1, 2], width: 1, height: 1 }, { size: { height: 14, width: 28 } });
// @ts-expect-error: positions belong to the picture
model.look({ data: [0, 1, 2], width: 1, height: 1 }, { positions: [1] });
// @ts-expect-error: no picture
model.look("cat.png");
const bentTerms: Record<string, Tensor> = model
  .bend({ positions: "none" })
  .run("text", { record: ["terms"], region: { layers: [0] } }).terms;
const encoded: Tensor = model.encode([1], { record: ["weights"] }).weights;
const states = model.run("text", {
  record: ["residual", "headOutputs"],
  ablate: [{ layers: [0], heads: [1], with: "mean" }],
  patch: { layer: 0, head: 1, rows: [2], values: new Float32Array(8) },
});
const lens: Tensor = model.logitLens(states.residual);
model.loss([1, 2], { ablate: { with: "zero" }, patch: [{ layer: -1, values: states.residual }] });
model.bend({}).run([1], { ablate: { with: "zero" } });
const rows: (Tensor | undefined)[] = [];
for await (const { text, weights } of model.session().generate("text", {
  record: ["weights", "terms"],
  region: { layers: [0], heads: [1] },
}))
  if (text) rows.push(weights);
// @ts-expect-error: a token has one row
model.generate("text", { record: ["weights"], region: { rows: [0] } });
// @ts-expect-error: only maps
model.generate("text", { record: ["hidden"] });
// @ts-expect-error: no such replacement
model.run([1], { ablate: { with: "noise" } });
model.heads(["one", "two"], { layers: [0] }).measures.induction.mean.data.at(0);
// @ts-expect-error: no such measure
model.heads([1, 2]).measures.inducing.mean;
const vector: Float32Array = model.embed("text", { pooling: ["mean", "cls"], normalize: true });
const vectors: Float32Array[] = model.embed(["one", "two"]);
const ofIds: Float32Array = model.embed([1, 2], { attentionMask: [1, 0] });
// @ts-expect-error: no such pooling
model.embed("text", { pooling: "first" });
// @ts-expect-error: a list of texts gives a list of vectors
const notOne: Float32Array = model.embed(["one"]);
const withPrompt = model.embed(["one"], { prompt: model.pooling?.prompts["query"] });
const nats: number = model.loss([1, 2, 3]).mean;
for await (const { id, text } of model.generate("a", { topK: 4, seed: 1 })) text.repeat(id);
const stream = new TextStream({ encode: () => [1], decode: (list) => `${list}` }, [1, 2]);
const piece: string = stream.add(3) + stream.end();
const labels: string[] = TextStream.labels({ decode: String }, [1, 2]);
// @ts-expect-error: a token is an id
stream.add("3");
// @ts-expect-error: the config cannot be changed
model.config = { ...model.config, numLayers: 3 };

const trainer = wf.trainer({ config: sizes, task: { id: "copy" } });
const losses: Float32Array = trainer.step(3);
// @ts-expect-error: a language model needs its text
wf.trainer({ config: sizes, task: { id: "language_model" } });

{
  using short = wf.scheme("nope", { numHeads: 1, headDim: 1 });
  short.dispose();
}

const remote = await loadWorker();
const far: RemoteScheme = await remote.scheme("rope", { numHeads: 8, headDim: 64 });
const later: Promise<Tensor> = far.rotate(x, undefined, { signal: AbortSignal.timeout(100) });
await remote.attention({ scheme: far });
const farAttention = await remote.attention({ scheme: far });
const farWeights: Tensor = (
  await farAttention.run({ q: x, k: x, v: x, record: ["weights"] }, { onProgress() {} })
).weights;
const farModel = await remote.model("https://example.org/models/rope/");
const farVectors: Float32Array[] = await farModel.embed(["one", "two"], {}, { onProgress() {} });
const farVector: Float32Array = await farModel.embed([1, 2]);
const farMaps: Tensor = (
  await farModel.look({ data: [0, 1, 2], width: 1, height: 1 }, { record: ["weights"] })
).weights;
const farHidden: Tensor = (await farModel.run("text", { record: ["hidden"] })).hidden;
// @ts-expect-error: a record that was not requested may be undefined
(await farModel.run("text")).hidden.data;
// @ts-expect-error: objects of the calling thread cannot be sent
await remote.attention({ scheme: rope });
// @ts-expect-error: answers are promises
far.rotate(x).data;

try {
  rope.dispose();
} catch (error) {
  if (error instanceof WhereformerError && error.code === "disposed")
    error.details.argument?.trim();
  // @ts-expect-error: no such code
  if (error instanceof WhereformerError && error.code === "broken") throw error;
}

export {
  bentTerms,
  content,
  encoded,
  factor,
  farHidden,
  farMaps,
  farVector,
  farVectors,
  farWeights,
  firstPatch,
  hidden,
  ids,
  known,
  labels,
  later,
  lens,
  losses,
  maps,
  nats,
  notOne,
  ofIds,
  ofVectors,
  output,
  piece,
  recorded,
  split,
  unknown,
  vector,
  vectors,
  withPrompt,
};

const shared: ThreadedEngine = await loadThreads({ threads: 2, fallback: false });
const likeAny: Engine = shared;
likeAny
  .matmul({ data: [1], shape: [1, 1] }, { data: [1], shape: [1, 1] })
  .data.fill(shared.threads);
shared.dispose();
// @ts-expect-error: it has one binary
await loadThreads({ variant: "simd" });
