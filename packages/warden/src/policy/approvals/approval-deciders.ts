/**
 * Decides who may answer an approval: a person who may decide in the agent's house at that moment.
 */
import type { Permissions, Principal, Records } from "../../people/index.ts";
import type { Row } from "../../kernel/index.ts";
import { type AgentId, type AgentRecord, HearthError, includesLevel } from "@hearth/protocol";

/** A principal that may decide. The scope of its credential limits its rights. */
export type Decider = Pick<Principal, "agent" | "scope">;

export interface ApprovalDeciders {
  isDecider(who: Decider, house: string): Promise<boolean>;
  /**
   * Returns the person who woke the agent if they may decide in its house. Returns null if any
   * person who may decide there can answer.
   */
  personFor(activation: Row<"activations">, agent: AgentRecord): Promise<AgentId | null>;
  /**
   * Throws `auth.denied` if the caller may see that the approval exists, and `approval.not-found`
   * otherwise.
   */
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
    includesLevel(await permissions.levelOf(who, house as AgentRecord["house"]), "x") && (await isPerson(who.agent));

  return {
    isDecider,

    async personFor({ person: agent }, { house }) {
      return (await isDecider({ agent }, house)) ? agent : null;
    },

    async require(who, { id, house, room }) {
      if (await isDecider(who, house)) return;
      const places = [house, room].filter((place) => place !== null);
      const levels = await Promise.all(places.map((place) => permissions.levelOf(who, place as AgentRecord["house"])));
      if (!levels.some((level) => includesLevel(level, "r"))) throw notFound(id);
      throw new HearthError(
        "auth.denied",
        "Only a person with the right to decide (x) in the agent's house may answer an approval.",
        {
          hint: "Use a login or a key of a person who has that right.",
        },
      );
    },
  };
};

export const notFound = (id: string): HearthError =>
  new HearthError("approval.not-found", `There is no approval ${id}.`, {
    hint: "List the approvals: hearth approval list",
  });
