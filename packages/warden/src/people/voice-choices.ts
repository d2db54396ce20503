/** The choices of people about which replies they hear. */
import type { Store } from "../kernel/index.ts";
import type { AgentId, SpokenReplies } from "@hearth/protocol";
import { DEFAULT_SPOKEN_REPLIES } from "@hearth/protocol/api";

export interface VoiceChoiceBook {
  /** Returns the choice of the person, or the default. */
  of(person: AgentId): Promise<SpokenReplies>;
  choose(person: AgentId, replies: SpokenReplies): Promise<void>;
}

export const createVoiceChoices = ({
  store,
}: {
  readonly store: Pick<Store, "select" | "commit">;
}): VoiceChoiceBook => ({
  async of(person) {
    const [row] = await store.select({ table: "voice_choices", where: { agent: person } });
    return row?.replies ?? DEFAULT_SPOKEN_REPLIES;
  },

  async choose(agent, replies) {
    await store.commit({
      by: agent,
      // The choice of a removed person is removed with their record, so no later choice may be stored.
      guards: [{ kind: "exists", table: "records", where: { id: agent, type: "agent" } }],
      writes: [{ kind: "put", table: "voice_choices", row: { agent, replies } }],
    });
  },
});
