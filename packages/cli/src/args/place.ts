/**
 * Finds houses and rooms by handle or id. `house:NAME` and `room:NAME` distinguish a house and a
 * room with the same name.
 */
import type { Client } from "@hearth/client";
import { HearthError, type HouseRecord, isHearthError, type Place, type RoomRecord } from "@hearth/protocol";
import { UsageError } from "./usage-error.ts";

export type PlaceRecord = HouseRecord | RoomRecord;

/** Returns the named house or room. Without a name, returns the caller's own house. */
export const findPlace = async (client: Client, placeName: string | undefined): Promise<PlaceRecord> => {
  if (placeName === undefined) return (await client.me()).house;
  const [, type, name = placeName] = /^(house|room):(.+)$/.exec(placeName) ?? [];
  if (type === "house" || name.startsWith("house_")) return client.houses.get(name);
  if (type === "room" || name.startsWith("room_")) return client.rooms.get(name);
  const [house, room] = await Promise.all([
    ignoreNotFound(client.houses.get(name)),
    ignoreNotFound(client.rooms.get(name)),
  ]);
  if (house !== undefined && room !== undefined)
    throw new UsageError(`Both a house and a room are named "${name}".`, `Use house:${name} or room:${name}.`);
  const place = house ?? room;
  if (place !== undefined) return place;
  throw new HearthError("record.not-found", `There is no house and no room "${name}".`, {
    hint: "List them: hearth house list, hearth room list",
  });
};

const ignoreNotFound = async <Value>(request: Promise<Value>): Promise<Value | undefined> => {
  try {
    return await request;
  } catch (error) {
    if (isHearthError(error, "record.not-found")) return undefined;
    throw error;
  }
};

/** Names a place, for example "house home" or "room den". */
export const describePlace = ({ type, handle }: Pick<PlaceRecord, "type" | "handle">): string => `${type} ${handle}`;

/** Returns a function that names a place. For a place that was removed or is not visible, it returns the id. */
export const createPlaces = async (client: Client): Promise<(on: Place) => string> => {
  const [houses, rooms] = await Promise.all([client.houses.list(), client.rooms.list()]);
  const namesById = new Map<Place, string>([...houses, ...rooms].map((place) => [place.id, describePlace(place)]));
  return (on) => namesById.get(on) ?? on;
};
