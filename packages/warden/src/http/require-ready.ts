/** New work is refused in words exactly while `/readyz` says no: on a full disk, and before the house is up. */
import { HearthError } from "@hearth/protocol";

/** Throws `store.unavailable`. */
export const requireReady = async (ready: () => Promise<boolean>): Promise<void> => {
  if (await ready()) return;
  throw new HearthError("store.unavailable", "The house takes no new work: its disk is full or cannot be written.", {
    hint: "Make room on the disk of the home folder, then send it again; `hearth doctor` says how much is left.",
  });
};
