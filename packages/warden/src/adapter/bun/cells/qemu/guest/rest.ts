/** What a rehearsal leaves to do is done before a machine is kept: else each cell would do it first. */
import type { Clock } from "@hearth/protocol";

/** Threads that nobody needs go some time after their last use. */
const REST_MS = 3000;

export const comeToRest = (clock: Clock): Promise<void> => clock.sleep(REST_MS);
