/** Permissions of the user, so that the UI hides what the house would refuse. */
import { levelIn } from "@hearth/client";
import {
  type AgentRecord,
  type HouseId,
  type HouseRecord,
  type Level,
  type Me,
  includesLevel,
  includesRight,
  type Right,
  type RoomRecord,
} from "@hearth/protocol";

export const may = (me: Me | undefined, level: Level, place: HouseRecord | RoomRecord | undefined): boolean =>
  me !== undefined && place !== undefined && includesLevel(levelIn(me, place), level);

/** Whether the user has this level on the house with this id. */
export const mayIn = (me: Me | undefined, level: Level, house: HouseId | undefined): boolean =>
  me?.permissions.some((permission) => permission.on === house && includesLevel(permission.level, level)) === true;

/**
 * Whether the user administers the installation: models, channels, the daemon and the stop of all
 * agents.
 */
export const mayAdministerHome = (me: Me | undefined): boolean => me?.home !== undefined && mayIn(me, "x", me.home);

/** Whether the user has this right on the house with this id. Admins have every right. */
export const hasRight = (me: Me | undefined, right: Right, house: HouseId | undefined): boolean =>
  me?.permissions.some((permission) => permission.on === house && includesRight(permission, right)) === true;

/** Whether the user manages the providers of models. */
export const mayManageProviders = (me: Me | undefined): boolean =>
  me?.home !== undefined && hasRight(me, "providers", me.home);

/** Whether the user can choose a model for the agent from the lists of the providers. */
export const mayChooseModel = (me: Me | undefined, { house, content }: AgentRecord): boolean =>
  content.kind === "bot" && content.runs !== "elsewhere" && mayIn(me, "x", house) && mayManageProviders(me);

/** Whether the user can approve requests: every admin can, and people with the right `approve`. */
export const mayApprove = (me: Me | undefined): boolean =>
  me?.agent.content.kind === "human" &&
  me.permissions.some((permission) => permission.on.startsWith("house_") && includesRight(permission, "approve"));

/** Whether the person administers a house, and so its agents. */
export const administersAnyHouse = (me: Me | undefined): boolean =>
  me?.agent.content.kind === "human" &&
  me.permissions.some(({ on, level }) => on.startsWith("house_") && includesLevel(level, "x"));
