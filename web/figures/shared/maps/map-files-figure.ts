/** Figures with maps that a reader may set a file beside, or in the place of. */

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

  /** A reader's file is not at fault for an attribute: the page's own notice stands. */
  protected override get refusals() {
    return {};
  }

  /** Shows a file; nothing of it leaves the tab. */
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
