/** Code that reads the measured results, and the command to measure them again. */

/** Prints the share of correct answers, as a mean over seeds, of each scheme. */
export const probesCode = (
  folder: string,
  task: string,
  command: string,
): string => `const { results } = await (await fetch("${folder}probes.json")).json();
for (const [scheme, tasks] of Object.entries(results)) {
  const shares = Object.values(tasks.${task} ?? {}); // a seed each
  if (shares.length) console.log(scheme, shares.reduce((a, b) => a + b) / shares.length);
}
// Measured by the project's repository, which trains what has no result yet:
// ${command}
`;
