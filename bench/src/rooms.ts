/** Two ways to run twenty conversations: rooms of one agent, or agents with a direct room each. */
import type { RoomId } from "@hearth/protocol";
import { type House, MODEL_NAME, ownerOf } from "./house.ts";

export const shapes = ["rooms", "agents"] as const;
export type Shape = (typeof shapes)[number];

export const ROOM_COUNT = 20;

export const describeShape = (shape: Shape): string =>
  shape === "rooms" ? `${ROOM_COUNT} rooms of one agent` : `${ROOM_COUNT} agents`;

/** Creates the rooms. In each, a message of the owner wakes one agent. */
export const makeRooms = async (house: House, shape: Shape): Promise<readonly RoomId[]> => {
  const { agents, rooms } = house.client;
  const [owner, main] = await Promise.all([ownerOf(house), agents.get("main")]);
  const made: RoomId[] = [];
  for (let number = 1; number <= ROOM_COUNT; number += 1) {
    if (shape === "rooms") {
      made.push((await rooms.create({ name: `Bench ${number}`, kind: "direct", members: [owner.id, main.id] })).id);
    } else {
      const agent = await agents.create({ name: `Bench ${number}`, kind: "bot", model: MODEL_NAME });
      made.push((await agents.room(agent.id)).id);
    }
  }
  return made;
};
