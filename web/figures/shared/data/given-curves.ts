/**
 * Curves given by a page: from a property, a JSON file or a CSV file whose first column is the
 * horizontal axis. A gap is null, NaN or an empty field.
 */
import type { GivenCurves } from "whereformer/elements";
import { isList, isObject, longestList, partsOf, textIn } from "../given/kinds.js";
import { refused } from "../given/refused.js";
import { fetchData, malformed, nameOfAddress } from "./data-source.js";

export interface Curve {
  name: string;
  /** One value for each point of the axis; NaN in a gap. */
  values: readonly number[];
  /** Limits of a band around the curve. */
  low?: readonly number[];
  high?: readonly number[];
}

export interface Curves {
  x: readonly number[];
  lines: readonly Curve[];
}

type GivenLine = Extract<GivenCurves, { lines: unknown }>["lines"][number];

const maxLines = 64;

/** Returns the numbers of a list that a page gives; NaN in a gap. */
export function listedNumbers(name: string, list: unknown): number[] {
  if (!isList(list)) throw refused(name, list, { expected: "list" });
  const parts = partsOf(list);
  if (!parts) throw refused(name, list, { expected: "max", max: longestList });
  return parts.map((given, at) => {
    if (given === null || given === undefined) return Number.NaN;
    const value = typeof given === "bigint" ? Number(given) : given;
    if (typeof value !== "number") throw refused(`${name}[${at}]`, given, { expected: "value" });
    return Number.isFinite(value) ? value : Number.NaN;
  });
}

/**
 * Reads the lists of a curve, which are as long as the axis; `path` is its position in the input.
 */
function lineOf(given: unknown, path: string): Curve {
  if (!isObject(given)) throw refused(path, given, { expected: "curves" });
  const { name = "", values, low, high } = given;
  const said = textIn(name);
  if (said === undefined) throw refused(`${path}.name`, name, { expected: "text" });
  const line = { name: said, values: listedNumbers(`${path}.values`, values) };
  if (!low || !high) return line;
  return {
    ...line,
    low: listedNumbers(`${path}.low`, low),
    high: listedNumbers(`${path}.high`, high),
  };
}

/** Returns curves from any of these forms, each with its position in the input. */
function linesOf(property: string, given: unknown): { x?: unknown; lines: [Curve, string][] } {
  const plain = (name: string, list: unknown, path: string): [Curve, string] => [
    { name, values: listedNumbers(path, list) },
    path,
  ];
  if (isList(given)) {
    if (!isList(given[0])) return { lines: [plain("", given, property)] };
    const lists = partsOf(given) ?? [];
    return { lines: lists.map((list, at) => plain("", list, `${property}[${at}]`)) };
  }
  if (!isObject(given)) throw refused(property, given, { expected: "curves" });
  const { x, lines, ...named } = given;
  if (Array.isArray(lines))
    return {
      x,
      lines: lines.map((line, at) => {
        const path = `${property}.lines[${at}]`;
        return [lineOf(line, path), path];
      }),
    };
  const all = Object.entries(lines === undefined ? named : { lines, ...named });
  return { x, lines: all.map(([name, list]) => plain(name, list, `${property}.${name}`)) };
}

/** `property` is the name of the given property. */
export function curvesOf(given: unknown, property = "curves"): Curves {
  const { x: axis, lines } = linesOf(property, given);
  const count = lines[0]?.[0].values.length ?? 0;
  if (!count) throw refused(property, given, { expected: "curves" });
  if (lines.length > maxLines) throw refused(property, given, { expected: "max", max: maxLines });
  const [, where] = lines[0]!;
  const x =
    axis === undefined
      ? Array.from({ length: count }, (_, at) => at)
      : listedNumbers(`${property}.x`, axis);
  const wrong = x.findIndex((value, at) => !(value >= 0) || (at > 0 && value <= x[at - 1]!));
  if (wrong >= 0) throw refused(`${property}.x[${wrong}]`, x[wrong], { expected: "rising" });
  const choices = axis === undefined ? where : `${property}.x`;
  for (const [{ values, low = values, high = values }, path] of lines)
    for (const list of [values, low, high])
      if (list.length !== x.length)
        throw refused(path, list, { expected: "alike", max: x.length, choices });
  return { x, lines: lines.map(([line]) => line) };
}

/** Splits a line of CSV into fields (RFC 4180). */
const fieldsOf = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? plain!.trim() : quoted.replaceAll('""', '"'),
  );

/**
 * Reads a header, then a row for each point; `NAME low` and `NAME high` are the band around NAME.
 */
export function curvesOfCsv(text: string): Curves {
  const rows = text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .filter((line) => line.trim());
  const [header = [], ...body] = rows.map(fieldsOf);
  const columns = header.map((name, at) =>
    body.map((fields) => {
      const field = fields[at] ?? "";
      if (field === "") return null;
      const value = Number(field);
      if (Number.isNaN(value)) throw malformed(`${name}: "${field}" is not a number`);
      return value;
    }),
  );
  const columnOf = (name: string) => columns[header.indexOf(name, 1)];
  const isEdge = (name: string) =>
    / (?:low|high)$/.test(name) && columnOf(name.replace(/ \w+$/, ""));
  const lines = header.flatMap((name, at): GivenLine[] => {
    if (!at || isEdge(name)) return [];
    const [low, high] = [columnOf(`${name} low`), columnOf(`${name} high`)];
    return [{ name, values: columns[at]!, ...(low && high && { low, high }) }];
  });
  return curvesOf({ x: columns[0] ?? [], lines });
}

export async function curvesOfAddress(src: string, signal: AbortSignal): Promise<Curves> {
  const text = await (await fetchData(src, signal)).text();
  if (!/^[\s\ufeff]*[[{]/.test(text)) return curvesOfCsv(text);
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (reason) {
    throw malformed(`${nameOfAddress(src)}: ${(reason as Error).message}`);
  }
  return curvesOf(given);
}

/** Returns the curves as a table that `curvesOfCsv` reads. */
export function tableOfCurves({ x, lines }: Curves, axis: string): (string | number)[][] {
  const named = lines.map((line, at) => ({ ...line, name: line.name || String(at + 1) }));
  const columns = named.flatMap(
    ({ name, values, low, high }): [string, readonly number[]][] =>
      [
        [name, values],
        ...(low && high
          ? ([
              [`${name} low`, low],
              [`${name} high`, high],
            ] as const)
          : []),
      ] as [string, readonly number[]][],
  );
  const field = (value: number) => (Number.isNaN(value) ? "" : value);
  return [
    [axis, ...columns.map(([name]) => name)],
    ...x.map((position, at) => [position, ...columns.map(([, list]) => field(list[at]!))]),
  ];
}
