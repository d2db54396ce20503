import { describe, expect, test } from "bun:test";
import type { Argument, Flags } from "../command.ts";
import { parse } from "./parse.ts";
import { UsageError } from "./usage-error.ts";

const flags = {
  message: { kind: "text", short: "m", value: "TEXT", summary: "" },
  port: { kind: "number", value: "N", min: 0, max: 65_535, summary: "" },
  open: { kind: "switch", summary: "" },
  cell: { kind: "text", value: "CELL", choices: ["auto", "inline"], summary: "" },
} as const satisfies Flags;

const read = (words: readonly string[], args: readonly Argument[] = [{ name: "AGENT", optional: true }]) =>
  parse(words, { flags, args });

const complaint = (words: readonly string[], args?: readonly Argument[]): string => {
  try {
    read(words, args);
  } catch (error) {
    if (error instanceof UsageError) return `${error.message} ${error.hint ?? ""}`.trim();
    throw error;
  }
  throw new Error("It was understood.");
};

test("flags, values and arguments may come in any order", () => {
  const expected = {
    flags: { message: "hi", port: 80, open: true },
    args: ["main"],
    global: { json: true, help: false, home: "/h" },
  };
  expect(read(["main", "-m", "hi", "--port", "80", "--open", "--json", "--home", "/h"])).toEqual(expected);
  expect(read(["--port=80", "--json", "--home=/h", "--open", "--message=hi", "main"])).toEqual(expected);
});

test("an absent switch is false, an absent value is undefined", () => {
  expect(read([])).toEqual({
    flags: { open: false },
    args: [],
    global: { json: false, help: false, home: undefined },
  });
});

test("everything after -- is an argument", () => {
  expect(read(["--", "--open"]).args).toEqual(["--open"]);
});

test("a value may begin with a dash, contain an equals sign, or be empty", () => {
  expect(read(["-m", "-shell"]).flags["message"]).toBe("-shell");
  expect(read(["-m", "-- well --"]).flags["message"]).toBe("-- well --");
  expect(read(["--message=a=b"]).flags["message"]).toBe("a=b");
  expect(read(["--message", ""]).flags["message"]).toBe("");
  expect(read(["--message=--open"]).flags["message"]).toBe("--open");
});

describe("an invalid command line is refused with the reason", () => {
  const cases: readonly (readonly [readonly string[], string])[] = [
    [["--mesage", "x"], 'Unknown flag --mesage. Did you mean "--message"?'],
    [["--zzz=1"], "Unknown flag --zzz."],
    [["-x"], "Unknown flag -x."],
    [["--constructor"], "Unknown flag --constructor."],
    [["--message"], "--message needs a value: --message TEXT"],
    [["-m", "--open"], "-m needs a value: -m TEXT If --open is the value: --message=--open"],
    [["--open=yes"], "--open takes no value."],
    [["--open", "--open"], "--open is given twice."],
    [["-m", "a", "--message", "b"], "--message is given twice."],
    [["--port", "80a"], '--port takes a whole number from 0 to 65535, not "80a".'],
    [["--port", "65536"], '--port takes a whole number from 0 to 65535, not "65536".'],
    [["--port", ""], '--port takes a whole number from 0 to 65535, not "".'],
    [["--cell", "inlin"], '--cell takes auto, inline, not "inlin". Did you mean "inline"?'],
    [["a", "b"], 'Too many arguments: "b" is not expected. Put text of several words in quotes.'],
    [[""], "An argument is empty."],
  ];
  for (const [words, words2] of cases) test(words2, () => expect(complaint(words)).toBe(words2));

  test("the error names a missing argument", () => {
    expect(complaint([], [{ name: "ROOM" }])).toBe("ROOM is missing.");
  });
});

test("--help needs no arguments", () => {
  expect(read(["--help"], [{ name: "ROOM" }]).global.help).toBe(true);
  expect(read(["-h"], [{ name: "ROOM" }]).global.help).toBe(true);
});

test("a rest argument takes all remaining words", () => {
  expect(read(["a", "b", "c"], [{ name: "NAME", optional: true, rest: true }]).args).toEqual(["a", "b", "c"]);
});
