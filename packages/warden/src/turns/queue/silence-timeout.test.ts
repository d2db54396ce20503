import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createSilenceTimeout } from "./silence-timeout.ts";

const open = () => {
  const { clock, advance } = createFakeWorld({ hash: String });
  let told = 0;
  const silence = createSilenceTimeout({ clock, graceMs: 1000, onSilence: () => (told += 1) });
  return { silence, advance, told: () => told };
};

test("an inmate that stays silent past its deadline is reported once", async () => {
  const { silence, advance, told } = open();
  await advance(100);
  silence.start(1000);
  await advance(1000);
  expect(told()).toBe(0);
  await advance(250);
  expect(told()).toBe(1);
  await advance(10_000);
  expect(told()).toBe(1);
});

test("an inmate is not reported while it waits for the warden", async () => {
  const { silence, advance, told } = open();
  await advance(100_000);
  silence.start(6000);
  await advance(6000);
  silence.stop();
  await advance(100_000);
  expect(told()).toBe(0);
});

test("nothing is reported after the end", async () => {
  const { silence, advance, told } = open();
  silence.start(1000);
  silence[Symbol.dispose]();
  await advance(100_000);
  expect(told()).toBe(0);
});

test("a long suspension of the machine costs one slice", async () => {
  const wakes: (() => void)[] = [];
  let told = 0;
  const sleep = (): Promise<void> => new Promise((resolve) => wakes.push(resolve));
  const silence = createSilenceTimeout({ clock: { sleep }, graceMs: 1000, onSilence: () => (told += 1) });
  silence.start(1000);
  // After hours, every pending timer fires at once.
  wakes.shift()?.();
  await Promise.resolve();
  expect(told).toBe(0);
  expect(wakes).toHaveLength(1);
});
