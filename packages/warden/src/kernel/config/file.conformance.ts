/** The contract of a config file as tests. */
import { describe, expect, test } from "bun:test";
import type { ConfigFile } from "./file.ts";

export interface ConfigFileHarness extends AsyncDisposable {
  readonly file: ConfigFile;
  /** The copy with this suffix, if there is one. */
  readBackup(suffix: string): Promise<string | undefined>;
}

export const configFileConformance = (name: string, open: () => Promise<ConfigFileHarness>): void => {
  describe(`config file: ${name}`, () => {
    test("a file that nobody wrote reads as nothing", async () => {
      await using harness = await open();
      expect(await harness.file.read()).toBeUndefined();
    });

    test("what was written last is read, to the byte", async () => {
      await using harness = await open();
      await harness.file.write("# first\n");
      await harness.file.write("\uFEFF# zweite Fassung – ✓\r\nversion = 1");
      expect(await harness.file.read()).toBe("\uFEFF# zweite Fassung – ✓\r\nversion = 1");
    });

    test("a backup holds the text of its moment, in place of an earlier one", async () => {
      await using harness = await open();
      await harness.file.write("one");
      await harness.file.backup(".v0.bak");
      await harness.file.write("two");
      expect(await harness.readBackup(".v0.bak")).toBe("one");
      await harness.file.backup(".v0.bak");
      expect(await harness.readBackup(".v0.bak")).toBe("two");
      expect(await harness.file.read()).toBe("two");
    });

    test("without a file there is nothing to keep", async () => {
      await using harness = await open();
      await harness.file.backup(".v0.bak");
      expect(await harness.readBackup(".v0.bak")).toBeUndefined();
    });
  });
};
