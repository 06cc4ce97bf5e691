/**
 * Derives the schemes of a model from its config.json, by the rules of its family; names no family
 * itself.
 */

import type { SchemeDescription, SchemeSpec } from "../types/index.js";
import { checkObject, refuse } from "../wire/arguments.js";
import { unexpected, WhereformerError } from "../wire/error.js";
import { familiesOf, numberOf, type Rule, rulesOf, wordsOf } from "./schemes-of.js";

type File = Record<string, unknown>;

export const isObject = (value: unknown): value is File =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value at "a.b" or "a.0"; null counts as absent. */
export function at(file: File, path: string): unknown {
  let value: unknown = file;
  for (const name of path.split("."))
    value = typeof value === "object" && value !== null ? (value as File)[name] : undefined;
  return value ?? undefined;
}

/** Errors about one key's presence, to which a list of the omitted keys adds nothing. */
const presence = new WeakSet<WhereformerError>();
export const aboutPresence = (error: WhereformerError): WhereformerError => {
  presence.add(error);
  return error;
};
export const isAboutPresence = (error: WhereformerError): boolean =>
  presence.has(error) || error.details.value === null;

/** Error for a required key that a config.json lacks. */
export const missing = (key: string): WhereformerError => {
  const [argument, allowed] = [`config.${key}`, "a number"];
  const message = unexpected(argument, "missing", allowed);
  return aboutPresence(new WhereformerError("invalid_argument", message, { argument, allowed }));
};

// ---- Rotary parameters, of both versions of config.json

/** Keys that do not affect frequencies, or have another name beside them. */
const silentRotaryKeys = [
  "type",
  "finetuned",
  "rope_theta",
  "partial_rotary_factor",
  "max_position_embeddings",
];
/** Required keys of each kind of scaling, which have no default. */
const neededFacts = new Map<string, readonly string[]>(
  Object.entries({
    linear: ["factor"],
    dynamic: ["factor"],
    yarn: ["factor"],
    llama3: ["factor", "low_freq_factor", "high_freq_factor"],
    longrope: ["short_factor", "long_factor"],
  }),
);
const olderTypes = new Map<unknown, string>(Object.entries({ su: "longrope", mrope: "default" }));

/**
 * Brings `rope_parameters` (version 5) or `rope_scaling` (version 4) to one form: base and rotated
 * share at the file's top level, the rest as `rope_scaling.…`.
 */
function withRotary(file: File): File {
  // In a file of version 5, a `rope_scaling` added by hand applies, unless it changes nothing.
  const added = at(file, "rope_scaling");
  const isEmpty = isObject(added) && Object.keys(added).length === 0;
  const rotary = (isEmpty ? undefined : added) ?? at(file, "rope_parameters");
  if (rotary === undefined) return file;
  checkObject("config.rope_scaling", rotary);
  const kind = rotary["rope_type"] ?? rotary["type"] ?? "default";
  const needs = neededFacts.get(wordsOf(kind)) ?? [];
  for (const key of needs) if (at(rotary, key) === undefined) throw missing(`rope_scaling.${key}`);
  const scaling: File = { ...rotary, rope_type: olderTypes.get(kind) ?? kind };
  // Phi-3 has the trained length at the top level, and it applies there.
  const trained = at(file, "original_max_position_embeddings");
  if (trained !== undefined && kind !== "default")
    scaling["original_max_position_embeddings"] = trained;
  const beside = Object.fromEntries(
    ["rope_theta", "partial_rotary_factor"]
      .filter((key) => at(rotary, key) !== undefined)
      .map((key) => [key, rotary[key]]),
  );
  return { ...file, ...beside, rope_scaling: scaling };
}

// ---- Options

function setOption(options: File, key: string, value: unknown): void {
  const [group, name] = key.split(".") as [string, string?];
  if (name === undefined) options[group] = value;
  else options[group] = { ...(options[group] as object | undefined), [name]: value };
}

/** Options of a scheme: from the file's keys of the same names, and from the family's rule. */
function optionsIn(file: File, { options }: SchemeDescription, rule?: Rule): File {
  const found: File = {};
  const set = (values: Rule["defaults"] = {}) => {
    const given = typeof values === "function" ? values((key) => at(file, key)) : values;
    for (const [key, value] of Object.entries(given)) if (value !== undefined) found[key] = value;
  };
  set(rule?.defaults);
  for (const { key, configKey, kind, minimum = -1 } of options) {
    const value = configKey ? at(file, configKey) : undefined;
    // Hugging Face writes -1 for a size that is not set.
    const isSaid = value !== undefined && !(kind === "integer" && value === -1 && minimum >= 0);
    if (isSaid) setOption(found, key, value);
  }
  set(rule?.fixed);
  return found;
}

