/** A house whose memory gets its vectors from a server. */
import { expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Daemon, until } from "./daemon.ts";

export const MEMORY = "brains/main/MEMORY.md";

interface Status {
  readonly files: number;
  readonly chunks: number;
  readonly vectors: number;
  readonly embedder?: string;
  readonly problem?: string;
  readonly catchingUp: boolean;
}

export const json = async <Value>(daemon: Daemon, ...words: readonly string[]): Promise<Value> => {
  const { code, stdout, stderr } = await daemon.hearth("memory", ...words, "--json");
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(stdout) as Value;
};

export const search = (daemon: Daemon, query: string) =>
  json<{ mode: string; problem?: string; found: readonly { readonly text: string }[] }>(daemon, "search", query);

export const statusOf = (daemon: Daemon) => json<Status>(daemon, "status");

export const untilWhole = async (daemon: Daemon): Promise<Status> => {
  let status = await statusOf(daemon);
  await until(async () => {
    status = await statusOf(daemon);
    return !status.catchingUp && status.vectors === status.chunks && status.chunks > 0;
  });
  return status;
};

export const configure = (home: string, ...lines: readonly string[]): void =>
  writeFileSync(join(home, "hearth.toml"), `version = 1\n[server]\nport = 0\n[memory]\n${lines.join("\n")}\n`);

export const NAMES = ["Ada", "Bea", "Cem", "Dov", "Eli", "Fay", "Gus", "Hal"];

export const NOTES = NAMES.map(
  (name, at) => `## ${name}\n\n${name} keeps the key number ${at} behind the water meter.\n\n`,
);
