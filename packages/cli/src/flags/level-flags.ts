/** Flags for the house and level of a person or bot, and the text that describes their levels. */
import type { Client } from "@hearth/client";
import { type AgentId, type AgentRecord, type HouseId, type Level, Right, rights } from "@hearth/protocol";
import type { FlagValues, Flags } from "../command.ts";
import { createPlaces } from "../args/place.ts";
import { UsageError } from "../args/usage-error.ts";

export const levelFlag = {
  level: {
    kind: "text",
    value: "LEVEL",
    choices: ["r", "w", "x", "none"],
    summary: "their level in their house: r (read), w (also write), x (also administer), none",
  },
} as const satisfies Flags;

export const houseFlag = {
  house: { kind: "text", value: "HOUSE", summary: "the house, by handle or id (default: yours)" },
} as const satisfies Flags;

type GivenFlags = FlagValues<typeof levelFlag & typeof houseFlag>;

/** Returns the house and level of a new record. */
export const toHouseAndLevel = async (
  client: Client,
  { house, level }: GivenFlags,
): Promise<{ readonly house?: HouseId; readonly level?: Level | "none" }> => ({
  ...(house === undefined ? {} : { house: await toHouse(client, house) }),
  ...(level === undefined ? {} : { level: level as Level | "none" }),
});

export const toHouse = async (client: Client, name: string): Promise<HouseId> => (await client.houses.get(name)).id;

/** Replaces the agent's level in its own house. */
export const setLevel = async (client: Client, { id, house }: AgentRecord, level: string): Promise<void> => {
  if (level === "none") await client.grants.take(house, id);
  else await client.grants.give(house, id, level as Level);
};

/** Describes levels that the caller may see, for example "w on house home, x on room den". */
export const describeLevels = async (client: Client, agent: AgentId): Promise<string | undefined> => {
  const grants = await client.grants.list({ agent });
  if (grants.length === 0) return undefined;
  const nameOf = await createPlaces(client);
  return grants.map(({ on, level, rights = [] }) => `${[level, ...rights].join("+")} on ${nameOf(on)}`).join(", ");
};

export const toRight = (name: string): Right => {
  const right = Right.safeParse(name);
  if (right.success) return right.data;
  throw new UsageError(`A right is ${rights.join(", ")}, not "${name}".`);
};