/** Refuses rotary parameters of the file that the schemes of a layer have no option for. */
function refuseUnread(file: File, options: SchemeDescription["options"]): void {
  const scaling = at(file, "rope_scaling");
  const known = options.map(({ configKey }) => configKey);
  if (!isObject(scaling) || !known.includes("rope_theta")) return;
  if (!known.includes("rope_scaling.rope_type")) {
    const kind = scaling["rope_type"];
    if (kind !== "default")
      refuse("config.rope_scaling.rope_type", kind, '"default"', "unsupported");
    return;
  }
  for (const [key, value] of Object.entries(scaling)) {
    const name = `rope_scaling.${key}`;
    const isRead =
      silentRotaryKeys.includes(key) ||
      known.some((option) => option === name || option.startsWith(`${name}.`));
    if (isRead || (value ?? undefined) === undefined) continue;
    const names = known.filter((name) => name.startsWith("rope_scaling."));
    refuse(`config.${name}`, value, `no key but ${names.join(", ")}`, "unsupported");
  }
}

// ---- Layer types

function holds(file: File, when: Rule["when"] = {}): boolean {
  return Object.entries(when).every(([key, allowed]) => {
    const value = at(file, key);
    return allowed === "given" ? value !== undefined && value !== false : allowed.includes(value);
  });
}

const conditionText = (when: Rule["when"] = {}): string =>
  Object.entries(when)
    .map(([key, allowed]) => {
      if (allowed === "given") return key;
      const values = allowed.map((one) => (one === undefined ? "missing" : JSON.stringify(one)));
      return `${key} ${values.join(" or ")}`;
    })
    .join(" and ");

/** Without a family: the scheme that the file names, or rotation if it has a base. */
function guess(schemes: readonly SchemeDescription[], file: File): SchemeDescription | undefined {
  const isNamed = ({ id }: SchemeDescription) =>
    at(file, "position_embedding_type") === id ||
    at(file, id) === true ||
    at(file, `attn_config.${id}`) === true;
  const isRotary = ["rope_theta", "rope_parameters", "rope_scaling"].some((key) => key in file);
  return (
    schemes.find(isNamed) ??
    (isRotary
      ? schemes.find(({ options }) => options.some((o) => o.configKey === "rope_scaling.rope_type"))
      : undefined)
  );
}

/** The schemes of a config.json, or of the part of one that applies to some of its layers. */
export function schemesFromFile(schemes: readonly SchemeDescription[], given: File): SchemeSpec[] {
  const listed = given["schemes"];
  if (listed !== undefined) {
    if (!Array.isArray(listed)) refuse("config.schemes", listed, "a list of { id, options }");
    return listed as SchemeSpec[];
  }
  const family = at(given, "model_type");
  const file = withRotary({ ...sizesIn(given), ...given });
  const specs = (found: { scheme: SchemeDescription; rule?: Rule }[]) => {
    refuseUnread(
      file,
      found.flatMap(({ scheme }) => scheme.options),
    );
    return found.map(
      ({ scheme, rule }) =>
        ({ id: scheme.id, options: optionsIn(file, scheme, rule) }) as SchemeSpec,
    );
  };
  if (family === undefined || family === "whereformer") {
    const scheme = guess(schemes, file);
    if (scheme) return specs([{ scheme }]);
    const allowed = `a config with "model_type" (its family) or "schemes"`;
    return refuse("config", given, allowed, "unsupported");
  }
  const rules = schemes.map((scheme) => ({
    scheme,
    ofFamily: rulesOf(scheme.id).filter(({ families }) =>
      families.split(" ").includes(family as string),
    ),
  }));
  const found = rules.flatMap(({ scheme, ofFamily }) => {
    const rule = ofFamily.find(({ when }) => holds(file, when));
    return rule ? [{ scheme, rule }] : [];
  });
  if (found.length) return specs(found);
  const ofFamily = rules.flatMap((one) => one.ofFamily);
  if (ofFamily.length) {
    const wanted = ofFamily.map(({ when }) => conditionText(when)).join("; or ");
    return refuse(`config of ${String(family)}`, given, `a config with ${wanted}`, "unsupported");
  }
  const known = [...new Set(schemes.flatMap(({ id }) => familiesOf(id)))].sort();
  return refuse("config.model_type", family, `one of ${known.join(", ")}`, "unsupported");
}

/**
 * Heads and widths under any name that a family uses for them; of the first stage if there are
 * several.
 */
export function sizesIn(file: File): File {
  const first = (...keys: string[]) =>
    keys.map((key) => at(file, key)).find((value) => value !== undefined);
  const stages = at(file, "num_heads");
  if (Array.isArray(stages)) {
    const [heads, width] = [numberOf(stages[0]), numberOf(at(file, "embed_dim"))];
    return { num_attention_heads: heads, hidden_size: width, head_dim: width / heads };
  }
  const heads = first(
    "num_attention_heads",
    "n_head",
    "n_heads",
    "num_heads",
    "attention_heads",
    "encoder_attention_heads",
  );
  const width = first("hidden_size", "n_embd", "d_model", "dim");
  const slices = [at(file, "qk_nope_head_dim"), at(file, "qk_rope_head_dim")];
  const latent = slices.every((part) => part !== undefined)
    ? numberOf(slices[0]) + numberOf(slices[1])
    : undefined;
  const headDim = latent ?? first("head_dim", "d_kv") ?? numberOf(width) / numberOf(heads);
  return { num_attention_heads: heads, hidden_size: width, head_dim: headDim };
}
