/** The numbers of a usage report in the chart and the table. */
import { expect, test } from "bun:test";
import type { UsageGroup, UsageReport, UsageSum } from "@hearth/protocol";
import { renderToStaticMarkup } from "react-dom/server";
import { Router } from "wouter";
import { createFakeUi, fakeMain } from "../../house/fake-ui.tsx";
import { UiProvider } from "../../house/ui.tsx";
import { textOf } from "../../rooms/fake-view.tsx";
import { measureOf, toQuery } from "./usage-filters.tsx";
import { UsageView } from "./usage-section.tsx";
import { daysOf, nameOfGroup, seriesOf, showEstimate, showValue } from "./usage-words.ts";

const sum = (money: number, inputTokens = 1_000, more: Partial<UsageSum> = {}): UsageSum => ({
  ...{ calls: 1, inputTokens, outputTokens: 10, cacheReadTokens: 5, cacheWriteTokens: 0, money },
  estimated: { tokens: 0, money: 0 },
  ...more,
});
const group = (of: string | undefined, money: number, day = "2026-02-28"): UsageGroup => ({
  ...(of === undefined ? {} : { of }),
  total: sum(money),
  days: [{ day, sum: sum(money) }],
});
const report = (groups: readonly UsageGroup[], more: Partial<UsageReport> = {}): UsageReport => ({
  ...{ currency: "USD", from: "2026-02-27", to: "2026-03-01", by: "model", more: 0 },
  total: sum(
    groups.reduce((total, one) => total + one.total.money, 0),
    0,
    { calls: groups.length },
  ),
  groups: [...groups],
  ...more,
});
const noFilters = { values: { period: "", by: "", agent: "", room: "", measure: "" }, set: () => {}, clear: () => {} };
const draw = (shown: UsageReport): string =>
  textOf(
    renderToStaticMarkup(
      <UiProvider value={createFakeUi({})}>
        <Router ssrPath="/settings/limits">
          <UsageView report={shown} filters={noFilters} />
        </Router>
      </UiProvider>,
    ),
  );

test("a report has every day of its range, also across the end of a month", () => {
  expect(daysOf(report([]))).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
});

test("the chart has a series for each of the largest groups, and one for the sum of all others", () => {
  const few = seriesOf(report([group("a/m", 2_000_000)]), "cost", ({ of = "" }) => of);
  expect(few).toEqual([{ name: "a/m", values: [0, 2, 0] }]);
  const many = Array.from({ length: 9 }, (_, index) => group(`p/${index}`, index * 1_000_000));
  const series = seriesOf(report(many), "cost", ({ of = "" }) => of);
  expect(series.map(({ name }) => name)).toEqual(["p/8", "p/7", "p/6", "p/5", "p/4", "p/3", "Others"]);
  expect(series.at(-1)?.values).toEqual([0, 3, 0]);
  expect(seriesOf(report(many), "tokens", () => "x").at(-1)?.values).toEqual([0, 3 * 1_015, 0]);
});

test("a group has the name of its dimension, and removed agents and hidden rooms are named as such", () => {
  const rooms = new Map([["room_1", "Kitchen"]]);
  const named = (by: UsageReport["by"], of?: string, name?: string): string =>
    nameOfGroup({ ...group(of, 1), ...(name === undefined ? {} : { name }) }, by, rooms);
  expect([named("agent", "agent_1", "Main"), named("agent", "agent_2"), named("agent")]).toEqual([
    "Main",
    "Removed agent",
    "No agent",
  ]);
  expect([named("room", "room_1", "x"), named("room", "room_2", "Hall"), named("room")]).toEqual([
    "Kitchen",
    "Hall",
    "No room, or a room that you cannot open",
  ]);
  expect([named("kind", "memory"), named("model", "far/m"), named("day", "2026-02-28")]).toEqual([
    "Memory search",
    "far/m",
    "2026-02-28",
  ]);
});

test("the address decides what is asked, and an unknown value counts as absent", () => {
  const at = (values: Partial<(typeof noFilters)["values"]>) => ({
    ...noFilters,
    values: { ...noFilters.values, ...values },
  });
  expect(toQuery(at({}))).toEqual({ days: 30, by: "agent" });
  expect(toQuery(at({ period: "today", by: "room", agent: "main", room: "room_1" }))).toEqual({
    ...{ days: 1, by: "room", agent: "main", room: "room_1" },
  });
  expect(toQuery(at({ period: "999", by: "weather" }))).toEqual({ days: 30, by: "agent" });
  const free = report([group("a/m", 0)]);
  expect([measureOf(at({}), free), measureOf(at({ measure: "cost" }), free)]).toEqual(["tokens", "cost"]);
  expect(measureOf(at({}), report([group("a/m", 1)]))).toBe("cost");
});

test("the page says what was spent, which part is estimated, and how many groups are not listed", () => {
  const estimated = { tokens: 500, money: 250_000 };
  const total = sum(3_000_000, 2_000, { calls: 3, estimated });
  const text = draw(report([group(fakeMain.id, 3_000_000)], { by: "agent", total, more: 2 }));
  expect(text).toContain("3.00 USD · 2,015 tokens · 3 calls");
  expect(text).toContain("0.25 USD, 500 tokens of this is estimated");
  expect(text).toContain("2 more are counted in the total only.");
  expect(draw(report([], { total: sum(0, 0, { calls: 0 }) }))).toContain("No charged calls in these days.");
  expect(showEstimate(sum(1))).toBeUndefined();
  expect([showValue(0.5, "cost"), showValue(1, "tokens")]).toEqual(["0.50 USD", "1 token"]);
});
