/** A name inside a Chinese sentence: a space where Latin letters or digits meet characters. */
export const amid = (name: string): string =>
  name.replace(/^(?=[\w’'])/, " ").replace(/(?<=[\w’'])$/, " ");
