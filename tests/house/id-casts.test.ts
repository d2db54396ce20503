/**
 * Rows have typed ids, which the declarations of the tables give them. So the warden casts to an id
 * only where a text becomes one.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { readRepository, root } from "./source.ts";

const SOURCE = "packages/warden/src/";
const CAST = / as \w+Id\b/gu;

/** The number of casts of each file, with the reason. */
const allowed: Readonly<Record<string, readonly [number, string]>> = {
  "adapter/bun/cells/scratch.ts": [1, "a cell for documents, which belongs to no agent"],
  "adapter/bun/cells/trial.ts": [1, "A trial of a cell has no agent."],
  "adapter/bun/storage/examine.ts": [1, "A house that was removed is known only by its audit log."],
  "agents/memory/forgetting.ts": [3, "A source and the log of a brain are texts that may name an id."],
  "channels/inbound/conversation-room.ts": [1, "The new record is a room."],
  "http/access.ts": [1, "The prefix of the id says that the place is a room."],
  "http/durable-streams/durable-streams.ts": [1, "A parameter of a request."],
  "http/routes/streams.ts": [1, "A parameter of a request."],
  "kernel/audit/audited-store.ts": [1, "The name of an audit stream ends with the house's id."],
  "kernel/audit/ownership.ts": [2, "The declaration of the table says that the column has a house's id."],
  "kernel/audit/source.ts": [1, "The name of an audit stream ends with the house's id."],
  "kernel/store/memory-texts.ts": [1, "The name of a room's stream ends with the room's id."],
  "kernel/store/sqlite-passages.ts": [4, "The index of attachments is a table of the store itself."],
  "kernel/store/sqlite-texts.ts": [2, "The index of messages is a table of the store itself."],
  "kernel/streams/durable.ts": [1, "The name of a room's stream ends with the room's id."],
  "kernel/streams/subscriptions/tokens.ts": [1, "A token contains the house's id."],
  "people/credentials/new-people.ts": [1, "The new record is an agent."],
  "people/invites/house-invites.ts": [2, "The new record is an agent."],
  "people/pairings/house-pairings.ts": [2, "The new record is an agent."],
  "policy/open.ts": [1, "A call of a tool is made in a room."],
};

test("production code casts to an id only where a text becomes one", async () => {
  const { files } = await readRepository();
  const found: Record<string, number> = {};
  for (const { path } of files) {
    if (!path.startsWith(SOURCE) || /\.(test|conformance)\.ts$|\/fixtures\/|\/fake-/u.test(path)) continue;
    const count = (await Bun.file(join(root, path)).text()).match(CAST)?.length ?? 0;
    if (count > 0) found[path.slice(SOURCE.length)] = count;
  }
  expect(found).toEqual(Object.fromEntries(Object.entries(allowed).map(([path, [count]]) => [path, count])));
});

test("a cast of a column to an id is found", () => {
  expect("row.agent as AgentId, of as ActivationId".match(CAST)).toHaveLength(2);
  expect("[event, stored] as const".match(CAST)).toBeNull();
});
