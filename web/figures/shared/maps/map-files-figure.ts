/** Figures in which a reader's file is shown beside or in place of their maps. */

import { OwnFigure } from "../own/own-figure.js";
import { dropStyles, type OwnMap, openLine, readOwnFile, takeDrops } from "../own/own-file.js";
import { MapsFigure } from "./maps-figure.js";

export abstract class MapFilesFigure<Shown> extends MapsFigure<Shown> {
  static override properties = {
    ...MapsFigure.properties,
    file: { state: true },
  };

  static override styles = [...OwnFigure.styles, dropStyles];

  declare file: OwnMap | undefined;

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
      this.file = await readOwnFile(file, name);
    });
  }

  protected openLine() {
    return openLine(this.zoom, (file) => void this.open(file));
  }
}
