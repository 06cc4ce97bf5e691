/** Kinds of position that schemes give to a token: its own position, its distance, or none. */
export type Manner = "position" | "distance" | "nothing";
