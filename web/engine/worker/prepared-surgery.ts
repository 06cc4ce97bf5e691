/**
 * Surgery on a trained model: the surgery on offer, and the chosen one as the engine's arguments.
 */
import type { Engine, Model, SchemeSpec, Surgery } from "whereformer";
import {
  asScheme,
  blindScheme,
  farthestMove,
  heldOutWindow,
  operations,
  remapMethods,
  remappedScheme,
  rotatedOptions,
  type SurgeryKind,
  sightedScheme,
} from "../../defaults.js";
import { remapOf } from "../both/remap.js";
import type { SurgeryInForce, SurgeryOffer, SurgeryRequest } from "../both/surgery-messages.js";

/** `wavelengths`: those of the pairs that the model rotates, if it does. */
export function offerOf(
  wf: Engine,
  model: Model,
  wavelengths: Float32Array | undefined,
): SurgeryOffer {
  const pairs = wavelengths?.length ?? 0;
  const current = model.config.scheme;
  const described = current.map(({ id }) => wf.schemes.find((scheme) => scheme.id === id)!);
  const terms = ["content", ...described.flatMap((scheme) => scheme.terms)];
  const found = current.flatMap(({ options }, index) =>
    rotatedOptions.flatMap((key) => {
      const option = described[index]!.options.find((one) => one.key === key);
      return option ? [{ index, option, value: Number(options[key]) }] : [];
    }),
  )[0];
  // Surgery can give a layer schemes that act in attention; token vectors are made before the first
  // layer, and latent projections would need training.
  const schemes = wf.schemes
    .filter(
      ({ id, hooks, positionAxes, family }) =>
        positionAxes < 2 &&
        !hooks.includes("embeddings") &&
        family !== "latent" &&
        // It has an operation of its own.
        id !== remappedScheme &&
        current[0]?.id !== id,
    )
    .map(({ id }) => id);
  const offered: Record<SurgeryKind, boolean> = {
    zero: true,
    drop: pairs > 0,
    freeze: pairs > 0,
    option: found !== undefined,
    remap: current.some(({ id }) => id === sightedScheme),
    scheme: !described.some(({ hooks }) => hooks.includes("embeddings")),
    move: true,
    copy: true,
  };
  const result: SurgeryOffer = {
    operations: operations.filter((operation) => offered[operation]),
    terms,
    schemes,
    farthest: heldOutWindow,
    ...(wavelengths && { wavelengths: wavelengths.slice() }),
  };
  if (!found) return result;
  const { option, value } = found;
  const min = Math.max(option.minimum ?? 0, value / 256);
  const max = Math.min(option.maximum ?? Infinity, value * 16);
  return { ...result, option: { key: option.key, initial: value, min, max } };
}

const within = (value: number, min: number, max: number): number =>
  Math.min(max, Math.max(min, value));

/** Returns the written value if it fits, otherwise one with a visible effect. */
function fittingValue(operation: SurgeryKind, written: string, offer: SurgeryOffer): string {
  const pairs = offer.wavelengths?.length ?? 0;
  const number = (otherwise: number, min: number, max: number) =>
    String(
      within(
        written === "" || Number.isNaN(Number(written)) ? otherwise : Number(written),
        min,
        max,
      ),
    );
  const word = (list: readonly string[], otherwise: string | undefined) =>
    list.includes(written) ? written : (otherwise ?? list[0]!);
  switch (operation) {
    case "zero":
      return word(offer.terms, offer.terms[1]);
    case "drop":
    case "freeze":
      return number(Math.floor(pairs / 4), 0, pairs - 1);
    case "option":
      return number(offer.option!.initial / 64, offer.option!.min, offer.option!.max);
    case "remap": {
      const [method, window] = written.split(":");
      const known = remapMethods.find((one) => one === method) ?? "self_extend";
      return `${known}:${within(Math.round(Number(window)) || 16, 1, offer.farthest)}`;
    }
    case "scheme":
      return word(offer.schemes, offer.schemes.includes(blindScheme) ? blindScheme : undefined);
    case "move":
      return number(farthestMove / 2, -farthestMove, farthestMove);
    case "copy":
      return "";
  }
}

function surgeryOf(
  { where, layer, head }: SurgeryRequest,
  operation: SurgeryKind,
  value: string,
  model: Model,
  offer: SurgeryOffer,
): Surgery | undefined {
  const layers = where === "all" ? {} : { layers: [layer] };
  const heads = where === "head" ? { heads: [head] } : {};
  switch (operation) {
    case "zero":
      return { ...layers, ...heads, zero: [value] };
    case "drop":
      return { ...layers, ...heads, dropPairs: [Number(value)] };
    case "freeze":
      return { ...layers, ...heads, freezePairs: [Number(value)] };
    case "option": {
      const { key } = offer.option!;
      const scheme = model.config.scheme.map(({ id, options }) =>
        key in options ? { id, options: { ...options, [key]: Number(value) } } : { id, options },
      ) as SchemeSpec[];
      return { ...layers, scheme };
    }
    case "remap": {
      const [bent] = model.bend({ remap: remapOf(value), ...layers }).surgery;
      return bent;
    }
    case "scheme":
      return { ...layers, scheme: asScheme(value) };
    default:
      return undefined;
  }
}

/** Returns the moved token, its new position, and the positions of a text with it. */
function moveOf(request: SurgeryRequest, operation: SurgeryKind, value: string, n: number) {
  const token = within(request.token < 0 ? n >> 1 : request.token, 1, n - 1);
  const by = operation === "copy" ? -1 : Number(value);
  const to = within(token + by, 0, Math.max(n, heldOutWindow) - 1);
  const moved =
    operation === "move" || operation === "copy"
      ? (length: number) => Array.from({ length }, (_, at) => (at === token ? to : at))
      : undefined;
  return { token, to, moved };
}

/**
 * Arguments for a text of n tokens, and a function that gives the positions of a text of any
 * length.
 */
export interface Prepared {
  inForce: SurgeryInForce;
  moved: ((length: number) => number[]) | undefined;
}

export function prepareSurgery(
  model: Model,
  offer: SurgeryOffer,
  request: SurgeryRequest,
  n: number,
): Prepared {
  const operation = offer.operations.includes(request.operation) ? request.operation : "zero";
  const value = fittingValue(operation, request.value, offer);
  const surgery = surgeryOf(request, operation, value, model, offer);
  const { token, to, moved } = moveOf(request, operation, value, n);
  const { scheme, where, layer, head } = request;
  const inForce: SurgeryInForce = {
    ...offer,
    scheme,
    where,
    layer,
    head,
    operation,
    value,
    token,
    to,
    ...(surgery && { surgery }),
    ...(moved && { positions: moved(n) }),
  };
  return { inForce, moved };
}

/** Returns the arguments of `model.run`. */
export const argumentsOf = ({ surgery, positions }: SurgeryInForce) => ({
  ...(surgery && { surgery }),
  ...(positions && { positions }),
});
