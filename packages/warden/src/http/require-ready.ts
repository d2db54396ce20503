/**
 * Refuses new work exactly while `/readyz` fails: on a full disk, and before the house has started.
 */
import { HearthError } from "@hearth/protocol";

/** Throws `store.unavailable`. */
export const requireReady = async (ready: () => Promise<boolean>): Promise<void> => {
  if (await ready()) return;
  throw new HearthError("store.unavailable", "The house accepts no new work: its disk is full or cannot be written.", {
    hint: "Free space on the disk of the home folder, then send it again. `hearth doctor` shows the free space.",
  });
};
