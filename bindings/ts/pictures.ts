/** The script pictures.js: models that read pictures. Fetched with the first of their files. */
export { pictureConfig, pictureFamily } from "./pictures/families.js";
export { openPictures } from "./pictures/reader.js";
