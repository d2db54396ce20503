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
  /** Must be called when the command has ended. */
  end(): Promise<void>;
}

/** A shell script that joins the group, then becomes the command, so that its children are in it too. */
const JOIN = 'echo $$ >"$1" || exit 125; shift; exec "$@"';

/**
 * `groups` is called only when needed. The machine itself limits memory and processes: a group
 * would also count what QEMU uses.
 */
export const openShare = async (limits: CellLimits, groups: () => Promise<CellGroups>): Promise<Share> => {
  if (limits.cpus >= 1) return { ...NONE, isEnforced: true };
  const group = await (await groups()).open(limits, ["cpu"]);
  if (group === undefined) return NONE;
  return { isEnforced: true, prefix: ["/bin/sh", "-c", JOIN, "sh", ...group.processFiles], end: group.end };
};

const NONE: Share = { isEnforced: false, prefix: [], end: async () => undefined };
