/** The contract of `Storage`, as tests. */
import { describe, expect, test } from "bun:test";
import type { Storage } from "./storage.ts";

export interface StorageHarness {
  readonly storage: Storage;
  /** The same storage as another tab sees it. */
  readonly otherTab: Storage;
  /** Fills the storage, so that every further write fails. */
  readonly fill: () => void;
}

export const storageConformance = (name: string, open: () => StorageHarness): void =>
  describe(`${name} storage`, () => {
    test("keeps text under names until it is removed", () => {
      const { storage } = open();
      expect([storage.get("a"), storage.names()]).toEqual([undefined, []]);
      storage.set("a", "one");
      storage.set("b", "");
      storage.set("a", "two");
      expect([storage.get("a"), storage.get("b"), storage.names().toSorted()]).toEqual(["two", "", ["a", "b"]]);
      storage.remove("a");
      storage.remove("never there");
      expect([storage.get("a"), storage.names()]).toEqual([undefined, ["b"]]);
    });

    test("accepts names of built-in object properties", () => {
      const { storage } = open();
      expect(storage.get("constructor")).toBeUndefined();
      storage.set("__proto__", "x");
      expect([storage.get("__proto__"), storage.names()]).toEqual(["x", ["__proto__"]]);
    });

    test("is shared with another tab, which is notified; the tab that made the change is not", () => {
      const { storage, otherTab } = open();
      const notifications: string[] = [];
      storage.onChange(() => notifications.push("here"));
      const stop = otherTab.onChange(() => notifications.push(`beside ${otherTab.get("a") ?? "nothing"}`));
      storage.set("a", "one");
      storage.set("a", "one");
      storage.remove("a");
      stop();
      storage.set("a", "two");
      expect(notifications).toEqual(["beside one", "beside nothing"]);
      expect(otherTab.get("a")).toBe("two");
    });

    test("throws when it is full, and keeps its contents", () => {
      const { storage, fill } = open();
      storage.set("a", "one");
      fill();
      expect(() => storage.set("b", "more")).toThrow();
      expect([storage.get("a"), storage.get("b")]).toEqual(["one", undefined]);
    });
  });
