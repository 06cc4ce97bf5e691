/**
 * Defines a tag of ours, unless the page has it already: of another copy of these elements, as
 * where two bundles bring one each. A tag cannot be defined twice: the first copy is then used.
 */
import { version } from "../package.json";

/** Under this name a class says of which version it is, to other copies too. */
const ofVersion = Symbol.for("whereformer.version");
let hasSaid = false;

export function define(tag: string, element: CustomElementConstructor): void {
  const known = customElements.get(tag);
  if (!known) {
    Object.defineProperty(element, ofVersion, { value: version });
    customElements.define(tag, element);
    return;
  }
  const theirs: unknown = Reflect.get(known, ofVersion);
  if (theirs === version || hasSaid) return;
  hasSaid = true;
  const whose = theirs ? `of whereformer ${theirs}` : "of other code, or an older whereformer";
  console.warn(
    `<${tag}> is on this page already, ${whose}, and stays so beside the elements of whereformer ` +
      `${version}: let all scripts of the page import one version.`,
  );
}
