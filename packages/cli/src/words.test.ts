/** Small helpers: nearest names, list edits, durations, and escaped text. */
import { describe, expect, test } from "bun:test";
import { applyListChange, namesOf, readListChange } from "./flags/change-list.ts";
import { exitCodes, toExitCode } from "./exit-codes.ts";
import { nearest } from "@hearth/protocol/nearest";
import { safeJson, safeLine, safeText } from "./show/safe-text.ts";
import { formatAge, localTime, formatDuration } from "./show/time.ts";
import { readDuration, readWhen } from "./args/when.ts";

describe("the nearest name", () => {
  const names = ["agent", "activation", "room", "status", "stop"];
  test("is found despite wrong, missing, extra or swapped letters", () => {
    for (const [typed, meant] of [
      ["agnet", "agent"],
      ["agents", "agent"],
      ["rooms", "room"],
      ["satus", "status"],
      ["act", "activation"],
    ] as const) {
      expect(nearest(typed, names)).toBe(meant);
    }
  });
  test("is undefined when no name is close", () => {
    expect(nearest("kitchen", names)).toBeUndefined();
    expect(nearest("", names)).toBeUndefined();
  });
});

describe("a list on the command line", () => {
  const change = (text: string, present: readonly string[]) =>
    applyListChange(readListChange("--tools", text), present);
  test("is set as a whole", () => expect(change("read, write,read", ["shell"])).toEqual(["read", "write"]));
  test("is changed by plus and minus", () => {
    expect(change("+shell,-read", ["read", "list"])).toEqual(["list", "shell"]);
    expect(change("+list", ["read", "list"])).toEqual(["read", "list"]);
    expect(change("-list", ["read"])).toEqual(["read"]);
  });
  test("reports all names in it", () => {
    expect(namesOf(readListChange("--tools", "+a,-b"))).toEqual(["a", "b"]);
    expect(namesOf(readListChange("--tools", "a"))).toEqual(["a"]);
  });
  test("cannot mix both forms", () =>
    expect(() => readListChange("--tools", "a,+b")).toThrow("--tools mixes a whole list with changes: a,+b"));
});

describe("untrusted text", () => {
  test("cannot control the terminal", () => {
    expect(safeText("a\u001b[2Jb\u0007c\u009b1md\u007f")).toBe("a\\e[2Jb\\u0007c\\u009b1md\\u007f");
    expect(safeText("over\rwritten")).toBe("over\\rwritten");
  });
  test("cannot hide or reverse text", () => {
    expect(safeText("a\u202eb\u2066c\u200bd\ufeff")).toBe("a\\u202eb\\u2066c\\u200bd\\ufeff");
  });
  test("keeps lines, tabs and all scripts", () => {
    const text = "Grüße\n\tمرحبا 👨‍👩‍👧 日本\n";
    expect(safeText(text)).toBe(text);
    expect(safeText("a\r\nb")).toBe("a\nb");
  });
  test("can be put on one line", () => expect(safeLine("a\nb\tc\u001b")).toBe("a\\nb\\tc\\e"));
  test("is escaped in JSON without changing its value", () => {
    const value = { text: "\u009b2J\u202e\u001b ü\u007f" };
    const json = safeJson(value);
    expect(json).toBe('{"text":"\\u009b2J\\u202e\\u001b ü\\u007f"}');
    expect(JSON.parse(json)).toEqual(value);
  });
});

test("error codes map to stable exit codes", () => {
  expect(exitCodes).toMatchObject({ done: 0, failed: 1, usage: 2, notRunning: 3, notAllowed: 4 });
  expect(toExitCode("house.unreachable")).toBe(3);
  expect(toExitCode("auth.denied")).toBe(4);
  expect(
    ["server.port-taken", "home.read-only", "home.foreign", "home.in-use", "config.invalid"].map((code) =>
      toExitCode(code as "config.invalid"),
    ),
  ).toEqual([14, 15, 16, 17, 18]);
  expect(toExitCode("record.not-found")).toBe(1);
});

test("durations and times are formatted", () => {
  expect([0.4, 999, 1_000, 59_949, 90_000].map(formatDuration)).toEqual([
    "0 ms",
    "999 ms",
    "1.0 s",
    "59.9 s",
    "1.5 min",
  ]);
  expect([0, 999, 1_000, 3_599_000, 7_200_000, 86_400_000 * 3].map((past) => formatAge(0, past))).toEqual([
    "just now",
    "just now",
    "1 s ago",
    "59 min ago",
    "2 h ago",
    "3 d ago",
  ]);
  expect(localTime(new Date(2026, 0, 2, 3, 4, 5).getTime())).toBe("2026-01-02 03:04:05");
});

test("typed durations and times are parsed, and other text is refused", () => {
  const spans = ["0", "500ms", "1.5s", "10min", "2h", "30d"];
  expect(spans.map((text) => readDuration("--for", text))).toEqual([0, 500, 1_500, 600_000, 7_200_000, 2_592_000_000]);
  for (const text of ["", "5", "soon", "-2h", "1.5", "2 h"]) {
    expect(() => readDuration("--for", text)).toThrow(`--for takes a duration, not "${text}".`);
    expect(() => readWhen("--since", text, 0)).toThrow(`--since takes a duration or a date, not "${text}".`);
  }
  expect(readWhen("--since", "2h", 7_200_500)).toBe(500);
  expect(readWhen("--since", "2h", 1)).toBe(0);
  expect(readWhen("--since", "2026-01-31", 0)).toBe(new Date(2026, 0, 31).getTime());
  expect(readWhen("--since", "2026-01-31T08:30", 0)).toBe(new Date(2026, 0, 31, 8, 30).getTime());
  expect(readWhen("--since", "2026-01-31T08:30Z", 0)).toBe(Date.UTC(2026, 0, 31, 8, 30));
});
