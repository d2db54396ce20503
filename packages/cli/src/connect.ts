/**
 * Which house a command talks with, and as whom: with the daemon of the home, as its owner. `HEARTH_KEY` has it act as the agent of a key,
 * `HEARTH_URL` has it talk with a house elsewhere, with that key alone.
 */
import type { Client } from "@hearth/client";
import { HearthError } from "@hearth/protocol";
import { createHomeFetch, readRunFacts } from "./home.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

export interface Credentials {
  /** The address of a house elsewhere. */
  readonly url: string | undefined;
  readonly key: string | undefined;
}

export const readCredentials = ({ env }: Pick<Terminal, "env">): Credentials => ({
  url: env["HEARTH_URL"] || undefined,
  key: env["HEARTH_KEY"]?.trim() || undefined,
});

export interface ConnectOptions extends Credentials {
  readonly terminal: Terminal;
  readonly home: string;
  /** A home was named on the command line. */
  readonly isHomeNamed: boolean;
}

/** Throws `house.unreachable` when no daemon of the home is running. A house elsewhere is not asked yet. */
export const connect = async (options: ConnectOptions): Promise<Client> => {
  const { terminal, home, url, key } = options;
  const { createClient } = await import("@hearth/client");
  const { sleep } = terminal;
  if (url !== undefined) return createClient({ ...elsewhere(options, url), sleep });
  const facts = await readRunFacts(home);
  if (facts === undefined) throw new HearthError("house.unreachable", `No daemon has announced itself in ${home}.`);
  return createClient({ baseUrl: facts.url, fetch: createHomeFetch(home, terminal.fetch, key), sleep });
};

/** The token of the home is for its own daemon: nobody else is ever shown it. */
const elsewhere = ({ terminal, key, isHomeNamed }: ConnectOptions, url: string) => {
  if (isHomeNamed)
    throw new UsageError("--home and HEARTH_URL name two houses.", "Leave one out: env -u HEARTH_URL hearth …");
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError(
      "HEARTH_URL is not the address of a house.",
      "Such as: HEARTH_URL=https://house.example:18789",
    );
  const { protocol, hostname } = new URL(url);
  if (protocol === "http:" && !LOOPBACK.test(hostname))
    throw new UsageError(
      "HEARTH_URL leads to another machine over plain HTTP: whoever is on the way would have the key.",
      "Write https://, or make a tunnel: ssh -L 18789:127.0.0.1:18789 HOST, and HEARTH_URL=http://127.0.0.1:18789",
    );
  if (key === undefined)
    throw new UsageError(
      "HEARTH_URL names a house elsewhere, and HEARTH_KEY is not set.",
      "Whoever decides there makes a key: hearth key create",
    );
  const { fetch } = terminal;
  return {
    baseUrl: url,
    token: key,
    fetch: (input: Parameters<typeof fetch>[0], init: Parameters<typeof fetch>[1]) =>
      fetch(input, { ...init, redirect: "error" }),
  };
};

const LOOPBACK = /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/;
