/**
 * A secret from the command line to the wire: stored sealed, used where the config names it, and
 * never revealed.
 */
import { describe, expect, test } from "bun:test";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createHome, startDaemon } from "./daemon.ts";
import { VALUE, configOf, useVendor, pipe, holdersOf, grantVendor, greet } from "./vendor-house.ts";

const PASSPHRASE = "correct horse battery";

const vendor = useVendor();

describe("R29: a secret of the house", () => {
  test("is sealed with a passphrase if one is set, which the next start requires", async () => {
    using home = createHome();
    await writeFile(join(home.folder, "hearth.toml"), configOf(vendor), { mode: 0o600 });
    {
      await using house = await startDaemon(home.folder);
      expect((await pipe(home.folder, VALUE, "secret", "set", "VENDOR", "--from-stdin")).code).toBe(0);
      await grantVendor(house, vendor);
      expect((await pipe(home.folder, PASSPHRASE, "secret", "key", "passphrase")).stdout).toBe(
        "open; key: passphrase\n",
      );
      expect(await readdir(join(home.folder, "vault"))).toEqual([]);
      expect(await greet(house)).toContain("Good morning.");
    }
    expect(await holdersOf(home.folder, PASSPHRASE)).toEqual([]);
    for (const [env, why] of [
      [{}, "no passphrase was given"],
      [{ HEARTH_PASSPHRASE: "wrong horse battery" }, "the passphrase is wrong"],
    ] as const) {
      const house = await startDaemon(home.folder, env);
      expect(await greet(house)).toContain(why);
      expect((await house.stop()).stderr).toContain(`NO SECRET CAN BE USED: the vault is locked, ${why}.`);
    }
    await using house = await startDaemon(home.folder, { HEARTH_PASSPHRASE: PASSPHRASE });
    expect(await greet(house)).toContain("Good morning.");
  });
});
