import { expect, test } from "bun:test";
import { walls } from "@hearth/protocol";
import { describeEscapes, escapes } from "./escapes.ts";

const DOCUMENT = new URL("../../../docs/security.md", import.meta.url).pathname;
const BEGIN = "<!-- what holds where: made from packages/testing/cells/escapes.ts -->\n";
const END = "<!-- until here -->\n";

test("each wall has more than one attempt, and each attempt has a unique name", () => {
  for (const wall of walls)
    expect(escapes.filter((escape) => escape.wall === wall).length).toBeGreaterThanOrEqual(
      wall === "cpu" || wall === "pids" ? 1 : 2,
    );
  expect(new Set(escapes.map(({ name }) => name)).size).toBe(escapes.length);
  expect(escapes.length).toBeGreaterThanOrEqual(100);
});

test("docs/security.md matches the attempts and the promised walls", async () => {
  const text = await Bun.file(DOCUMENT).text();
  const [before, , after] = [text.split(BEGIN)[0], undefined, text.split(END)[1]];
  const expected = `${before}${BEGIN}\n${describeEscapes()}\n\n${END}${after}`;
  // HEARTH_WRITE=1 writes the document, to be reviewed before a commit.
  if (process.env["HEARTH_WRITE"] === "1") await Bun.write(DOCUMENT, expected);
  expect(process.env["HEARTH_WRITE"] === "1" ? expected : text).toBe(expected);
});
