/** The command line before a house that does as it is told: words in, the exit code and what was written out. */
import { afterEach, beforeEach } from "bun:test";
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

/** For a file of tests: each has a house of its own, and the commands ask that one. */
export const commandsForEach = () => {
  let house: FakeHouse;
  beforeEach(async () => {
    house = await openFakeHouse();
  });
  afterEach(() => house.close());
  const hearthAt = (options: Partial<Terminal>, ...words: string[]): Promise<Outcome> => runAt(house, words, options);
  const hearth = (...words: string[]): Promise<Outcome> => hearthAt({}, ...words);
  return {
    /** That of the test which runs. */
    get house(): FakeHouse {
      return house;
    },
    hearth,
    hearthAt,
    json: async (...words: string[]): Promise<unknown> => JSON.parse((await hearth(...words, "--json")).out),
  };
};
