/** Ada, a person other than the owner, who uses the command line with a key. */
import { expect } from "bun:test";
import { type Daemon, type Ended, hearth } from "./daemon.ts";

export const NOT_ALLOWED = 4;

/** A house with a room and a person, Ada, without rights, and her key. */
export const welcomeAda = async (house: Daemon): Promise<string> => {
  for (const words of [
    ["person", "add", "Ada", "--level", "none"],
    ["room", "add", "Den"],
  ])
    expect((await house.hearth(...words)).code).toBe(0);
  return (await house.hearth("key", "create", "--name", "ada", "--agent", "ada")).stdout.trim();
};

/** Runs the CLI like a person on another machine: with an address and a key, without a home. */
export const from = (house: Daemon, key: string) => {
  const env = { HEARTH_URL: house.url, HEARTH_KEY: key };
  return {
    env,
    hearth: (...words: readonly string[]): Promise<Ended> => hearth(words, env),
  };
};
