/** Names of families of pictures, which the script pictures.js reads. */

/** Values of `model_type`: of a tower of pictures, or of a model that has one beside another. */
export const pictureTypes: readonly string[] = (
  "clip clip_vision_model deit dinov2 dinov2_with_registers dinov3_vit siglip siglip2 " +
  "siglip2_vision_model siglip_vision_model vit"
).split(" ");

export const isOfPictures = (file: Readonly<Record<string, unknown>>): boolean =>
  pictureTypes.some((type) => type === file["model_type"]);
