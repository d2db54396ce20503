/** Starts a house with `./hearth up` on a new or existing home, and ends it by its process id. */
import { readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@hearth/client";
import type { AgentRecord } from "@hearth/protocol";
import { startChild } from "./child.ts";
import { pause } from "./clock.ts";
import { loopback } from "./loopback.ts";
import type { Model } from "./model/model.ts";
import { MODEL, type Wire } from "./model/wires.ts";
import type { Site } from "./site.ts";

export interface House extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  readonly home: string;
  readonly client: Client;
  /** Time from starting the launcher to its `ready` line. */
  readonly readyMs: number;
  /** When the launcher was started, on the shared clock. */
  readonly spawnedAtMs: number;
}

const READY = "ready ";
const KEY_NAME = "BENCH_KEY";
/** The model's name in agent settings. */
export const MODEL_NAME = `bench/${MODEL}`;

/**
 * Starts a daemon on a home, which may be new. Resolves when it is ready. `env`: further variables
 * of its environment.
 */
export const startHouse = async (
  site: Site,
  home: string,
  env: Readonly<Record<string, string>> = {},
): Promise<House> => {
  const child = startChild(site, {
    command: ["./hearth", "up", "--home", home, "--port", "0"],
    cwd: site.root,
    // Leaves out the user's variables, such as model keys and another home of Hearth.
    env: { PATH: process.env["PATH"] ?? "", HOME: homedir(), [KEY_NAME]: "bench-key", ...env },
  });
  const { text, atMs } = await child.line(READY);
  const url = text.slice(READY.length).trim();
  const token = (await readFile(join(home, "run/token"), "utf8")).trim();
  return {
    url,
    token,
    pid: child.pid,
    home,
    client: createClient({ baseUrl: url, token, fetch: loopback, sleep: pause }),
    readyMs: atMs - child.spawnedAtMs,
    spawnedAtMs: child.spawnedAtMs,
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
};

/** Writes the config of a house whose `main` agent uses the instant model. */
export const writeConfig = async (
  home: string,
  options: { readonly model: Model; readonly wire: Wire; readonly tools?: readonly string[] },
): Promise<void> => {
  const { model, wire, tools } = options;
  const lines = [
    "version = 1",
    "[providers.bench]",
    `kind = ${JSON.stringify(wire)}`,
    `base_url = ${JSON.stringify(model.baseUrl(wire))}`,
    `api_key = "env:${KEY_NAME}"`,
    "[agents.main]",
    `model = ${JSON.stringify(MODEL_NAME)}`,
    ...(tools === undefined ? [] : [`tools = ${JSON.stringify(tools)}`]),
  ];
  await writeFile(join(home, "hearth.toml"), `${lines.join("\n")}\n`);
};

export const ownerOf = async (house: House): Promise<AgentRecord> => {
  const owner = (await house.client.agents.list()).find((agent) => agent.content.kind === "human");
  if (owner === undefined) throw new Error("The house has no person.");
  return owner;
};
