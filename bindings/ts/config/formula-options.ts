/** The options of a scheme that is written as formulas, as texts for the engine and back. */
import type { OptionValue, OptionValues, SchemeDescription } from "../types/index.js";
import { boolean, checkObject, checkOptions, integer, refuse, show } from "../wire/arguments.js";
import { tagOf } from "../wire/arrays.js";
import { answerOf } from "../wire/error.js";
import { checkLength, shapeOf } from "../wire/lists.js";
import { isMemory } from "../wire/memory.js";
import { isPlain } from "../wire/platform.js";
import { maxHeads } from "./head-sizes.js";

type Options = Record<string, unknown>;

/** Whether a scheme is written by its user. */
export const isFormula = ({ family }: SchemeDescription): boolean => family === "formula";

/** The description of a scheme whose hooks and terms its formulas decide; others unchanged. */
export function withOptions(
  description: SchemeDescription,
  options: Readonly<Record<string, unknown>>,
): SchemeDescription {
  if (!isFormula(description)) return description;
  const has = (key: string) => options[key] !== undefined && options[key] !== "";
  const transforms = ["angle", "frequency", "queryScale", "keyScale"].some(has);
  const { terms } = options;
  return {
    ...description,
    hooks: description.hooks.filter(
      (hook) => (hook !== "embeddings" || has("add")) && (hook !== "transform" || transforms),
    ),
    terms: [
      ...(transforms ? ["transform"] : []),
      ...(has("bias") ? ["bias"] : []),
      ...(isPlain(terms) ? Object.keys(terms) : []),
    ],
  };
}

const usualDistance = 1024;
const maxValues = 2 ** 18;
/** Elements of a list of schemes that are searched for functions. */
const maxListed = 64;
/** Stands for -Infinity, which JSON cannot hold; float32 has no such number. */
const infinite = Number.MAX_VALUE;

// ---- Numbers

const listed = "a list of numbers, a Float32Array or an ArrayBuffer of float32";

/** The elements of a list or an array; undefined for other values. */
function numbersIn(argument: string, value: unknown): ArrayLike<unknown> | undefined {
  if (isMemory(value)) {
    if (value.byteLength % 4) refuse(`${argument}.byteLength`, value.byteLength, "a multiple of 4");
    return new Float32Array(value as ArrayBuffer);
  }
  return Array.isArray(value) || /^Float(?:32|64)Array$/.test(tagOf(value) ?? "")
    ? (value as ArrayLike<unknown>)
    : undefined;
}

/** Numbers in the engine's form: finite ones. */
function plainNumbers(argument: string, list: ArrayLike<unknown>): number[] {
  if (list.length > maxValues) refuse(`${argument}.length`, list.length, `at most ${maxValues}`);
  return Array.from({ length: list.length }, (_, i) => {
    const one: unknown = list[i];
    if (one === -Infinity) return -infinite;
    return typeof one === "number" && Number.isFinite(one)
      ? one
      : refuse(`${argument}[${i}]`, one, "a finite number or -Infinity");
  });
}

// ---- A bias that is no formula

/** A bias by distance as a parameter: `rows` of 2 · reach + 1 numbers. */
interface Tabulated {
  numbers: number[];
  rows: number;
  reach: number;
  trained: boolean;
}

const isTable = (value: unknown): boolean =>
  typeof value === "object" || typeof value === "function";

function callEach(call: unknown, numHeads: number, reach: number): number[] {
  const numbers: number[] = [];
  for (let head = 0; head < numHeads; head++)
    for (let distance = -reach; distance <= reach; distance++) {
      const value = answerOf("bias", () => (call as (at: object) => unknown)({ head, distance }));
      const at = `bias({ head: ${head}, distance: ${distance} })`;
      numbers.push(...plainNumbers(at, [value]));
    }
  return numbers;
}

