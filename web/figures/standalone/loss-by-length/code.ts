/** Code that reads the project's measured losses. */

/** Prints each scheme's mean loss at the longest test. */
export const measuredCode = (
  folder: string,
  schemes: readonly string[],
  language: string,
): string =>
  `const { results } = await (await fetch("${folder}length.json")).json();
for (const scheme of ${JSON.stringify(schemes)}) {
  const seeds = Object.values(results[scheme]).map((texts) => texts.${language}.at(-1));
  const isDefined = seeds.every((loss) => loss !== null);
  console.log(scheme, isDefined ? seeds.reduce((a, b) => a + b) / seeds.length : "not defined");
}
`;
