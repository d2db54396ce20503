/** The command line before a house that does as it is told: words in, the exit code and what was written out. */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeHouse, type FakeHouse } from "./fake-house.ts";
import { createFakeTerminal, type FakeTerminal } from "./fake-terminal.ts";
import { run } from "./run.ts";
import type { Terminal } from "./terminal.ts";

/** A house in a home of its own, which goes with it. */
export const openFakeHouse = async (): Promise<FakeHouse> =>
  createFakeHouse(await mkdtemp(join(tmpdir(), "hearth-cli-")));

export type Outcome = FakeTerminal["written"] & { readonly code: number };

/** One command, at a terminal that differs from the usual one in `options`. */
export const runAt = async (
  { home }: Pick<FakeHouse, "home">,
  words: readonly string[],
  options: Partial<Terminal> = {},
): Promise<Outcome> => {
  const terminal = createFakeTerminal({ home, ...options });
  const code = await run(words, terminal);
  return { code, ...terminal.written };
};
