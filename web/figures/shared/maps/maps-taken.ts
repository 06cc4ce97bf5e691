/** The maps of the lab as one picture, as one file, and a cell's number. */
import type { MapView } from "../../../controls/map-view.js";
import { sideBySide } from "../taken/beside.js";
import { mapAsCsv } from "./map-file.js";
import type { FigureMap } from "./maps-figure.js";

/** Side by side, each under its title; null while there is none. */
export function allMaps(views: Iterable<MapView>) {
  const all = [...views];
  const palette = all[0]?.palette;
  const titled = all.flatMap(({ picture, label }) => (picture ? [{ picture, title: label }] : []));
  return palette && titled.length ? { palette, picture: sideBySide(titled, palette) } : null;
}

/** One map after the other, each under its title. */
export async function mapsAsCsv(maps: readonly FigureMap[]): Promise<Blob> {
  const parts: (Blob | string)[] = [];
  for (const { title, source, rowLabels, columnLabels } of maps) {
    if (!source) continue;
    const csv = await mapAsCsv(source, rowLabels, columnLabels);
    // The mark that makes spreadsheets read UTF-8 stands once.
    parts.push(
      `${parts.length ? "" : "\ufeff"}"${title.replaceAll('"', '""')}"\r\n`,
      csv.slice(3),
      "\r\n",
    );
  }
  return new Blob(parts, { type: "text/csv" });
}
