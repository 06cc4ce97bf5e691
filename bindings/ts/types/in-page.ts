/** A class of web pages, if a program's types include it: those of Node alone do not. */
export type InPage<Name extends string> = Name extends Name
  ? typeof globalThis extends { [Key in Name]: { prototype: infer Instance } }
    ? Instance
    : never
  : never;