function tabulated(given: unknown, numHeads: number): Tabulated {
  const isNamed = isPlain(given) && "table" in given;
  if (isNamed) checkOptions("bias", given, ["table", "maxDistance", "trained"]);
  const { table, maxDistance, trained } = (isNamed ? given : { table: given }) as Options;
  const asked =
    maxDistance === undefined ? undefined : integer("bias.maxDistance", maxDistance, 0, maxValues);
  const isTrained = trained === undefined ? false : boolean("bias.trained", trained);
  if (typeof table === "function") {
    const reach = asked ?? usualDistance;
    const size = numHeads * (2 * reach + 1);
    if (size > maxValues)
      refuse(
        "bias.maxDistance",
        reach,
        `${maxValues} numbers at most, ${size} for ${numHeads} heads`,
      );
    return { numbers: callEach(table, numHeads, reach), rows: numHeads, reach, trained: isTrained };
  }
  const isTensor = typeof table === "object" && table !== null && "shape" in table;
  const { data, shape } = (isTensor ? table : { data: table }) as Options;
  const list = numbersIn("bias", data) ?? refuse("bias", table, `a formula, a function, ${listed}`);
  const numbers = plainNumbers("bias", list);
  const fits = (rows: number) => {
    const columns = numbers.length / rows;
    return columns % 2 === 1 && (asked === undefined || columns === 2 * asked + 1);
  };
  let rows = fits(numHeads) ? numHeads : 1;
  if (isTensor) {
    const sizes = shapeOf("bias", shape);
    checkLength("bias", sizes, numbers.length);
    rows = sizes.length === 2 ? sizes[0]! : 1;
    if (sizes.length > 2 || (rows !== 1 && rows !== numHeads))
      refuse("bias.shape", sizes, `[2·M+1] or [${numHeads},2·M+1]`);
  }
  if (!fits(rows)) {
    const columns = asked === undefined ? "2·M+1" : `${2 * asked + 1}`;
    refuse("bias", table, `${columns} numbers, from distance -M to M, for all heads or each`);
  }
  return { numbers, rows, reach: (numbers.length / rows - 1) / 2, trained: isTrained };
}

/** The options of a formula, whose bias is a table if it was a function. */
function withoutFunction(options: Options, numHeads: unknown): Options {
  const { bias } = options;
  const isFunction =
    typeof bias === "function" ||
    (isPlain(bias) && typeof (bias as Options)["table"] === "function");
  if (!isFunction) return options;
  const found = tabulated(bias, integer("numHeads", numHeads, 1, maxHeads));
  const data = Float64Array.from(found.numbers, (one) => (one === -infinite ? -Infinity : one));
  const shape = [found.rows, 2 * found.reach + 1];
  return { ...options, bias: { table: { data, shape }, trained: found.trained } };
}

/**
 * The arguments of `wf.scheme`, `wf.model` or `wf.trainer` with tables in place of functions, which
 * cannot be sent to a worker.
 */
export function withoutFunctions(argument: unknown, numHeads?: unknown): unknown {
  // A longer list is none of schemes; the worker refuses it.
  if (Array.isArray(argument) && argument.length <= maxListed)
    return argument.map((one) => (Array.isArray(one) ? one : withoutFunctions(one, numHeads)));
  if (!isPlain(argument)) return argument;
  const heads = argument["numHeads"] ?? numHeads;
  const changed = { ...withoutFunction(argument, heads) };
  for (const key of ["config", "scheme", "options"])
    if (key in changed) changed[key] = withoutFunctions(changed[key], heads);
  const { layers } = changed;
  if (!isPlain(layers)) return changed;
  const types = Object.entries(layers).map(([type, spec]) => [type, withoutFunctions(spec, heads)]);
  return { ...changed, layers: Object.fromEntries(types) };
}

// ---- To the engine

const slots = ["bias", "angle", "frequency", "add", "queryScale", "keyScale", "logitScale"];
const namePattern = /^[A-Za-z_]\w*$/;

function formulaText(argument: string, value: unknown): string {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return typeof value === "string" ? value : refuse(argument, value, "a formula");
}

/** A part of a declaration: a formula on its own. */
function partText(argument: string, value: unknown): string {
  const text = formulaText(argument, value);
  return /[;=]|\bgiven\b/.test(text.replace(/[<>!=]=/g, ""))
    ? refuse(argument, value, 'a formula without "let"')
    : text;
}

function termLines(terms: unknown): string {
  checkObject("terms", terms);
  const line = ([name, formula]: [string, unknown]) =>
    /^[^\s:][^\n\r:]{0,39}$/.test(name)
      ? `${name}:${formulaText(`terms.${name}`, formula).replace(/[\n\r]/g, " ")}`
      : refuse("terms", name, "names of up to 40 characters, without a colon");
  return Object.entries(terms).map(line).join("\n");
}

