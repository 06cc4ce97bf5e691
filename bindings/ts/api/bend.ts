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
  SchemeDescription,
  Surgery,
} from "../types/index.js";
import { checkOptions, number, refuse, text } from "../wire/arguments.js";
import { guard } from "../wire/guard.js";
import { indices } from "../wire/lists.js";

type Schemes = readonly SchemeDescription[];
type Changed = Pick<Surgery, "scheme"> | undefined;

interface Given {
  id: string;
  options: Readonly<Record<string, unknown>>;
}

const remapKeys = ["method", "window", "group", "chunk", "kept"];

/**
 * A rotary scheme with other positions for distant keys: the scheme of the registry with these
 * options, if that one rotates in the same way, by options of the same names.
 */
function remapped(remap: Bend["remap"], { id, options }: Given, schemes: Schemes): Given {
  if (remap === undefined) return { id, options };
  const keysOf = (scheme: SchemeDescription) =>
    new Set(scheme.options.map(({ key }) => key.split(".")[0]!));
  const target = schemes.find((one) => remapKeys.every((key) => keysOf(one).has(key)))!;
  const keys = keysOf(target);
  const isRotation = [...keys].every((key) => key in options || remapKeys.includes(key));
  // What the target lacks must be off.
  const isPlain = Object.entries(options).every(([key, value]) => keys.has(key) || value === false);
  if (!isRotation || !isPlain)
    refuse(
      "remap",
      id,
      "layers of plain RoPE, without learned frequencies and rotated values",
      "unsupported",
    );
  const rotation = Object.entries(options).filter(([key]) => keys.has(key));
  return { id: target.id, options: { ...Object.fromEntries(rotation), ...remap } };
}

/** The changed schemes of a layer type; undefined if none of them rotates. */
function bentLayer(
  { scheme }: CompletedLayer,
  { ropeTheta, ropeScaling, positions, remap }: Bend,
  schemes: Schemes,
): Changed {
  if (positions === "none") return { scheme: [] };
  const rotates = ({ options }: { options: object }) => "ropeTheta" in options;
  if (!scheme.some(rotates)) return undefined;
  const scaling = ropeScaling === "none" ? { ropeType: "default" } : ropeScaling;
  const list = scheme.map((one) =>
    rotates(one)
      ? remapped(
          remap,
          {
            id: one.id,
            options: {
              ...one.options,
              ...(ropeTheta === undefined ? {} : { ropeTheta }),
              ...(scaling === undefined ? {} : { ropeScaling: scaling }),
            },
          },
          schemes,
        )
      : one,
  );
  return { scheme: list as NonNullable<Surgery["scheme"]> };
}

export function bendSurgery(config: Model["config"], bend: Bend, schemes: Schemes): Surgery[] {
  checkOptions("bend", bend, ["ropeTheta", "ropeScaling", "remap", "positions", "layers"]);
  const { ropeTheta, ropeScaling, positions, remap } = bend;
  if (ropeTheta !== undefined) number("ropeTheta", ropeTheta, Number.MIN_VALUE);
  if (remap !== undefined) {
    checkOptions("remap", remap, remapKeys);
    text("remap.method", remap.method);
  }
  const isChanged =
    positions === "none" ||
    ropeTheta !== undefined ||
    ropeScaling !== undefined ||
    remap !== undefined;
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
    const changed = bentLayer(kinds?.[kind] ?? config, bend, schemes);
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

  constructor(model: Model, bend: Bend, schemes: Schemes) {
    this.#model = model;
    this.surgery = bendSurgery(model.config, bend, schemes);
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
