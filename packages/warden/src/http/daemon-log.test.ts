import { expect, test } from "bun:test";
import { readDaemonLog } from "./daemon-log.ts";

const line = (at: number, level: string, more: object = {}): string =>
  JSON.stringify({ at: new Date(at).toISOString(), level, message: `line ${at}`, ...more });

const read = (texts: readonly string[], query: { readonly level?: "debug" | "warn"; readonly limit?: number } = {}) =>
  readDaemonLog({
    tail: async () => `${texts.join("\n")}\n`,
    isWritten: true,
    query: { level: "debug", limit: 10, ...query },
  });

test("lines have their time, their level, their text and their other fields, oldest first", async () => {
  expect(await read([line(1, "info", { url: "x" }), line(2, "error")])).toEqual({
    lines: [
      { at: 1, level: "info", message: "line 1", fields: { url: "x" } },
      { at: 2, level: "error", message: "line 2", fields: {} },
    ],
    isWritten: true,
  });
});

test("lines below the level are left out, and the last ones are returned", async () => {
  const texts = [line(1, "warn"), line(2, "error"), line(3, "info"), line(4, "warn"), line(5, "debug")];
  const levels = async (...query: Parameters<typeof read>) => (await read(...query)).lines.map(({ at }) => at);
  expect(await levels(texts, { level: "warn" })).toEqual([1, 2, 4]);
  expect(await levels(texts, { level: "warn", limit: 2 })).toEqual([2, 4]);
  expect(await levels(texts, { limit: 1 })).toEqual([5]);
});

test("a line that a full disk cut off is left out", async () => {
  const cut = line(2, "info").slice(0, -5);
  const odd = ["{}", "null", "text", JSON.stringify({ at: "never", level: "info", message: "x" })];
  expect(
    (await read([line(1, "info"), cut, ...odd, line(3, "loud"), line(4, "info")])).lines.map(({ at }) => at),
  ).toEqual([1, 4]);
});

test("a house without a log file has no lines", async () => {
  expect(await readDaemonLog({ isWritten: true, query: { level: "debug", limit: 1 } })).toEqual({
    lines: [],
    isWritten: false,
  });
});
