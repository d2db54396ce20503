import { expect, test } from "bun:test";
import { createPreload } from "./preload.ts";

const open = (stopAt = "") => {
  const seen: string[] = [];
  const stop = new AbortController();
  const part = (name: string) => async () => {
    seen.push(name);
    if (name === stopAt) stop.abort();
  };
  const clock = { turn: async () => void seen.push("others") };
  return { seen, stop, warming: createPreload(clock, ["one", "two", "three"].map(part)) };
};

test("parts are loaded in order, and waiting work runs before each of them", async () => {
  const { seen, stop, warming } = open();
  await warming.run(stop.signal);
  expect(seen).toEqual(["others", "one", "others", "two", "others", "three"]);
});

test("a closing house stops loading", async () => {
  const { seen, stop, warming } = open("two");
  await warming.run(stop.signal);
  expect(seen).toEqual(["others", "one", "others", "two", "others"]);
});
