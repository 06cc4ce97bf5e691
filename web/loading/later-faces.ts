/**
 * Fonts that the first screen does not use. Each font that loads after its declaration makes the
 * browser lay out the whole page, so the files are loaded first and declared together.
 */
import code from "../../build/fonts/code.woff2?url";
import letters from "../../build/fonts/letters.woff2?url";
import italic from "../../build/fonts/serif-italic.woff2?url";
import symbols from "../../build/fonts/symbols.woff2?url";

function fetchFace(href: string): Promise<unknown> {
  const link = document.createElement("link");
  Object.assign(link, { rel: "preload", as: "font", type: "font/woff2", crossOrigin: "", href });
  const isOver = new Promise((resolve) => {
    for (const end of ["load", "error"]) link.addEventListener(end, resolve);
  });
  document.head.append(link);
  return isOver;
}

export async function bringLaterFaces(): Promise<void> {
  await Promise.all([italic, code, letters, symbols].map(fetchFace));
  // A missing font is replaced by a system font.
  await import("../styles/later-faces.css").catch(() => {});
}
