/**
 * Connects a command to a house. The default is the home's daemon, as its owner. `HEARTH_KEY` makes
 * the command act as the agent of a key; `HEARTH_URL` connects to a remote house, with only that
 * key.
 */
import type { Client } from "@hearth/client";
import { HearthError } from "@hearth/protocol";
import { createHomeFetch, readRunFacts } from "./home.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./args/usage-error.ts";

export interface Credentials {
  /** The address of a remote house. */
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
  /** Whether --home was given on the command line. */
  readonly isHomeNamed: boolean;
}

/**
 * Creates the client. Throws `house.unreachable` when no daemon of the home is running. Does not
 * contact a remote house yet.
 */
export const connect = async (options: ConnectOptions): Promise<Client> => {
  const { terminal, home, url, key } = options;
  const { createClient } = await import("@hearth/client");
  const { sleep } = terminal;
  if (url !== undefined) return createClient({ ...createRemoteOptions(options, url), sleep, sha256 });
  const facts = await readRunFacts(home);
  if (facts === undefined) throw new HearthError("house.unreachable", `No daemon is running in ${home}.`);
  return createClient({ baseUrl: facts.url, fetch: createHomeFetch(home, terminal.fetch, key), sleep, sha256 });
};

/**
 * Returns the options for a remote house. They never contain the home's token, which only the
 * home's daemon may get.
 */
const createRemoteOptions = ({ terminal, key, isHomeNamed }: ConnectOptions, url: string) => {
  if (isHomeNamed)
    throw new UsageError(
      "--home and HEARTH_URL name two different houses.",
      "Remove one of them, for example: env -u HEARTH_URL hearth …",
    );
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError(
      "HEARTH_URL is not an http or https address.",
      "For example: HEARTH_URL=https://house.example:18789",
    );
  const { protocol, hostname } = new URL(url);
  if (protocol === "http:" && !LOOPBACK.test(hostname))
    throw new UsageError(
      "HEARTH_URL uses plain HTTP to another machine, which would reveal the key on the network.",
      "Use https://, or open a tunnel: ssh -L 18789:127.0.0.1:18789 HOST, and HEARTH_URL=http://127.0.0.1:18789",
    );
  if (key === undefined)
    throw new UsageError(
      "HEARTH_URL names a remote house, but HEARTH_KEY is not set.",
      "Ask an administrator of that house for a key: hearth key create",
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

const sha256 = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
