import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { stringify } from "smol-toml";
import { scanLines } from "./lines.ts";

const text = `# top
version = 1
title = """
[not.a.table]
key = "no" ""\\"""""

[server] # with a comment
  "port" = 1 ; # not toml, so not here
`.replace("1 ; # not toml, so not here", "18789 # = [x]");

const more = `${text}
[agents]
main.model = "a/b"
'my bot' = { model = "a]b", tools = [
  "read", # one
  'write',
  """
  multi]""",
], cell = "auto" }

[agents."Ünï \\"q\\""]
timezone = 'C:\\' # a literal string has no escapes
since = 1979-05-27 07:32:00Z
[[jobs]]
at = 1
[[jobs]]
at = 2
[jobs.where]
room = "x"
`;

describe("lineOf", () => {
  const { lineOf, statements } = scanLines(more);

  test.each([
    [["version"], 2],
    [["title"], 3],
    [["server"], 7],
    [["server", "port"], 8],
    [["agents"], 10],
    [["agents", "main", "model"], 11],
    [["agents", "main"], 11],
    [["agents", "my bot"], 12],
    [["agents", "my bot", "model"], 12],
    [["agents", "my bot", "tools", 1], 14],
    [["agents", "my bot", "tools", 2], 15],
    [["agents", "my bot", "cell"], 17],
    [["agents", 'Ünï "q"'], 19],
    [["agents", 'Ünï "q"', "timezone"], 20],
    [["agents", 'Ünï "q"', "since"], 21],
    [["jobs", 0, "at"], 23],
    [["jobs", 1, "at"], 25],
    [["jobs", 1, "where", "room"], 27],
  ])("%j is in line %i", (path, line) => {
    expect(lineOf(path)).toBe(line);
  });

  test("text that only looks like a key, in a string or a comment, has no line", () => {
    expect(lineOf(["not", "a", "table"])).toBeUndefined();
    expect(lineOf(["key"])).toBeUndefined();
    expect(lineOf(["agents", "nobody"])).toBeUndefined();
  });

  test("a text with a byte order mark and CRLF has the same line numbers", () => {
    const other = scanLines(`\uFEFF${more.replaceAll("\n", "\r\n")}`);
    expect(other.lineOf(["jobs", 1, "where", "room"])).toBe(27);
    expect(other.lineOf(["version"])).toBe(2);
  });

  test("statements cover whole lines and everything except blanks and comments", () => {
    let rest = "";
    let kept = 0;
    for (const statement of statements) {
      rest += more.slice(kept, statement.start);
      kept = statement.end;
    }
    rest += more.slice(kept);
    expect(rest.split("\n").filter((line) => line !== "")).toEqual(["# top"]);
  });
});

test.each([
  ["a = { b = 1", [["a", "b"]]],
  ["a = { b = [ 'c',", [["a", "b", 0]]],
])("a text that was cut in a table is read to its end: %j", (cut, paths) => {
  const { lineOf, statements } = scanLines(cut);
  expect(statements.map(({ end }) => end)).toEqual([cut.length]);
  for (const path of paths) expect(lineOf(path)).toBe(1);
});

test("every value that a serializer writes is found on its line", () => {
  const key = fc.string({ minLength: 1, unit: "grapheme" }).filter((word) => word !== "__proto__");
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string(), { minLength: 1 }));
  const table = fc.dictionary(key, fc.oneof(leaf, fc.dictionary(key, leaf, { minKeys: 1 })), { minKeys: 1 });
  fc.assert(
    fc.property(table, (value) => {
      const written = stringify(value);
      const lines = written.split("\n");
      const { lineOf } = scanLines(written);
      for (const [name, inner] of Object.entries(value)) {
        const isTable = typeof inner === "object" && !Array.isArray(inner);
        for (const [path, found] of isTable
          ? Object.entries(inner).map(([sub, value]) => [[name, sub], value] as const)
          : [[[name], inner] as const]) {
          const last = path.at(-1) ?? "";
          const expected = stringify({ [last]: found }).trimEnd();
          expect(lines[(lineOf(path) ?? 0) - 1]).toBe(expected);
        }
      }
    }),
    { numRuns: 200 },
  );
});
