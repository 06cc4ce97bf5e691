/**
 * Faces that nothing on the first screen is set in. A face that arrives by itself, after its name
 * is known, has the whole page laid out again: the files come first, their names together.
 */
import code from "../build/fonts/code.woff2?url";
import letters from "../build/fonts/letters.woff2?url";
import italic from "../build/fonts/serif-italic.woff2?url";
import symbols from "../build/fonts/symbols.woff2?url";

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
  // What does not come is stood in for.
  await import("./styles/later-faces.css").catch(() => {});
}
