/** Resolves lists of agents on a command line, given by handle or id. */
import type { Client } from "@hearth/client";
import type { AgentId } from "@hearth/protocol";
import { applyListChange, namesOf, readListChange } from "../flags/change-list.ts";

export const toIds = (client: Client, names: readonly string[]): Promise<AgentId[]> =>
  Promise.all(names.map(async (name) => (await client.agents.get(withoutAt(name))).id));

/** Returns the agents after a flag's change. Calls `currentNames` only for changes such as `+a,-b`. */
export const changeAgents = async (
  client: Client,
  { flag, text }: { readonly flag: string; readonly text: string },
  currentNames: () => Promise<readonly string[]>,
): Promise<string[]> => {
  const change = readListChange(flag, text);
  const names = namesOf(change);
  const ids = await toIds(client, names);
  const toId = (name: string): string => ids[names.indexOf(name)] ?? name;
  if (change.kind === "set") return change.names.map(toId);
  return applyListChange(
    { kind: "change", add: change.add.map(toId), remove: change.remove.map(toId) },
    await currentNames(),
  );
};

/** Returns the handle without a leading `@`. */
export const withoutAt = (name: string): string => name.replace(/^@/, "");
