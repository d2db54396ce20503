import { expect, test } from "bun:test";
import { createMemoryStorage } from "@hearth/client";
import { createLanguageSetting } from "./language-setting.ts";

const open = (storage = createMemoryStorage()) => {
  const calls: unknown[] = [];
  const setting = createLanguageSetting({
    storage,
    send: (language) => calls.push(["send", language]),
    reload: () => calls.push(["reload", storage.get("language")]),
  });
  return { storage, calls, setting };
};

test("without a choice the house follows the browser", () => {
  const { setting, calls } = open();
  expect([setting.get(), calls]).toEqual(["automatic", []]);
});

test("a choice is stored and sent before the page reloads", () => {
  const { setting, calls } = open();
  setting.set("de");
  expect(calls).toEqual([
    ["send", "de"],
    ["reload", "de"],
  ]);
  expect(setting.get()).toBe("de");
});

test("the same choice does not reload the page", () => {
  const { setting, calls } = open();
  setting.set("automatic");
  expect(calls).toEqual([]);
});

test("each visit sends the choice again, because browsers may delete the cookie", () => {
  const { storage, setting } = open();
  setting.set("de");
  expect(open(storage).calls).toEqual([["send", "de"]]);
});

test("the automatic choice removes the cookie", () => {
  const { setting, calls } = open();
  setting.set("de");
  setting.set("automatic");
  expect(calls.slice(2)).toEqual([
    ["send", undefined],
    ["reload", "automatic"],
  ]);
});

test("an unknown stored language counts as automatic", () => {
  const storage = createMemoryStorage();
  storage.set("language", "xx");
  expect(open(storage).setting.get()).toBe("automatic");
});
