/** Runs command lines against a fake house for tests, and returns the exit code and the output. */
import { afterEach, beforeEach } from "bun:test";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeHouse, type FakeHouse } from "./fake-house.ts";
import { createFakeTerminal, type FakeTerminal } from "./fake-terminal.ts";
import { run } from "../run.ts";
import type { Terminal } from "../terminal.ts";

/** Opens a fake house in a new home folder, which is removed on close. */
export const openFakeHouse = async (): Promise<FakeHouse> =>
  createFakeHouse(await mkdtemp(join(tmpdir(), "hearth-cli-")));

export type Outcome = FakeTerminal["written"] & { readonly code: number };

/** Runs one command at a fake terminal with these options. */
export const runAt = async (
  { home }: Pick<FakeHouse, "home">,
  words: readonly string[],
  options: Partial<Terminal> = {},
): Promise<Outcome> => {
  const terminal = createFakeTerminal({ home, ...options });
  const code = await run(words, terminal);
  return { code, ...terminal.written };
};

/** Opens a new fake house before each test of a file, and runs commands against it. */
export const commandsForEach = () => {
  let house: FakeHouse;
  beforeEach(async () => {
    house = await openFakeHouse();
  });
  afterEach(() => house.close());
  const hearthAt = (options: Partial<Terminal>, ...words: string[]): Promise<Outcome> => runAt(house, words, options);
  const hearth = (...words: string[]): Promise<Outcome> => hearthAt({}, ...words);
  return {
    /** The house of the current test. */
    get house(): FakeHouse {
      return house;
    },
    hearth,
    hearthAt,
    json: async (...words: string[]): Promise<unknown> => JSON.parse((await hearth(...words, "--json")).out),
  };
};
