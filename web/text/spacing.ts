/** A name inside a Chinese sentence: a space where Latin letters or digits meet characters. */
export const amid = (name: string): string =>
  name.replace(/^(?=[\w’'])/, " ").replace(/(?<=[\w’'])$/, " ");

/** A number after a name in a Chinese sentence; a bracket that ends the name has its own space. */
export const named = (name: string, value: string): string =>
  name.endsWith("）") ? name + value : `${name} ${value}`;
