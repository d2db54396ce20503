/** A house on a small disk that a test fills. */
import { expect } from "bun:test";
import { type Daemon, type Json, until } from "./daemon.ts";
import { whyNoSmallDisk } from "./small-disk.ts";

export const env = { TEST_KEY: "key" };

export const TIMEOUT_MS = 300_000;

export const DISK_MB = 40;

export const SHORT = "hi";

export const LONG = "a long text ".repeat(10_000);

export const why = whyNoSmallDisk();

export const title = (fact: string): string => (why === undefined ? fact : `${fact} (skipped: ${why})`);

export const post = (house: Daemon, text: string) => house.ask("POST", "/api/rooms/main/messages", { text });

export const isReady = async (house: Daemon): Promise<boolean> => (await fetch(`${house.url}/readyz`)).ok;

export const events = async (house: Daemon): Promise<Json[]> =>
  (await house.ask("GET", "/api/rooms/main/events?limit=1000")).json.events;

/** The answered messages, each as often as it was answered. */
export const answered = async (house: Daemon): Promise<readonly string[]> =>
  (await events(house)).flatMap(({ causes }) => causes);

/** Expects that no activation failed, and that each of these messages is answered exactly once. */
export const expectFates = async (house: Daemon, ids: readonly string[]): Promise<void> => {
  const activations = async (): Promise<Json[]> => (await house.ask("GET", "/api/agents/main/activations")).json;
  await until(async () => (await activations()).every(({ endedAt }) => endedAt !== undefined));
  const all = await activations();
  const replies = await answered(house);
  expect(new Set(replies).size).toBe(replies.length);
  expect(replies.every((id) => ids.includes(id))).toBe(true);
  expect(all.filter(({ state }) => state === "failed")).toEqual([]);
  expect(replies.toSorted()).toEqual(ids.toSorted());
};
