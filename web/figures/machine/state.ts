/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { sockets } from "../../engine/both/catalogue-messages.js";
import { choice } from "../../state-fields.js";

/** A socket of the machine, or none of them. */
export const machineSockets = ["none", ...sockets] as const;
export type MachineSocket = (typeof machineSockets)[number];

export const fields = {
  /** The socket that is lit. */
  machineSocket: choice<MachineSocket>("so", "none", machineSockets),
};
