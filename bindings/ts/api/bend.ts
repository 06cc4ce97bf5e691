/** A trained model with other positions (`model.bend`), as a shorthand for a surgery. */

import type {
  Bend,
  BentModel,
  CompletedLayer,
  Model,
  ModelRecordName,
  ModelResult,
  Recorded,
  RunOptions,
  Surgery,
} from "../types/index.js";
import { checkOptions, number, refuse } from "../wire/arguments.js";
import { guard } from "../wire/guard.js";
import { indices } from "../wire/lists.js";

type Changed = Pick<Surgery, "scheme"> | undefined;

/** The changed schemes of a layer type; undefined if none of them rotates. */
function bentLayer(
  { scheme }: CompletedLayer,
  { ropeTheta, ropeScaling, positions }: Bend,
): Changed {
  if (positions === "none") return { scheme: [] };
  const rotates = ({ options }: { options: object }) => "ropeTheta" in options;
  if (!scheme.some(rotates)) return undefined;
  const scaling = ropeScaling === "none" ? { ropeType: "default" } : ropeScaling;
  const list = scheme.map((one) =>
    rotates(one)
      ? {
          id: one.id,
          options: {
            ...one.options,
            ...(ropeTheta === undefined ? {} : { ropeTheta }),
            ...(scaling === undefined ? {} : { ropeScaling: scaling }),
          },
        }
      : one,
  );
  return { scheme: list as NonNullable<Surgery["scheme"]> };
}

export function bendSurgery(config: Model["config"], bend: Bend): Surgery[] {
  checkOptions("bend", bend, ["ropeTheta", "ropeScaling", "positions", "layers"]);
  const { ropeTheta, ropeScaling, positions } = bend;
  if (ropeTheta !== undefined) number("ropeTheta", ropeTheta, Number.MIN_VALUE);
  const isChanged = positions === "none" || ropeTheta !== undefined || ropeScaling !== undefined;
  const { numLayers, layerTypes, layers: kinds } = config;
  const given = [...indices("layers", bend.layers, numLayers)];
  const chosen = given.length ? given : Array.from({ length: numLayers }, (_, i) => i);
  if (!isChanged) return [];
  const parts = new Map<string, number[]>();
  for (const layer of chosen) {
    const kind = layerTypes?.[layer] ?? "";
    parts.set(kind, [...(parts.get(kind) ?? []), layer]);
  }
  const surgery = [...parts].flatMap(([kind, layers]) => {
    const changed = bentLayer(kinds?.[kind] ?? config, bend);
    return changed ? [{ ...changed, layers }] : [];
  });
  return surgery.length
    ? surgery
    : refuse("bend", bend, 'positions: "none", since no layer rotates', "unsupported");
}

/** A bent model. It holds no memory of the engine. */
export class BentHandle implements BentModel {
  declare [Symbol.dispose]: () => void;
  readonly #model: Model;
  readonly surgery: readonly Surgery[];
  readonly #positions: Bend["positions"];

  constructor(model: Model, bend: Bend) {
    this.#model = model;
    this.surgery = bendSurgery(model.config, bend);
    this.#positions = bend.positions;
  }

  #options<T extends object>(options: T) {
    const positions = this.#positions;
    const moved = positions === undefined || positions === "none" ? {} : { positions };
    return { ...moved, surgery: this.surgery, ...options };
  }

  run<const Names extends readonly ModelRecordName[] = readonly []>(
    input: Parameters<Model["run"]>[0],
    options: Omit<RunOptions, "surgery"> & { record?: Names } = {},
  ): ModelResult & Recorded<ModelResult, Names> {
    const known = ["record", "region", "positions", "ablate", "patch", "attentionMask"];
    checkOptions(
      "options",
      options,
      this.#model.encoderConfig ? [...known, "decoderTokens"] : known,
    );
    return this.#model.run(input, this.#options(options));
  }

  loss(ids: Parameters<Model["loss"]>[0], options: Parameters<BentModel["loss"]>[1] = {}) {
    const known = ["positions", "ablate", "patch", "exact"];
    checkOptions("options", options, this.#model.encoderConfig ? [...known, "labels"] : known);
    return this.#model.loss(ids, this.#options(options));
  }

  dispose(): void {}
}

Object.defineProperty(BentHandle.prototype, Symbol.dispose ?? Symbol.for("Symbol.dispose"), {
  configurable: true,
  writable: true,
  value() {},
});
guard(BentHandle, { run: 2, loss: 2 });
