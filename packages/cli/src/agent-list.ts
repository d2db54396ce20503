/** Lists of agents on a command line, by handle or id. */
import type { Client } from "@hearth/client";
import type { AgentId } from "@hearth/protocol";
import { applyListChange, namesOf, readListChange } from "./change-list.ts";

export const toIds = (client: Client, names: readonly string[]): Promise<AgentId[]> =>
  Promise.all(names.map(async (name) => (await client.agents.get(withoutAt(name))).id));

/** The agents after the change that a flag says. `present` is asked for only where a list is changed and not set. */
export const changeAgents = async (
  client: Client,
  { flag, text }: { readonly flag: string; readonly text: string },
  present: () => Promise<readonly string[]>,
): Promise<string[]> => {
  const change = readListChange(flag, text);
  const names = namesOf(change);
  const ids = await toIds(client, names);
  const toId = (name: string): string => ids[names.indexOf(name)] ?? name;
  if (change.kind === "set") return change.names.map(toId);
  return applyListChange(
    { kind: "change", add: change.add.map(toId), remove: change.remove.map(toId) },
    await present(),
  );
};

/** `@ada` is Ada's handle as everybody writes it. */
export const withoutAt = (name: string): string => name.replace(/^@/, "");
