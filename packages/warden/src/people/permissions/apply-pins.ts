/** What `[agents.HANDLE]` in the config says becomes true at the start: fields are set, and a bot that is not there yet is made. */
import { pinsToApply, type ConfigSource } from "../../kernel/index.ts";
import type { AgentId, HouseId } from "@hearth/protocol";
import type { Records } from "../records/records.ts";

export const applyPins = async (options: {
  readonly config: ConfigSource;
  /** Records that hold no field pinned: these are the pins. */
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
