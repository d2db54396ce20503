/** At the start, applies `[agents.HANDLE]` of the configuration: sets fields and creates missing bots. */
import { pinsToApply, type ConfigSource } from "../../kernel/index.ts";
import type { AgentId, HouseId } from "@hearth/protocol";
import type { Records } from "../records/records.ts";

export const applyPins = async (options: {
  readonly config: ConfigSource;
  /** Records that were opened without pins. Records with pins refuse to change a pinned field. */
  readonly records: Records;
  readonly house: HouseId;
  readonly owner: AgentId;
}): Promise<void> => {
  const { config, records, house, owner } = options;
  for (const [handle, pin] of config.current().agents) {
    const agent = await records.find("agent", handle, house);
    if (agent === undefined) {
      await records.mutate(
        { kind: "create", type: "agent", house, content: { name: handle, kind: "bot", ...pin } },
        owner,
      );
      continue;
    }
    const content = pinsToApply(pin, agent.content);
    if (Object.keys(content).length > 0) await records.mutate({ kind: "update", id: agent.id, content }, owner);
  }
};
