/**
 * Decides who may answer an approval: at that moment, a person with `x` on the agent's house, or one
 * with the right `approve` there who can read the room.
 */
import type { Permissions, Principal, Records } from "../../people/index.ts";
import type { Row } from "../../kernel/index.ts";
import { type AgentId, type AgentRecord, HearthError, includesLevel, type Place, type Right } from "@hearth/protocol";

/** A principal that may decide. The scope of its credential limits its rights. */
export type Decider = Pick<Principal, "agent" | "scope">;

/** The house of the agent, and the room in which it asked. Rules for every room have none. */
export interface ApprovalPlace {
  readonly house: string;
  readonly room: string | null;
}

/** `x`: by the level. Otherwise the right by which a person decides, which allows one call only. */
export type Authority = "x" | Extract<Right, "approve">;

export interface ApprovalDeciders {
  /** Returns undefined for a principal who may not decide. */
  authority(decider: Decider, approvalPlace: ApprovalPlace): Promise<Authority | undefined>;
  /**
   * Returns the person who woke the agent if they may decide there. Returns null if any person who
   * may decide there can answer.
   */
  personFor(activation: Row<"activations">, agent: AgentRecord): Promise<AgentId | null>;
  /**
   * Returns the authority of a principal who may decide. Throws `auth.denied` if the caller may see
   * that the approval exists, and `approval.not-found` otherwise.
   */
  require(decider: Decider, approvalPlace: ApprovalPlace & { readonly id: string }): Promise<Authority>;
}

export const createApprovalDeciders = ({
  records,
  permissions,
}: {
  readonly records: Pick<Records, "find">;
  readonly permissions: Pick<Permissions, "levelOf" | "hasRight">;
}): ApprovalDeciders => {
  const isPerson = async (id: string): Promise<boolean> => (await records.find("agent", id))?.content.kind === "human";

  const authority: ApprovalDeciders["authority"] = async (decider, { house: houseId, room }) => {
    const house = houseId as AgentRecord["house"];
    if (!(await isPerson(decider.agent))) return undefined;
    if (includesLevel(await permissions.levelOf(decider, house), "x")) return "x";
    if (room === null || !(await permissions.hasRight(decider, house, "approve"))) return undefined;
    return includesLevel(await permissions.levelOf(decider, room as Place), "r") ? "approve" : undefined;
  };

  return {
    authority,

    async personFor({ person: agent, room }, { house }) {
      return (await authority({ agent }, { house, room })) === undefined ? null : agent;
    },

    async require(decider, { id, house, room }) {
      const authorityOfDecider = await authority(decider, { house, room });
      if (authorityOfDecider !== undefined) return authorityOfDecider;
      const places = [house, room].filter((place) => place !== null);
      const levels = await Promise.all(
        places.map((place) => permissions.levelOf(decider, place as AgentRecord["house"])),
      );
      if (!levels.some((level) => includesLevel(level, "r"))) throw approvalNotFoundError(id);
      throw new HearthError(
        "auth.denied",
        "Only a person with x or the right approve on the agent's house may answer an approval.",
        {
          hint: "Use a login or a key of a person who has one of them.",
        },
      );
    },
  };
};

export const approvalNotFoundError = (id: string): HearthError =>
  new HearthError("approval.not-found", `There is no approval ${id}.`, {
    hint: "List the approvals: hearth approval list",
  });
