import { expect, test } from "bun:test";
import { type AgentId, HearthError, type MessageEvent, type Stored } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { newActivation } from "../../kernel/journal/activation.ts";
import { createFakeLog } from "../../kernel/log/log.ts";
import type { NewEvent } from "../../kernel/streams/streams.ts";
import { createStartLog } from "./start-log.ts";

const message = { id: "evt_1", offset: 1, room: "room_1", author: "agent_2" } as Stored<MessageEvent>;

const open = (commit: () => Promise<unknown> = async () => ({ kind: "committed", appended: [] })) => {
  const world = createFakeWorld({ hash: () => "0".repeat(64) });
  const log = createFakeLog();
  const written: NewEvent[] = [];
  const streams = {
    commit: async ({ events = [] }: { readonly events?: readonly NewEvent[] }) => {
      written.push(...events);
      return (await commit()) as { kind: "committed"; appended: [] };
    },
  };
  const row = newActivation({ world, message, agent: "agent_1" as AgentId, trigger: "direct", now: 1 });
  return { world, log, written, row, beginnings: createStartLog({ world, log, streams }) };
};
const typesOf = (events: readonly NewEvent[]) => events.map(({ event }) => `${event.type} ${event.at}`);
const ENTRY = ["activation-started 7"];

test("a beginning is logged after a pause, and then its end adds nothing", async () => {
  const { world, written, row, beginnings } = open();
  beginnings.recordStart(row, 7);
  expect(written).toEqual([]);
  await world.advance(10);
  expect(typesOf(written)).toEqual(ENTRY);
  expect(beginnings.missingEntries(row)).toEqual([]);
});

test("an end during the pause adds the entry, which is then not written apart", async () => {
  const { world, written, row, beginnings } = open();
  beginnings.recordStart(row, 7);
  expect(typesOf(beginnings.missingEntries(row))).toEqual(ENTRY);
  await world.advance(10);
  expect(written).toEqual([]);
});

test("an end while the entry is being written adds nothing", async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const { world, row, beginnings } = open(() => promise);
  beginnings.recordStart(row, 7);
  await world.advance(10);
  expect(beginnings.missingEntries(row)).toEqual([]);
  resolve({});
});

test("an entry that could not be written is reported and added by the end", async () => {
  const { world, log, row, beginnings } = open(() => Promise.reject(new Error("the disk refuses")));
  beginnings.recordStart(row, 7);
  await world.advance(10);
  expect(log.lines.join()).toContain("could not log that an activation began");
  expect(typesOf(beginnings.missingEntries(row))).toEqual(ENTRY);
});

test("a store that closes is not reported, because the next daemon resumes the activation", async () => {
  const { world, log, row, beginnings } = open(() => Promise.reject(new HearthError("house.closing", "closed")));
  beginnings.recordStart(row, 7);
  await world.advance(10);
  expect(log.lines).toEqual([]);
});

test("the end of an activation that an earlier daemon began adds the entry, with the time of its beginning", () => {
  const { row, beginnings } = open();
  expect(beginnings.missingEntries(row)).toEqual([]);
  expect(typesOf(beginnings.missingEntries({ ...row, started_at: 7 }))).toEqual(ENTRY);
});
