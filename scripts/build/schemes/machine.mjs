// The diagram at the top of a scheme's page: an attention layer, in which the socket is highlighted
// through which the scheme acts. Its colours are those of the page's styles, so that they follow
// the theme.

import { measure } from "../stills/widths.mjs";
import { svg } from "./maps.mjs";

const width = 420;
const names = ["paper", "ink", "soft", "hair", "query", "key", "content", "position"];
const palette = Object.fromEntries(names.map((name) => [name, `var(--wf-${name})`]));

/** The modules of the page that draw the diagram. */
export const machineSources = [
  "/figures/machine/picture.ts",
  "/figures/machine/words.ts",
  "/drawing/svg.ts",
];

/** Returns the figure; `machine` has the modules of `machineSources`, `article` is an address. */
export function machineOf({ sockets }, { machine, language, article }) {
  const [{ firstOf, smallMachine }, { machineWords }, { toElements }] = machine;
  const { labels, small, about: linkText } = machineWords[language];
  const socket = firstOf(sockets);
  const picture = smallMachine(socket, labels, width, palette, measure);
  const inside = toElements({ ...picture, faces: "var(--wf-sans)" });
  const link = `<a href="${article}&amp;so=${socket}&amp;at=sockets">${linkText}</a>`;
  return `<figure class="machine">
${svg("machine", picture.width, picture.height, small[socket], inside)}
<figcaption>${small[socket]} ${link}</figcaption>
</figure>`;
}
