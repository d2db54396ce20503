/** Usage of models at the command line, against a fake house. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { UsageReport, UsageSum } from "@hearth/protocol";
import { openFakeHouse, runAt } from "../fakes/fake-command-line.ts";
import type { FakeHouse } from "../fakes/fake-house.ts";

let house: FakeHouse;
beforeEach(async () => {
  house = await openFakeHouse();
});
afterEach(() => house.close());

const sum = (money: number, estimated = 0): UsageSum => ({
  ...{ calls: 3, inputTokens: 100, outputTokens: 7, cacheReadTokens: 50, cacheWriteTokens: 5, money },
  estimated: { tokens: estimated, money: estimated },
});
const report: UsageReport = {
  ...{ currency: "USD", from: "2026-11-01", to: "2026-11-22", by: "agent", more: 2 },
  total: sum(3_000_000),
  groups: [
    { of: "agent_1", name: "Main\u001b[31m", total: sum(2_000_000, 500_000), days: [] },
    { total: sum(1_000_000), days: [] },
  ],
};

test("usage is a table with a total, and untrusted names cannot change the terminal", async () => {
  house.answer("GET /api/usage", report);
  const { out, err } = await runAt(house, ["usage", "--by", "agent"]);
  const [, main, none, total] = out.split("\n");
  expect(main).toMatch(/^Main\S* +2\.00 USD +155 +50 +7 +3 +0\.50 USD *$/);
  expect(main).not.toContain("\u001b");
  expect(none).toMatch(/^none +1\.00 USD +155 +50 +7 +3 *$/);
  expect(total).toMatch(/^total +3\.00 USD/);
  expect(err).toContain("2 more are counted in the total only.");
  expect(JSON.parse((await runAt(house, ["usage", "--json"])).out)).toEqual(report);
});

test("flags become the query, and an unknown dimension is refused", async () => {
  house.answer("GET /api/usage", report);
  await runAt(house, [
    "usage",
    "--by",
    "room",
    "--days",
    "7",
    "--to",
    "2026-11-22",
    "--agent",
    "main",
    "--room",
    "hall",
  ]);
  expect(house.queries.at(-1)).toEqual({ by: "room", days: "7", to: "2026-11-22", agent: "main", room: "hall" });
  expect((await runAt(house, ["usage", "--by", "weather"])).code).not.toBe(0);
});
