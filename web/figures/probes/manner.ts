/** How a scheme says where a token is: by its place, by distance, or not at all. */
export type Manner = "place" | "distance" | "nothing";
