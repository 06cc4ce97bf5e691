/** The maps of the lab as one picture and as one file, and the number of a cell. */
import type { MapView } from "../../../controls/map-view.js";
import { sideBySide } from "../exports/side-by-side.js";
import { mapAsCsv } from "./map-file.js";
import type { FigureMap } from "./maps-figure.js";

/** Draws the maps side by side, each under its title; null without a map. */
export function allMaps(views: Iterable<MapView>) {
  const all = [...views];
  const palette = all[0]?.palette;
  const titled = all.flatMap(({ picture, label }) => (picture ? [{ picture, title: label }] : []));
  return palette && titled.length ? { palette, picture: sideBySide(titled, palette) } : null;
}

/** Writes one map after the other, each under its title. */
export async function mapsAsCsv(maps: readonly FigureMap[]): Promise<Blob> {
  const parts: (Blob | string)[] = [];
  for (const { title, source, rowLabels, columnLabels } of maps) {
    if (!source) continue;
    const csv = await mapAsCsv(source, rowLabels, columnLabels);
    // Only one byte order mark, which makes spreadsheets read UTF-8.
    parts.push(
      `${parts.length ? "" : "\ufeff"}"${title.replaceAll('"', '""')}"\r\n`,
      csv.slice(3),
      "\r\n",
    );
  }
  return new Blob(parts, { type: "text/csv" });
}
