/** Who has which level at a place, in words. */
import type { Client } from "@hearth/client";
import type { Place } from "@hearth/protocol";
import { createNames } from "./names.ts";

/** "Owner x, Main w", as far as one may know it: who decides there sees all, everybody their own. */
export const tellGrants = async (client: Client, on: Place): Promise<string | undefined> => {
  const grants = await client.grants.list({ on });
  if (grants.length === 0) return undefined;
  const names = await createNames(client);
  return (await Promise.all(grants.map(async ({ agent, level }) => `${await names.of(agent)} ${level}`))).join(", ");
};
