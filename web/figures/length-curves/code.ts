/** Code that reads the measured losses, and the command to measure them again. */

/** Prints bits per character, as a mean over seeds, of each scheme and text at each length. */
export const curvesCode = (
  folder: string,
  schemes: readonly string[],
  lengths: readonly number[],
  command: string,
): string => `const { results } = await (await fetch("${folder}length.json")).json();
for (const scheme of ${JSON.stringify(schemes)})
  for (const language of ["en", "zh"])
    for (const [column, length] of ${JSON.stringify(lengths)}.entries()) {
      const losses = Object.values(results[scheme]).map((seed) => seed[language][column]);
      const mean = losses.reduce((a, b) => a + b) / losses.length;
      console.log(scheme, language, length, losses.includes(null) ? "not defined" : mean);
    }
// Measured by the project's repository, which trains what has no result yet:
// ${command} --${schemes.map((id) => ` --scheme ${id}`).join("")}
`;
