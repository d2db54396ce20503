/** Searches the memory of a house with the command line. */
import { expect } from "bun:test";
import type { Daemon } from "./daemon.ts";

export const MEMORY = "brains/main/MEMORY.md";

export const search = async (daemon: Daemon, query: string) => {
  const { code, stdout } = await daemon.hearth("memory", "search", query, "--json");
  expect(code).toBe(0);
  return JSON.parse(stdout) as { mode: string; found: { path: string; text: string; lines: [number, number] }[] };
};

export const textsOf = ({ found }: Awaited<ReturnType<typeof search>>): string =>
  found.map(({ text }) => text).join("\n");
