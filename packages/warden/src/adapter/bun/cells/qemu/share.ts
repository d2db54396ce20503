/** Less than a whole processor. A machine has whole ones only, so a control group of the host's holds QEMU itself to its share. */
import type { CellLimits } from "@hearth/protocol";
import type { CellGroups } from "../cgroup.ts";

export interface Share {
  /** Whether the machine keeps to its limit. */
  readonly holds: boolean;
  /** Stands before the command that is to have it. */
  readonly before: readonly string[];
  /** Once the command has ended. */
  end(): Promise<void>;
}

/** In the group from its first moment: what it starts is in it too. */
const JOIN = 'echo $$ >"$1" || exit 125; shift; exec "$@"';

/** `groups` is asked only where one is needed. Memory and processes are the machine's own affair: a group would count what QEMU needs as well. */
export const openShare = async (limits: CellLimits, groups: () => Promise<CellGroups>): Promise<Share> => {
  if (limits.cpus >= 1) return { ...NONE, holds: true };
  const group = await (await groups()).open(limits, ["cpu"]);
  if (group === undefined) return NONE;
  return { holds: true, before: ["/bin/sh", "-c", JOIN, "sh", ...group.doors], end: group.end };
};

const NONE: Share = { holds: false, before: [], end: async () => undefined };
