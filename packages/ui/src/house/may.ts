/** What the person may do, asked before anything is offered: what the house would refuse is not shown. */
import { levelIn } from "@hearth/client";
import { type HouseId, type HouseRecord, type Level, type Me, reaches, type RoomRecord } from "@hearth/protocol";

export const may = (me: Me | undefined, level: Level, place: HouseRecord | RoomRecord | undefined): boolean =>
  me !== undefined && place !== undefined && reaches(levelIn(me, place), level);

/** The same where only the house's id is known. */
export const mayIn = (me: Me | undefined, level: Level, house: HouseId | undefined): boolean =>
  me?.permissions.some((permission) => permission.on === house && reaches(permission.level, level)) === true;

/** Whether the person looks after what all houses share: models, channels, the daemon, and STOP for everybody. */
export const maySeeToHome = (me: Me | undefined): boolean => me?.home !== undefined && mayIn(me, "x", me.home);

/** Whether the person is asked by agents: whoever decides in a house is. */
export const mayDecide = (me: Me | undefined): boolean =>
  me?.agent.content.kind === "human" &&
  me.permissions.some(({ on, level }) => on.startsWith("house_") && reaches(level, "x"));
