// A layer of attention as a small machine, at the head of a scheme's page: the socket that the
// scheme uses is lit. Its colours are those of the page's styles, so that they follow the theme.

import { measure } from "../stills/widths.mjs";
import { svg } from "./maps.mjs";

const width = 420;
const names = ["paper", "ink", "soft", "hair", "query", "key", "content", "position"];
const palette = Object.fromEntries(names.map((name) => [name, `var(--wf-${name})`]));

/** The modules of the page that draw it. */
export const machineSources = [
  "/figures/machine/picture.ts",
  "/figures/machine/words.ts",
  "/drawing/svg.ts",
];

export function machineOf({ sockets }, { machine, language, article }) {
  const [{ firstOf, smallMachine }, { machineWords }, { toElements }] = machine;
  const { labels, small, about } = machineWords[language];
  const socket = firstOf(sockets);
  const picture = smallMachine(socket, labels, width, palette, measure);
  const inside = toElements({ ...picture, faces: "var(--wf-sans)" });
  const link = `<a href="${article}&amp;so=${socket}&amp;at=sockets">${about}</a>`;
  return `<figure class="machine">
${svg("machine", picture.width, picture.height, small[socket], inside)}
<figcaption>${small[socket]} ${link}</figcaption>
</figure>`;
}
