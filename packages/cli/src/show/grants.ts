/** Describes the grants on a house or room. */
import type { Client } from "@hearth/client";
import type { Place } from "@hearth/protocol";
import { createNames } from "./names.ts";

/**
 * Describes grants, for example "Owner x, Main w". Callers with x on the place see all grants, and
 * other callers only their own.
 */
export const describeGrants = async (client: Client, on: Place): Promise<string | undefined> => {
  const grants = await client.grants.list({ on });
  if (grants.length === 0) return undefined;
  const names = await createNames(client);
  return (await Promise.all(grants.map(async ({ agent, level }) => `${await names.get(agent)} ${level}`))).join(", ");
};
