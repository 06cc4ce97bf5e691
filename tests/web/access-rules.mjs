// Accessibility checks: the rules of axe; every control reached by Tab, with a visible focus.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const isWider = process.env.WF_FONTS === "wide";
/** Rules that depend on the width of letters; names, roles and colours do not. */
const ofPlaces = ["scrollable-region-focusable", "target-size"];
const ofColours = ["color-contrast", "link-in-text-block"];

/**
 * Returns the rules of axe that a page breaks, each with the elements that break it; only below
 * `selector` if it is given. `onlyColours`: checks colours alone, for a page that was checked in
 * other colours. With wider fonts only the rules in `ofPlaces` are checked. The page's context must
 * bypass the content security policy.
 */
export async function brokenRules(page, selector, { onlyColours = false } = {}) {
  if (onlyColours && isWider) return [];
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const few = isWider ? ofPlaces : onlyColours && ofColours;
  const options = {
    // Violations only: results of other types, such as passes, are not needed.
    resultTypes: ["violations"],
    ...(few && { runOnly: few }),
  };
  // At the top of the page the bar, which stays in the window, covers nothing; elsewhere it makes
  // whatever it happens to lie on smaller.
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
  const { violations } = await page.evaluate(
    ([below, chosen]) => window.axe.run(below ?? document, chosen),
    [selector, options],
  );
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.flat().join(" "))}`,
  );
}

/** In the page: elements below a node that Tab focuses, in reading order, shadow trees included. */
function tabStops(below) {
  const stops = [];
  const groups = new Set();
  const look = (node) => {
    if (node.nodeType === Node.ELEMENT_NODE) {
      if (node.inert || !node.checkVisibility({ visibilityProperty: true })) return;
      const isOne =
        node.matches("a[href], button, input, select, textarea, summary, [tabindex]") &&
        node.tabIndex >= 0 &&
        !node.disabled;
      // Tab stops at one radio button of a group.
      const group = node.type === "radio" && node.name;
      const isChosen =
        !group ||
        node.checked ||
        !node.getRootNode().querySelector(`input[type=radio][name="${group}"]:checked`);
      if (isOne && isChosen && !(group && groups.has(node.getRootNode()) && !node.checked))
        stops.push(node);
      if (group) groups.add(node.getRootNode());
    }
    const { shadowRoot } = node;
    for (const child of shadowRoot?.childNodes ?? []) look(child);
    const children = node.localName === "slot" ? node.assignedNodes() : node.childNodes;
    if (!shadowRoot) for (const child of children) look(child);
  };
  look(below);
  return stops;
}

/** In the page: the focused element, inside shadow trees too. */
function focused() {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return node;
}

/** In the page: an element's name in a message. */
const nameOf = (node) =>
  `${node.localName}${node.className ? `.${node.className}` : ""} ${(
    node.getAttribute("aria-label") ??
    node.textContent ??
    ""
  )
    .trim()
    .slice(0, 30)}`;

const mostStops = 300;

/**
 * Presses Tab through the contents of an element. Resolves to the number of controls, those that
 * Tab does not reach, and those whose focus is not visible.
 */
export async function walkByTab(page, selector) {
  await page.evaluate(`{
    const node = document.querySelector(${JSON.stringify(selector)});
    window.access = { figure: node, stops: (${tabStops})(node), focused: ${focused},
      nameOf: ${nameOf}, reached: [], unseen: [] };
    node.insertAdjacentHTML("beforebegin", '<button id="before">before</button>');
    node.previousSibling.focus();
  }`);
  // Scrollable parts are stops too, though not in the list.
  for (let press = 0, isWithin = true; isWithin && press < mostStops; press++) {
    await page.keyboard.press("Tab");
    isWithin = await page.evaluate(() => {
      const { figure, focused, stops, reached, unseen, nameOf } = window.access;
      const node = focused();
      reached.push(node);
      // The parent or the host of a control may show its focus.
      const isMarked = (one) => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
        return (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
      };
      const isSeen = [node, node.parentElement, node.getRootNode().host].some(
        (one) => one && isMarked(one),
      );
      if (!isSeen && stops.includes(node)) unseen.push(nameOf(node));
      return document.activeElement === figure;
    });
  }
  return page.evaluate(() => {
    const { stops, reached, unseen, nameOf } = window.access;
    document.querySelector("#before").remove();
    const missed = stops.filter((stop) => !reached.includes(stop)).map(nameOf);
    return { count: stops.length, missed, unseen };
  });
}
