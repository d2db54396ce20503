/**
 * Checks the table of threats in docs/security.md: each named test exists, and its title starts
 * with the threat's id.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { root } from "./source.ts";

/** Number of threats of each kind. */
const KINDS = { A: 77, B: 8, C: 9, D: 9, E: 5, F: 4 } as const;

interface ThreatRow {
  readonly id: string;
  readonly mechanism: string;
  readonly tests: readonly { readonly file: string; readonly title: string }[];
  readonly gap: string;
}

const readRows = async (): Promise<readonly ThreatRow[]> => {
  const text = await Bun.file(join(root, "docs/security.md")).text();
  return [...text.matchAll(/^\| ([A-F]\d+) *\|[^|]*\|([^|]*)\|([^|]*)\|([^|]*)\|$/gm)].map(
    ([, id = "", mechanism = "", shown = "", gap = ""]) => ({
      ...{ id, mechanism: mechanism.trim(), gap: gap.trim() },
      tests: [...shown.matchAll(/`([^`]+)`: (.*?)(?:<br>|\s*$)/g)].map(([, file = "", title = ""]) => ({
        file,
        title,
      })),
    }),
  );
};

test("every threat has exactly one row", async () => {
  const all = Object.entries(KINDS).flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, index) => `${kind}${index + 1}`),
  );
  expect((await readRows()).map(({ id }) => id)).toEqual(all);
});

test("every threat has a test whose title names it, or states what it waits for", async () => {
  for (const { id, mechanism, tests, gap } of await readRows()) {
    if (tests.length === 0) expect([id, gap]).toEqual([id, expect.stringMatching(/^waits/)]);
    else expect([id, mechanism]).not.toEqual([id, ""]);
    for (const { file, title } of tests) {
      expect([id, title]).toEqual([id, expect.stringMatching(new RegExp(`^${id}[:,] `))]);
      const text = await Bun.file(join(root, file))
        .text()
        .catch(() => "");
      expect([id, file, title, text.includes(title)]).toEqual([id, file, title, true]);
    }
  }
});
