/** Words that fall into their bags; loaded after the first figure's numbers. */

const milliseconds = 750;
const between = 130;

/** Lets a word of a bag fall there from where it stood. */
export function fall(word: Element, from: DOMRect, delay = 0): void {
  const to = word.getBoundingClientRect();
  const dx = from.x + from.width / 2 - (to.x + to.width / 2);
  const dy = from.y + 18 - (to.y + to.height / 2);
  const path = [
    { transform: `translate(${dx}px, ${dy}px)`, opacity: 0 },
    { transform: `translate(${dx}px, ${dy}px)`, opacity: 1, offset: 0.1 },
    { transform: "translate(0, 0)", opacity: 1 },
  ];
  const easing = "cubic-bezier(0.5, 0, 0.8, 0.6)";
  word.animate(path, { duration: milliseconds, delay, easing, fill: "backwards" });
}

/** Draws the arcs of both sentences, lets their words fall, and then compares the bags. */
export function play(root: HTMLElement | DocumentFragment): void {
  const appear = (node: Element, delay: number) =>
    node.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 500, delay, fill: "backwards" });
  let end = 0;
  ["a", "b"].forEach((name, line) => {
    const begin = 300 + line * 500;
    appear(root.querySelector(`.sentence.${name} svg`)!, begin);
    const cells = [...root.querySelectorAll(`.sentence.${name} .cell`)];
    root.querySelectorAll(`.bag.${name} span`).forEach((word, token) => {
      const delay = begin + 700 + token * between;
      fall(word, cells[token]!.getBoundingClientRect(), delay);
      end = Math.max(end, delay + milliseconds);
    });
  });
  appear(root.querySelector(".sign")!, end);
}
