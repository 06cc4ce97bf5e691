/** Writes a picture as an SVG document, with vectors and text only, for papers and slides. */
import { systemFaces } from "./paint.js";
import type { CellsMark, Mark, Picture, RectMark, TextMark } from "./scene.js";

const escapeXml = (text: string): string =>
  text.replace(
    /[&<>"]/g,
    (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]!,
  );

const short = (value: number): string => String(Math.round(value * 100) / 100);

const degreesOf = (radians: number): string => short((radians * 180) / Math.PI);

const anchors = { left: "start", center: "middle", right: "end" } as const;

function textElement(mark: TextMark, faces: string): string {
  const transform = mark.rotation
    ? ` transform="rotate(${degreesOf(mark.rotation)} ${short(mark.x)} ${short(mark.y)})"`
    : "";
  return (
    `<text x="${short(mark.x)}" y="${short(mark.y)}" fill="${mark.fill}" font-size="${mark.size}"` +
    ` font-weight="${mark.weight ?? 400}" font-family="${escapeXml(faces)}"` +
    ` text-anchor="${anchors[mark.align ?? "left"]}"${transform}>${escapeXml(mark.text)}</text>`
  );
}

function rectElement(mark: RectMark): string {
  const [x, y, width, height] = [mark.x, mark.y, mark.width, mark.height].map(short);
  const box = `x="${x}" y="${y}" width="${width}" height="${height}"`;
  const stroke = mark.stroke
    ? ` stroke="${mark.stroke}" stroke-width="${mark.lineWidth ?? 1}"`
    : "";
  const plain = `<rect ${box} fill="${mark.fill ?? "none"}"${stroke}/>`;
  if (!mark.hatch) return plain;
  const lines: string[] = [];
  for (let offset = -mark.height; offset < mark.width; offset += 5) {
    // Each line is clipped to the rectangle here: ids of patterns would collide when files are
    // merged.
    const start = Math.max(0, offset);
    const end = Math.min(mark.width, offset + mark.height);
    const y = (x: number) => mark.y + mark.height - (x - offset);
    lines.push(
      `M${short(mark.x + start)} ${short(y(start))}L${short(mark.x + end)} ${short(y(end))}`,
    );
    if (!mark.isCrossed) continue;
    const mirrored = (x: number) => 2 * mark.y + mark.height - y(x);
    lines.push(
      `M${short(mark.x + start)} ${short(mirrored(start))}` +
        `L${short(mark.x + end)} ${short(mirrored(end))}`,
    );
  }
  return `${plain}<path d="${lines.join("")}" stroke="${mark.hatch}" fill="none"/>`;
}

function cellElements(mark: CellsMark): string {
  const side = short(mark.cell - mark.gap);
  return mark.colours
    .map((colour, index) => {
      if (!colour) return "";
      const x = short(mark.x + (index % mark.columns) * mark.cell);
      const y = short(mark.y + Math.floor(index / mark.columns) * mark.cell);
      return `<rect x="${x}" y="${y}" width="${side}" height="${side}" fill="${colour}"/>`;
    })
    .join("");
}

function element(mark: Mark, faces: string): string {
  switch (mark.kind) {
    case "text":
      return textElement(mark, faces);
    case "rect":
      return rectElement(mark);
    case "cells":
      return cellElements(mark);
    case "image": {
      const corner = `x="${short(mark.x)}" y="${short(mark.y)}"`;
      const size = `width="${short(mark.width)}" height="${short(mark.height)}"`;
      const pixels = `image-rendering="pixelated" href="${mark.image.toDataURL()}"`;
      return `<image ${corner} ${size} preserveAspectRatio="none" ${pixels}/>`;
    }
    case "path": {
      const dash = mark.dash ? ` stroke-dasharray="${mark.dash.join(" ")}"` : "";
      const line = `stroke="${mark.stroke}" stroke-width="${mark.width}"`;
      const through = mark.fillOpacity ? ` fill-opacity="${mark.fillOpacity}"` : "";
      return `<path d="${mark.d}" ${line} fill="${mark.fill ?? "none"}"${through}${dash}/>`;
    }
  }
}

/** Returns the picture's marks as SVG elements, for a document that holds them. */
export const toElements = ({ marks, faces = systemFaces }: Picture): string =>
  marks.map((mark) => element(mark, faces)).join("");

/** Returns the picture as a stand-alone SVG file with a title and a filled background. */
export function toSvg(picture: Picture, title: string, paper: string): string {
  const { above = 0 } = picture;
  const [width, height] = [short(picture.width), short(above + picture.height)];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"` +
    ` viewBox="0 ${short(-above)} ${width} ${height}">` +
    `<title>${escapeXml(title)}</title>` +
    `<rect y="${short(-above)}" width="${width}" height="${height}" fill="${paper}"/>` +
    `${toElements(picture)}</svg>\n`
  );
}
