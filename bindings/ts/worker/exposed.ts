/** Methods and properties exposed by the worker, by class of the engine's objects. */
import { AttentionHandle, CacheHandle } from "../api/attention.js";
import { BentHandle } from "../api/bend.js";
import { EngineInstance } from "../api/engine.js";
import { ModelHandle } from "../api/model.js";
import { MatrixHandle, PlainCalls } from "../api/products.js";
import { SchemeHandle } from "../api/scheme.js";
import { SessionHandle } from "../api/session.js";
import { TensorHandle } from "../api/tensors.js";
import { TrainerHandle } from "../api/trainer.js";
import type { Kind, Started } from "./protocol.js";

interface Exposed {
  class: { prototype: object };
  /** Its base class, if that has methods of the API. */
  base?: { prototype: object };
  kind: Kind;
  /** Properties that are sent to the other side. */
  properties: readonly string[];
}

/** The classes that have remotes on the other side. */
const exposed: readonly Exposed[] = [
  {
    class: EngineInstance,
    base: PlainCalls,
    kind: "engine",
    properties: ["variant", "version", "schemes", "threads"],
  },
  { class: SchemeHandle, kind: "scheme", properties: ["description", "options"] },
  { class: AttentionHandle, kind: "attention", properties: [] },
  { class: CacheHandle, kind: "cache", properties: ["length", "capacity"] },
  { class: MatrixHandle, kind: "matrix", properties: ["shape"] },
  { class: TensorHandle, kind: "tensor", properties: ["shape"] },
  {
    class: ModelHandle,
    kind: "model",
    properties: [
      "config",
      "encoderConfig",
      "parameterCount",
      "dtype",
      "weightBytes",
      "family",
      "configFile",
      "readsPictures",
      "pooling",
      "endTokens",
    ],
  },
  { class: SessionHandle, kind: "session", properties: ["length", "memoryBytes"] },
  { class: BentHandle, kind: "bent", properties: ["surgery"] },
  { class: TrainerHandle, kind: "trainer", properties: ["stepsDone", "memoryBytes"] },
];

function methodsOf({ class: exposedClass, base }: Exposed): Record<string, number> {
  const found = [exposedClass, ...(base ? [base] : [])]
    .flatMap(({ prototype }) => Object.entries(Object.getOwnPropertyDescriptors(prototype)))
    .filter(([, { value }]) => typeof value === "function")
    .filter(([name]) => name !== "constructor" && name !== "dispose")
    // The length that `guard` has set.
    .map(([name, { value }]) => [name, (value as { length: number }).length]);
  return Object.fromEntries(found);
}

/** The methods of each kind of object, with their numbers of arguments. */
export const methods = Object.fromEntries([
  ...exposed.map((item) => [item.kind, methodsOf(item)]),
  ["generation", { next: 0, return: 1 }],
]) as Started["methods"];

export const propertiesOf = Object.fromEntries(
  exposed.map(({ kind, properties }) => [kind, properties]),
) as Partial<Record<Kind, readonly string[]>>;

/** The kind of a result that stays in the worker; undefined for one that is sent. */
export function kindOf(value: unknown): Kind | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Symbol.asyncIterator in value) return "generation";
  return exposed.find(({ class: { prototype } }) => Object.getPrototypeOf(value) === prototype)
    ?.kind;
}
