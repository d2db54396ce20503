/** The caller's identity, and creating, listing and changing houses, rooms and agents. */
import { z } from "zod";
import { HouseId } from "../base/ids.ts";
import { Level, Permission } from "../people/permission.ts";
import { AgentContent, AgentRecord, HouseContent, HouseRecord, RoomContent, RoomRecord } from "../people/record.ts";

/** The identity behind the request's credential. */
export const Me = z.object({
  agent: AgentRecord,
  house: HouseRecord,
  version: z.string(),
  /** Its permissions on every house and room that it can see. */
  permissions: z.array(Permission),
  /**
   * The first house, if the caller has permissions there. Its admins manage providers, channels and
   * the daemon.
   */
  home: HouseId.optional(),
  /** The home was restored or copied, and the house waits for its owner's decision. */
  onHold: z.literal(true).optional(),
  /** The house transcribes attached audio. */
  transcribes: z.literal(true).optional(),
  /** The house describes attached pictures for models that do not see. */
  describes: z.literal(true).optional(),
  /** The house reads messages aloud. */
  speaks: z.literal(true).optional(),
  /** A backup is late or failed. Only admins of the first house see this. */
  needsBackup: z.literal(true).optional(),
});
export type Me = z.infer<typeof Me>;

/** Each list endpoint returns a plain array. */
export const HouseList = z.array(HouseRecord);
export const RoomList = z.array(RoomRecord);
export const AgentList = z.array(AgentRecord);

export const CreateHouse = z.strictObject({ content: HouseContent });
export const CreateRoom = z.strictObject({ house: HouseId.optional(), content: RoomContent });
/**
 * `level`: the agent's initial permission on its house, `w` by default. At most the creator's own.
 */
export const CreateAgent = z.strictObject({
  house: HouseId.optional(),
  content: AgentContent,
  level: z.union([Level, z.literal("none")]).optional(),
});
/**
 * `content` holds the fields to change; `null` removes a field. With `version`, the patch applies
 * only to that version of the record.
 */
export const PatchRecord = z.strictObject({
  version: z.int().positive().optional(),
  content: z.record(z.string(), z.json()),
});
export type PatchRecord = z.infer<typeof PatchRecord>;
