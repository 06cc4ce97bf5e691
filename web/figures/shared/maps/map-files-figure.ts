/** Figures in which a reader's file is shown beside or in place of their maps. */

import { DataFigure } from "../data/data-figure.js";
import { dropStyles, type FileMap, openLine, readMapFile, takeDrops } from "../data/opened-file.js";
import { MapsFigure } from "./maps-figure.js";

export abstract class MapFilesFigure<Shown> extends MapsFigure<Shown> {
  static override properties = {
    ...MapsFigure.properties,
    file: { state: true },
  };

  static override styles = [...DataFigure.styles, dropStyles];

  declare file: FileMap | undefined;

  constructor() {
    super();
    takeDrops(this, (file) => void this.open(file));
  }

  /** An error in a reader's file is not one in an attribute, so the general notice is shown. */
  protected override get refusals() {
    return {};
  }

  /** Shows a file; its content never leaves the tab. */
  async open(file: Blob): Promise<void> {
    const name = file instanceof File ? file.name : "";
    await this.attempt(async () => {
      this.file = await readMapFile(file, name);
    });
  }

  protected openLine() {
    return openLine(this.zoom, (file) => void this.open(file));
  }
}
