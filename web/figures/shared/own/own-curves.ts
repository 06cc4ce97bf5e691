/**
 * Curves of one's own: from a property, a JSON file or a CSV file whose first column is the
 * horizontal axis. A gap is null, NaN or an empty field.
 */
import { fetchOwn, malformed, nameOfAddress } from "./own-source.js";

export interface Curve {
  name: string;
  /** As many as there are places on the axis; NaN where there is none. */
  values: readonly number[];
  /** Ends of a band around the curve. */
  low?: readonly number[];
  high?: readonly number[];
}

export interface Curves {
  x: readonly number[];
  lines: readonly Curve[];
}

type List = ArrayLike<number | null>;
interface GivenLine {
  name?: string;
  values: List;
  low?: List;
  high?: List;
}

/** Numbers, lists of them, lists by name, or the axis with lines. */
export type GivenCurves =
  | List
  | readonly List[]
  | Readonly<Record<string, List>>
  | { x?: List; lines: readonly GivenLine[] };

const mostLines = 64;
const mostPlaces = 65_536;

const isList = (value: unknown): value is List =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));

function numbers(name: string, list: unknown): number[] {
  if (!isList(list)) throw malformed(`${name}: not a list of numbers`);
  return Array.from(list, (value, at) => {
    if (value === null || value === undefined) return Number.NaN;
    if (typeof value !== "number") throw malformed(`${name}[${at}]: ${JSON.stringify(value)}`);
    return Number.isFinite(value) ? value : Number.NaN;
  });
}

/** Lists of a line, which are as long as the axis. */
function lineOf({ name = "", values, low, high }: GivenLine, at: number): Curve {
  const said = `curves: ${name || `line ${at + 1}`}`;
  const line = { name: String(name), values: numbers(said, values) };
  if (!low || !high) return line;
  return { ...line, low: numbers(`${said} low`, low), high: numbers(`${said} high`, high) };
}

/** Whatever form they were given in, as lines. */
function linesOf(given: unknown): { x?: unknown; lines: Curve[] } {
  if (isList(given)) {
    const isMany = isList((given as unknown as unknown[])[0]);
    const lists = (isMany ? given : [given]) as unknown as List[];
    return { lines: lists.map((values, at) => lineOf({ name: "", values }, at)) };
  }
  if (typeof given !== "object" || given === null)
    throw malformed("curves: neither lists of numbers nor { x, lines }");
  const { x, lines } = given as { x?: unknown; lines?: unknown };
  if (Array.isArray(lines)) return { x, lines: lines.map(lineOf) };
  const { x: _x, ...named } = given as Record<string, List>;
  const entries = Object.entries(named);
  return { x, lines: entries.map(([name, values], at) => lineOf({ name, values }, at)) };
}

export function curvesOf(given: unknown): Curves {
  const { x: axis, lines } = linesOf(given);
  const count = lines[0]?.values.length ?? 0;
  if (!count) throw malformed("curves: no numbers");
  if (lines.length > mostLines || count > mostPlaces)
    throw malformed(
      `curves: ${lines.length} lines of ${count}; at most ${mostLines} of ${mostPlaces}`,
    );
  const x = axis === undefined ? Array.from({ length: count }, (_, at) => at) : numbers("x", axis);
  if (x.some((value, at) => !(value >= 0) || (at > 0 && value <= x[at - 1]!)))
    throw malformed("x: allowed are numbers from 0 on, each larger than the one before");
  for (const { name, values, low = values, high = values } of lines)
    for (const list of [values, low, high])
      if (list.length !== x.length)
        throw malformed(
          `curves: ${name || "a line"} has ${list.length} numbers, x has ${x.length}`,
        );
  return { x, lines };
}

/** Fields of a line of CSV (RFC 4180). */
const fieldsOf = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? plain!.trim() : quoted.replaceAll('""', '"'),
  );

/** A header, then a row for each place; `NAME low` and `NAME high` are the band around NAME. */
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
  const text = await (await fetchOwn(src, signal)).text();
  if (!/^[\s\ufeff]*[[{]/.test(text)) return curvesOfCsv(text);
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (reason) {
    throw malformed(`${nameOfAddress(src)}: ${(reason as Error).message}`);
  }
  return curvesOf(given);
}

/** As a table that `curvesOfCsv` reads. */
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
    ...x.map((place, at) => [place, ...columns.map(([, list]) => field(list[at]!))]),
  ];
}
