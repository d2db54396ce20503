/** Applies `[agents.HANDLE]` of the config at the start: sets fields, and creates missing bots. */
import { pinsToApply, type ConfigSource } from "../../kernel/index.ts";
import type { AgentId, HouseId } from "@hearth/protocol";
import type { Records } from "../records/records.ts";

export const applyPins = async (options: {
  readonly config: ConfigSource;
  /** Records without pinned fields, so that the pins can be applied. */
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
