import { expect, test } from "bun:test";
import { createMemoryStorage } from "@hearth/client";
import { HearthError } from "@hearth/protocol";
import { renderToStaticMarkup } from "react-dom/server";
import { Command } from "./command.tsx";
import { createFakeUi, fakeEntry } from "./fake-ui.tsx";
import { changeEach } from "../lists/use-bulk.ts";
import { readFilters, writeFilter } from "./filters.ts";
import { remember } from "./remember.ts";
import { createTheme, type Theme } from "./theme-setting.ts";
import { formatAge, formatRelative, formatTime, Time } from "./time.tsx";
import { titleOf } from "./title.ts";
import { UiProvider, useHouse, useRoom, useUi } from "./ui.tsx";

test("the theme follows the system until one is chosen, and applies immediately", () => {
  const storage = createMemoryStorage();
  const shown: Theme[] = [];
  const theme = createTheme(storage, (next) => shown.push(next));
  expect(theme.get()).toBe("system");
  let calls = 0;
  const stop = theme.onChange(() => (calls += 1));
  theme.set("dark");
  theme.set("dark");
  expect([shown, calls]).toEqual([["system", "dark"], 1]);
  stop();
  theme.set("light");
  expect(calls).toBe(1);
  expect(createTheme(storage, () => {}).get()).toBe("light");
});

test("a theme chosen in another tab applies here too", () => {
  const storage = createMemoryStorage();
  const theme = createTheme(storage, () => {});
  storage.openTab().set("theme", "dark");
  expect(theme.get()).toBe("dark");
  storage.openTab().set("theme", "ultraviolet");
  expect(theme.get()).toBe("system");
});

test("without storage a theme lasts until the page closes", () => {
  const theme = createTheme(createMemoryStorage({ maxLength: 0 }), () => {});
  theme.set("dark");
  expect(theme.get()).toBe("dark");
});

test("full storage drops optional values", () => {
  const storage = createMemoryStorage({ maxLength: 0 });
  remember(storage, "last-room", "x");
  expect(storage.get("last-room")).toBeUndefined();
});

const NOW = new Date(2026, 2, 4, 12).getTime();
const MINUTE = 60_000;

test("relative times are short", () => {
  const ago = (minutes: number): string => formatAge(NOW - minutes * MINUTE, NOW, "en-US");
  expect([-5, 0, 5, 180, 3 * 1440, 20 * 1440, 400 * 1440].map(ago)).toEqual([
    "now",
    "now",
    "5 min",
    "3 hr",
    "Sun",
    "Feb 12",
    "Jan 28, 2025",
  ]);
});

test("an age in a sentence says that it is past", () => {
  const ago = (minutes: number, tag = "en-US"): string => formatRelative(NOW - minutes * MINUTE, NOW, tag);
  expect([0, 5, 180, 3 * 1440].map((minutes) => ago(minutes))).toEqual(["now", "5 min. ago", "3 hr. ago", "Sun"]);
  expect(ago(5, "de")).toBe("vor 5 Min.");
});

test("a time has a readable and a machine-readable form", () => {
  expect(formatTime(NOW, "en-GB")).toBe("12:00");
  const ui = createFakeUi({ now: NOW });
  const markup = renderToStaticMarkup(
    <UiProvider value={ui}>
      <Time at={NOW} style="relative" />
      <Time at={NOW} />
    </UiProvider>,
  );
  expect(markup.match(new RegExp(`dateTime="${new Date(NOW).toISOString()}"`, "g"))).toHaveLength(2);
  expect(markup).toContain(">now</time>");
  expect(markup).toContain("2026");
});

test("the title shows the number of unread rooms", () => {
  expect([titleOf("Main", 0), titleOf("Main", 2)]).toEqual(["Main", "(2) Main"]);
});

test("a command has a copy button", () => {
  const markup = renderToStaticMarkup(
    <UiProvider value={createFakeUi()}>
      <Command text="hearth login" />
    </UiProvider>,
  );
  expect(markup).toContain("<code>hearth login</code>");
  expect(markup).toContain('aria-label="Copy hearth login"');
});

test("the UI context is required", () => {
  const Lost = () => <>{useUi().clock.now()}</>;
  expect(() => renderToStaticMarkup(<Lost />)).toThrow("outside of UiProvider");
});

test("the fake UI shows what a test sets, and notifies listeners", () => {
  const ui = createFakeUi();
  const Rooms = () => <>{useHouse().rooms.map(({ room }) => room.content.name)}</>;
  const reader = ui.openRoom(fakeEntry.room.id);
  const Current = () => <>{String(useRoom(reader).isCurrent)}</>;
  const show = (): string =>
    renderToStaticMarkup(
      <UiProvider value={ui}>
        <Rooms /> <Current />
      </UiProvider>,
    );
  expect(show()).toBe("Main true");
  let calls = 0;
  const stop = [ui.house.onChange(() => (calls += 1)), reader.onChange(() => (calls += 1))];
  ui.setHouse({ rooms: [] });
  ui.setRoom({ isCurrent: false });
  expect([show(), calls]).toEqual([" false", 2]);
  for (const end of stop) end();
  ui.setRoom({ isCurrent: true });
  expect(calls).toBe(2);
});

test("the fake UI answers requests as set, and records them", async () => {
  const ui = createFakeUi({
    answers: {
      "GET /api/providers": [],
      "DELETE /api/providers/x": new HearthError("record.not-found", "There is no x."),
    },
  });
  expect(await ui.client.providers.list()).toEqual([]);
  const refusal = await ui.client.providers.remove("x").catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: "record.not-found", message: "There is no x." });
  expect(await ui.client.status().catch((error: unknown) => error)).toMatchObject({ code: "request.not-found" });
  await ui.copyText("a");
  expect(ui.calls).toEqual([
    ["GET /api/providers"],
    ["DELETE /api/providers/x"],
    ["GET /api/status"],
    ["copyText", "a"],
  ]);
});

test("filters of a list are read from the address and written to it, beside what else is there", () => {
  expect(readFilters(["agent", "state"], "state=paused&x=1")).toEqual({ agent: "", state: "paused" });
  expect(writeFilter("state=paused&x=1", "agent", "a b")).toBe("?state=paused&x=1&agent=a+b");
  expect(writeFilter("state=paused", "state", "")).toBe("");
});

test("a change of several rows continues after a failure, and returns the rows that failed", async () => {
  const seen: number[] = [];
  const failed: number[] = [];
  const change = async (row: number): Promise<void> => {
    seen.push(row);
    if (row === 2) throw new Error("no");
  };
  const errors = await changeEach([1, 2, 3], change, failed);
  expect([seen, failed, errors]).toEqual([[1, 2, 3], [2], [new Error("no")]]);
});