/** A parameter as the engine declares it. Numbers of a list are added to `values`. */
function declaration(name: string, given: unknown, values: number[]): string {
  const at = `parameters.${name}`;
  if (!namePattern.test(name)) refuse("parameters", name, "names of letters, digits and _");
  const isShort = typeof given !== "object" || given === null;
  if (isShort) return `${name} = ${partText(at, given)}`;
  checkOptions(at, given, ["shape", "initial", "positive", "trained"]);
  const { shape, initial = 0, positive = false, trained = true } = given as Options;
  if (shape !== undefined && !Array.isArray(shape)) refuse(`${at}.shape`, shape, "a list of sizes");
  const sizes = ((shape ?? []) as unknown[]).map((size, i) => partText(`${at}.shape[${i}]`, size));
  const list = numbersIn(`${at}.initial`, initial);
  if (list) for (const one of plainNumbers(`${at}.initial`, list)) values.push(one);
  return [
    boolean(`${at}.trained`, trained) ? "" : "frozen ",
    boolean(`${at}.positive`, positive) ? "positive " : "",
    name,
    sizes.length ? `[${sizes.join(", ")}]` : "",
    ` = ${list ? `given(${list.length})` : partText(`${at}.initial`, initial)}`,
  ].join("");
}

/** Options as the engine names them: each a text, besides `values` and choices. */
export function engineOptions(options: Options, numHeads: number): Options {
  const { bias, terms, parameters = {}, ...rest } = options;
  const found: Options = {};
  const values: number[] = [];
  const declared: string[] = [];
  for (const [key, value] of Object.entries(rest))
    if (value !== undefined) found[key] = slots.includes(key) ? formulaText(key, value) : value;
  checkObject("parameters", parameters);
  for (const [name, given] of Object.entries(parameters))
    declared.push(declaration(name, given, values));
  if (isTable(bias)) {
    const { numbers, rows, reach, trained } = tabulated(bias, numHeads);
    if ("table" in parameters) refuse("parameters", "table", "another name beside such a bias");
    const shape = rows > 1 ? `H, ${2 * reach + 1}` : 2 * reach + 1;
    declared.push(`${trained ? "" : "frozen "}table[${shape}] = given(${numbers.length})`);
    for (const one of numbers) values.push(one);
    found["bias"] = `table[${rows > 1 ? "h, " : ""}r + ${reach}]`;
  } else if (bias !== undefined) {
    found["bias"] = formulaText("bias", bias);
  }
  if (terms !== undefined) found["terms"] = termLines(terms);
  if (values.length > maxValues)
    refuse("parameters", show(values), `at most ${maxValues} numbers in lists`);
  if (declared.length) found["parameters"] = declared.join("; ");
  if (values.length) found["values"] = values;
  return found;
}

// ---- From the engine

/** A number, if a text is the usual form of one. */
const plain = (text: string): number | string =>
  String(Number(text)) === text ? Number(text) : text;

/** The parts between commas outside of parentheses. */
function partsOf(text: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const one of text) {
    depth += one === "(" ? 1 : one === ")" ? -1 : 0;
    if (one === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += one;
  }
  return parts.map((part) => part.trim());
}

const declarationPattern = /^((?:(?:positive|frozen)\s+)*)(\w+)\s*(?:\[(.*)\])?\s*=\s*(.*)$/s;

/** A declared parameter and its name. `taken` counts the numbers of lists. */
function publicParameter(
  text: string,
  taken: { values: number[]; count: number },
): [string, Options] {
  const [, marks = "", name = "", shape, initial = ""] = declarationPattern.exec(text) ?? [];
  const count = Number(/^given\((\d+)\)$/.exec(initial)?.[1] ?? 0);
  const list = taken.values.slice(taken.count, taken.count + count);
  taken.count += count;
  return [
    name,
    {
      ...(shape === undefined ? {} : { shape: partsOf(shape).map(plain) }),
      initial: count ? list : plain(initial),
      ...(marks.includes("positive") ? { positive: true } : {}),
      ...(marks.includes("frozen") ? { trained: false } : {}),
    },
  ];
}

/** The public form of options that the engine has as texts. */
export function publicOptions(options: OptionValues): OptionValues {
  const { terms, parameters, values, ...rest } = options;
  const found: Record<string, unknown> = Object.fromEntries(
    Object.entries(rest).filter(([, value]) => value !== ""),
  );
  if (terms)
    found["terms"] = Object.fromEntries(
      (terms as string).split("\n").map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon), line.slice(colon + 1)];
      }),
    );
  const taken = { values: values as number[], count: 0 };
  if (parameters)
    found["parameters"] = Object.fromEntries(
      (parameters as string).split("; ").map((text) => publicParameter(text, taken)),
    );
  return found as Record<string, OptionValue>;
}
