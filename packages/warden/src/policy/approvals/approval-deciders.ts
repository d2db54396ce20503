/** Who may give the word: a person who decides in the agent's house, asked at that moment. */
import type { Permissions, Principal, Records } from "../../people/index.ts";
import type { Row } from "../../kernel/index.ts";
import { type AgentId, type AgentRecord, HearthError, reaches } from "@hearth/protocol";

/** As far as its credential lets it. */
export type Decider = Pick<Principal, "agent" | "scope">;

export interface ApprovalDeciders {
  isDecider(who: Decider, house: string): Promise<boolean>;
  /** Whom to ask: the person who woke the agent, if they decide in its house. Null: anybody who does. */
  personFor(activation: Row<"activations">, agent: AgentRecord): Promise<AgentId | null>;
  /** Throws `auth.denied` for who knows that there is something to decide, and `approval.not-found` for all others. */
  require(
    who: Decider,
    about: { readonly id: string; readonly house: string; readonly room: string | null },
  ): Promise<void>;
}

export const createApprovalDeciders = ({
  records,
  permissions,
}: {
  readonly records: Pick<Records, "find">;
  readonly permissions: Pick<Permissions, "levelOf">;
}): ApprovalDeciders => {
  const isPerson = async (id: string): Promise<boolean> => (await records.find("agent", id))?.content.kind === "human";

  const isDecider: ApprovalDeciders["isDecider"] = async (who, house) =>
    reaches(await permissions.levelOf(who, house as AgentRecord["house"]), "x") && (await isPerson(who.agent));

  return {
    isDecider,

    async personFor({ person }, { house }) {
      const agent = person as AgentId;
      return (await isDecider({ agent }, house)) ? agent : null;
    },

    async require(who, { id, house, room }) {
      if (await isDecider(who, house)) return;
      const places = [house, room].filter((place) => place !== null);
      const levels = await Promise.all(places.map((place) => permissions.levelOf(who, place as AgentRecord["house"])));
      if (!levels.some((level) => reaches(level, "r"))) throw notFound(id);
      throw new HearthError("auth.denied", "Only a person who decides (x) in the agent's house gives this word.", {
        hint: "Use a login or a key of such a person.",
      });
    },
  };
};

export const notFound = (id: string): HearthError =>
  new HearthError("approval.not-found", `There is no approval ${id}.`, { hint: "List them: hearth approval list" });
