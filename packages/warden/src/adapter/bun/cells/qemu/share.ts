/**
 * Limits a machine to less than a whole processor. A machine can only have whole processors, so
 * a control group on the host limits QEMU itself.
 */
import type { CellLimits } from "@hearth/protocol";
import type { CellGroups } from "../cgroup.ts";

export interface Share {
  /** Whether the limit is enforced. */
  readonly isEnforced: boolean;
  /** The command prefix that applies the limit. */
  readonly prefix: readonly string[];
  /** Removes the group. The caller calls it when the command has ended. */
  end(): Promise<void>;
}

/**
 * A shell script that joins the group and then becomes the command, so that the command's children
 * are in the group too.
 */
const JOIN_SCRIPT = 'echo $$ >"$1" || exit 125; shift; exec "$@"';

/**
 * `groups` is called only when needed. The machine itself limits memory and processes: a group
 * would also count what QEMU uses.
 */
export const openShare = async (limits: CellLimits, groups: () => Promise<CellGroups>): Promise<Share> => {
  if (limits.cpus >= 1) return { ...NO_SHARE, isEnforced: true };
  const group = await (await groups()).open(limits, ["cpu"]);
  if (group === undefined) return NO_SHARE;
  return { isEnforced: true, prefix: ["/bin/sh", "-c", JOIN_SCRIPT, "sh", ...group.processFiles], end: group.end };
};

const NO_SHARE: Share = { isEnforced: false, prefix: [], end: async () => undefined };
