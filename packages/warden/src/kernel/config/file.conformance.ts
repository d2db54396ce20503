/** The contract of a config file as tests. */
import { describe, expect, test } from "bun:test";
import type { ConfigFile } from "./file.ts";

export interface ConfigFileHarness extends AsyncDisposable {
  readonly file: ConfigFile;
  /** Returns the backup with this suffix, or undefined. */
  readBackup(suffix: string): Promise<string | undefined>;
}

export const configFileConformance = (name: string, open: () => Promise<ConfigFileHarness>): void => {
  describe(`config file: ${name}`, () => {
    test("a missing file reads as undefined", async () => {
      await using harness = await open();
      expect(await harness.file.read()).toBeUndefined();
    });

    test("the last text written is read, byte for byte", async () => {
      await using harness = await open();
      await harness.file.write("# first\n");
      await harness.file.write("\uFEFF# zweite Fassung – ✓\r\nversion = 1");
      expect(await harness.file.read()).toBe("\uFEFF# zweite Fassung – ✓\r\nversion = 1");
    });

    test("a backup has the text at its time and replaces an earlier one", async () => {
      await using harness = await open();
      await harness.file.write("one");
      await harness.file.backup(".v0.bak");
      await harness.file.write("two");
      expect(await harness.readBackup(".v0.bak")).toBe("one");
      await harness.file.backup(".v0.bak");
      expect(await harness.readBackup(".v0.bak")).toBe("two");
      expect(await harness.file.read()).toBe("two");
    });

    test("a backup of a missing file does nothing", async () => {
      await using harness = await open();
      await harness.file.backup(".v0.bak");
      expect(await harness.readBackup(".v0.bak")).toBeUndefined();
    });
  });
};
