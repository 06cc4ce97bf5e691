/** Code that prints the largest change of a weight in each scheme. */
import { slideModel, slideView } from "../../defaults.js";

export function slideCode(ids: readonly number[], shift: number): string {
  return `import { load } from "whereformer";

const wf = await load();
const sizes = ${JSON.stringify(slideModel, undefined, 2)};
const ids = [${ids.join(", ")}];
for (const scheme of ${JSON.stringify(slideView.schemes)}) {
  const model = await wf.model({ ...sizes, scheme });
  const mapAt = (first) => {
    const positions = ids.map((_, index) => first + index);
    return model.run(ids, { positions, record: ["weights"] }).weights.data.slice();
  };
  const [before, after] = [mapAt(0), mapAt(${shift})];
  console.log(scheme, Math.max(...before.map((value, at) => Math.abs(value - after[at]))));
}
`;
}
