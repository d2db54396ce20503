/** The contract of `KeyFiles` as tests. */
import { describe, expect, test } from "bun:test";
import { type KeyFiles, keyPath } from "./key-files.ts";

export interface KeyFilesHarness extends AsyncDisposable {
  readonly keys: KeyFiles;
  /** Returns the text of a file in the home folder, or undefined. */
  read(path: string): Promise<string | undefined>;
}

export const keyFilesConformance = (name: string, open: () => Promise<KeyFilesHarness>): void => {
  describe(`key files: ${name}`, () => {
    test("a stored key is in its own file, byte for byte", async () => {
      await using harness = await open();
      await harness.keys.write("one", "sk-one");
      await harness.keys.write("two", "sk-two");
      expect(keyPath("one")).toBe("keys/one");
      expect([await harness.read("keys/one"), await harness.read("keys/two")]).toEqual(["sk-one", "sk-two"]);
    });

    test("a channel and a provider of one name have separate keys", async () => {
      await using harness = await open();
      await harness.keys.write("one", "sk-one");
      await harness.keys.write("channel.one", "token");
      await harness.keys.remove("one");
      expect([await harness.read("keys/one"), await harness.read("keys/channel.one")]).toEqual([undefined, "token"]);
    });

    test("storing a key again replaces the old one completely", async () => {
      await using harness = await open();
      await harness.keys.write("one", "a-long-old-key");
      await harness.keys.write("one", "new");
      expect(await harness.read("keys/one")).toBe("new");
    });

    test("a dropped key is gone, and other keys stay", async () => {
      await using harness = await open();
      await harness.keys.write("one", "sk-one");
      await harness.keys.write("two", "sk-two");
      await harness.keys.remove("one");
      expect([await harness.read("keys/one"), await harness.read("keys/two")]).toEqual([undefined, "sk-two"]);
    });

    test("dropping a missing key is not an error", async () => {
      await using harness = await open();
      await harness.keys.remove("one");
      expect(await harness.read("keys/one")).toBeUndefined();
    });

    test.each(["../one", "a/b", ".", "", "One", "a\0", "other.one", "channel."])(
      "%j is not a valid name and creates no file",
      async (invalidName) => {
        await using harness = await open();
        for (const act of [() => harness.keys.write(invalidName, "sk-one"), () => harness.keys.remove(invalidName)]) {
          const error: unknown = await act().catch((thrown: unknown) => thrown);
          expect(error).toMatchObject({ code: "config.invalid" });
          expect(String(error)).not.toContain("sk-one");
        }
      },
    );
  });
};
