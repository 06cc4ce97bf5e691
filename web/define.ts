/**
 * Defines a tag of this package, unless another copy of these elements has defined it, as with two
 * bundles on one page. A tag cannot be defined twice, so the first copy is used.
 */
import { version } from "../package.json";

/** Key under which a class holds its version, readable for other copies of the package. */
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
