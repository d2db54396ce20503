/** Names the authors of the messages in a prompt and looks up how much each is trusted. */
import type { Records, StandingOf } from "../../people/index.ts";
import { cleanName } from "../../policy/index.ts";
import type { AgentId, AgentRecord } from "@hearth/protocol";
import type { Frozen } from "./frozen.ts";
import type { CurrentMessages } from "./current-messages.ts";

export type Authors = Pick<Frozen, "names" | "standings">;
export type AuthorsOf = (current: CurrentMessages, agent: AgentRecord) => Promise<Authors>;

export const createAuthors =
  (options: { readonly records: Pick<Records, "find">; readonly standingOf: StandingOf }): AuthorsOf =>
  async ({ messages, reactions = [] }, agent) => {
    const authors: readonly AgentId[] = [...new Set(messages.map(({ author }) => author))];
    const agentIds = [...new Set([...authors, ...reactions.map(({ by }) => by)])];
    const [agents, standings] = await Promise.all([
      Promise.all(agentIds.map((id) => options.records.find("agent", id))),
      Promise.all(authors.map(async (id) => [id, await options.standingOf(id, agent)] as const)),
    ]);
    const names = agents.flatMap((author) =>
      author === undefined ? [] : [[author.id, cleanName(author.content.name)]],
    );
    return { names: Object.fromEntries(names), standings: Object.fromEntries(standings) };
  };
