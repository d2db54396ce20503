/** Finds a job's room, and checks that its owner may still use it. */
import type { Permissions, Records, Rooms } from "../../people/index.ts";
import { type AgentId, type AgentRecord, includesLevel, type RoomRecord } from "@hearth/protocol";
import type { JobRow, JobDefinition } from "./rows.ts";

export interface TargetOptions {
  readonly records: Pick<Records, "find">;
  readonly permissions: Pick<Permissions, "levelIn">;
  readonly rooms: Pick<Rooms, "direct">;
}

export type Target =
  | { readonly kind: "room"; readonly room: RoomRecord; readonly agent: AgentRecord }
  /** The job may not fire. `notify` is the room where the owner is notified, if there is one. */
  | {
      readonly kind: "refused";
      readonly reason: string;
      readonly notify?: { readonly room: RoomRecord; readonly handle: string };
    };

export const createTargets =
  ({ records, permissions, rooms }: TargetOptions) =>
  async (row: JobRow, terms: JobDefinition): Promise<Target> => {
    const [agent, owner] = await Promise.all([records.find("agent", row.agent), records.find("agent", row.owner)]);
    if (agent === undefined) return { kind: "refused", reason: "Its agent was deleted." };
    if (owner === undefined) return { kind: "refused", reason: "Its owner was deleted." };
    if (owner.content.kind !== "human") return { kind: "refused", reason: "Its owner is not a person." };
    if (terms.room === undefined) return { kind: "room", room: await rooms.direct(owner.id, agent.id), agent };
    const room = await records.find("room", terms.room, agent.house);
    const refuse = async (reason: string): Promise<Target> => ({
      kind: "refused",
      reason,
      notify: { room: await rooms.direct(owner.id, agent.id), handle: agent.handle },
    });
    if (room === undefined) return refuse(`There is no room "${terms.room}".`);
    const mayWrite = async (id: AgentId): Promise<boolean> =>
      includesLevel(await permissions.levelIn({ agent: id }, room), "w");
    if (!(await mayWrite(owner.id))) return refuse(`Its owner cannot write in the room "${room.content.name}".`);
    if (!(await mayWrite(agent.id))) return refuse(`Its agent cannot write in the room "${room.content.name}".`);
    return { kind: "room", room, agent };
  };
