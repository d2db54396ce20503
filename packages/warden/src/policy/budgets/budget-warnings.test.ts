import { expect, test } from "bun:test";
import type { AgentRecord, HouseId } from "@hearth/protocol";
import { until } from "@hearth/protocol/until";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeLog } from "../../kernel/log/log.ts";
import { TURN } from "./budget-ledger.ts";
import type { Limit } from "./budget-limits.ts";
import { createWarnings, MAX_CACHED_LIMITS } from "./budget-warnings.ts";

/** Warnings about turns, each of which has used up its budget. */
const open = () => {
  const stored = new Set<string>();
  let appends = 0;
  const failing = { isDown: false };
  const log = createFakeLog();
  const warn = createWarnings({
    world: createFakeWorld(createBunWorld()),
    log,
    streams: {
      async append({ id }) {
        appends += 1;
        if (failing.isDown) throw new Error("the disk is full");
        const kind = stored.has(id) ? "duplicate" : "appended";
        stored.add(id);
        return { kind, offset: 1 } as never;
      },
    },
    ledger: { tally: () => ({ spent: { tokens: 100, money: 0 }, reserved: { tokens: 0, money: 0 } }) },
    home: "house_1" as HouseId,
  });
  const turn = (index: number): Limit => ({
    ...{ kind: "house", span: "turn", scope: `act_${index}`, period: TURN, limit: { tokens: 100 }, atLimit: "stop" },
  });
  return { log, failing, warn: (index: number) => warn([turn(index)]), appends: () => appends, stored };
};

test("a limit is reported once, however often it is looked at", async () => {
  const { warn, appends, stored } = open();
  for (const index of [1, 1, 2, 1, 2]) warn(index);
  await until(() => stored.size === 2);
  expect(appends()).toBe(2);
});

test("only the newest limits are remembered, and a warning about a forgotten one is not repeated", async () => {
  const { log, warn, appends, stored } = open();
  for (let index = 0; index <= MAX_CACHED_LIMITS; index += 1) warn(index);
  await until(() => log.lines.length === MAX_CACHED_LIMITS + 1);
  warn(MAX_CACHED_LIMITS);
  warn(1);
  expect(appends()).toBe(MAX_CACHED_LIMITS + 1);
  warn(0);
  await until(() => appends() === MAX_CACHED_LIMITS + 2);
  expect([stored.size, log.lines.length]).toEqual([MAX_CACHED_LIMITS + 1, MAX_CACHED_LIMITS + 1]);
});

test("a warning that could not be written is tried again with the next call", async () => {
  const { log, failing, warn, appends, stored } = open();
  failing.isDown = true;
  warn(1);
  await until(() => log.lines.length === 1);
  failing.isDown = false;
  warn(1);
  await until(() => stored.size === 1);
  expect(appends()).toBe(2);
});

test("a warning is stored in the log of the house whose limit it is, and names the agent of an agent or turn", async () => {
  const events: (readonly [stream: string, event: unknown])[] = [];
  const period = { key: "2026-11-22", endsAt: 9, zone: "UTC" };
  const agent = { id: "agent_1", house: "house_2" } as AgentRecord;
  const warn = createWarnings({
    world: createFakeWorld(createBunWorld()),
    log: createFakeLog(),
    streams: {
      async append({ stream, event }) {
        const { at: _at, ...facts } = event as { at: number };
        events.push([stream, facts]);
        return { kind: "appended", offset: 1 } as never;
      },
    },
    ledger: {
      tally: (scope, key) => ({
        spent: { tokens: `${scope} ${key}`.length, money: 0 },
        reserved: { tokens: 0, money: 0 },
      }),
    },
    home: "house_1" as HouseId,
  });
  const limit = { tokens: 10 };
  warn([
    { kind: "house", span: "day", scope: "house_1", period, limit, atLimit: "stop", agent },
    { kind: "agent", span: "day", scope: "agent_1", period, limit, atLimit: "stop", agent },
    { kind: "house", span: "turn", scope: "act_1", period: TURN, limit, atLimit: "stop", agent },
  ]);
  await until(() => events.length === 3);
  const facts = { type: "budget-warned", percent: 95, limit };
  const spent = (tokens: number) => ({ tokens, money: 0 });
  expect(events).toEqual([
    ["house:house_1", { ...facts, per: "day", period: period.key, spent: spent(18) }],
    ["house:house_2", { ...facts, per: "day", period: period.key, agent: agent.id, spent: spent(18) }],
    [
      "house:house_2",
      { ...facts, per: "turn", period: "act_1", agent: agent.id, spent: spent(`act_1 ${TURN}`.length) },
    ],
  ]);
});
