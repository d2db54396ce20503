import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createSilenceTimeout } from "./silence-timeout.ts";

const open = () => {
  const { clock, advance } = createFakeWorld({ hash: String });
  let told = 0;
  const silence = createSilenceTimeout({ clock, graceMs: 1000, tell: () => (told += 1) });
  return { silence, advance, told: () => told };
};

test("whoever says nothing when it is its turn is told of, once", async () => {
  const { silence, advance, told } = open();
  await advance(100);
  silence.listen(1000);
  await advance(1000);
  expect(told()).toBe(0);
  await advance(250);
  expect(told()).toBe(1);
  await advance(10_000);
  expect(told()).toBe(1);
});

test("nobody is told of while it waits, or does what it was told to", async () => {
  const { silence, advance, told } = open();
  await advance(100_000);
  silence.listen(6000);
  await advance(6000);
  silence.hush();
  await advance(100_000);
  expect(told()).toBe(0);
});

test("nobody is told of once it is over", async () => {
  const { silence, advance, told } = open();
  silence.listen(1000);
  silence[Symbol.dispose]();
  await advance(100_000);
  expect(told()).toBe(0);
});

test("a machine that was suspended for long costs one slice", async () => {
  const wakes: (() => void)[] = [];
  let told = 0;
  const sleep = (): Promise<void> => new Promise((resolve) => wakes.push(resolve));
  const silence = createSilenceTimeout({ clock: { sleep }, graceMs: 1000, tell: () => (told += 1) });
  silence.listen(1000);
  // Every timer that was under way wakes at once, after hours.
  wakes.shift()?.();
  await Promise.resolve();
  expect(told).toBe(0);
  expect(wakes).toHaveLength(1);
});
