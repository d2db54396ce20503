/**
 * A secret from the command line to the wire: stored sealed, used where the config names it, and
 * never revealed.
 */
import { describe, expect, test } from "bun:test";
import { readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createHome, startDaemon, until } from "./daemon.ts";
import { VALUE, OTHER, configOf, useVendor, pipe, holdersOf, grantVendor, greet } from "./vendor-house.ts";

const vendor = useVendor();

describe("R29: a secret of the house", () => {
  test("works as a provider's key, can be rotated at once, survives a restart, and is in no file of the home", async () => {
    using home = createHome();
    await writeFile(join(home.folder, "hearth.toml"), configOf(vendor), { mode: 0o600 });
    {
      await using house = await startDaemon(home.folder);
      expect(await greet(house)).toContain("hearth secret set VENDOR");
      expect(await pipe(home.folder, `${VALUE}\n`, "secret", "set", "VENDOR", "--from-stdin")).toMatchObject({
        code: 0,
        stdout: "stored VENDOR, version 1\n",
      });
      expect(await greet(house)).toContain("The secret VENDOR is not granted to providers");
      await grantVendor(house, vendor);
      expect(await greet(house)).toContain("Good morning.");
      vendor.key = OTHER;
      expect(await greet(house)).toContain("does not accept the key");
      expect((await pipe(home.folder, OTHER, "secret", "rotate", "VENDOR", "--from-stdin")).code).toBe(0);
      expect(await greet(house)).toContain("Good morning.");
      const agent = (await house.ask("GET", "/api/agents/main")).json.id;
      expect(
        (await house.hearth("secret", "grant", "VENDOR", "--agent", "main", "--host", "api.vendor.example")).code,
      ).toBe(0);
      expect(JSON.parse((await house.hearth("secret", "list", "--json")).stdout)).toMatchObject([
        { name: "CANARY" },
        {
          name: "VENDOR",
          version: 2,
          grants: [{ agent: "providers" }, { agent, host: "api.vendor.example", as: "bearer" }],
        },
      ]);
      for (const path of [
        "/api/houses/home/log?limit=1000",
        "/api/activations",
        "/api/doctor",
        "/api/providers",
        "/openapi.json",
      ]) {
        const text = JSON.stringify(await house.ask("GET", path));
        for (const value of [VALUE, OTHER]) expect(text).not.toContain(value);
      }
    }
    for (const value of [VALUE, OTHER]) expect(await holdersOf(home.folder, value)).toEqual([]);
    await using again = await startDaemon(home.folder);
    expect(await greet(again)).toContain("Good morning.");
    expect((await again.hearth("secret", "remove", "VENDOR")).code).toBe(0);
    expect(await greet(again)).toContain("hearth secret set VENDOR");
    expect(await holdersOf(home.folder, OTHER)).toEqual([]);
  });

  test("E1: is sealed with a key file of mode 0600; without that file the house starts, reports it, and changes nothing", async () => {
    using home = createHome();
    await writeFile(join(home.folder, "hearth.toml"), configOf(vendor), { mode: 0o600 });
    await (await startDaemon(home.folder)).stop();
    const [name = ""] = await readdir(join(home.folder, "vault"));
    const file = join(home.folder, "vault", name);
    const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;
    expect([await modeOf(join(home.folder, "vault")), await modeOf(file)]).toEqual([0o700, 0o600]);
    await rename(file, `${file}.away`);
    {
      const house = await startDaemon(home.folder);
      const doctor = await house.hearth("doctor", "--json");
      expect(doctor.code).toBe(1);
      expect(doctor.stdout).toContain("its key is missing");
      const refused = await pipe(home.folder, VALUE, "secret", "set", "VENDOR", "--from-stdin");
      expect([refused.code, refused.stderr.includes("The vault is locked")]).toEqual([1, true]);
      expect((await house.stop()).stderr).toContain("NO SECRET CAN BE USED: the vault is locked, its key is missing.");
    }
    await rename(`${file}.away`, file);
    await using house = await startDaemon(home.folder);
    expect(JSON.parse((await house.hearth("secret", "key", "--json")).stdout)).toEqual({
      state: "open",
      source: "file",
    });
  });

  test("is redacted in the daemon's log", async () => {
    using home = createHome();
    const config = join(home.folder, "hearth.toml");
    {
      await using house = await startDaemon(home.folder);
      expect((await pipe(house.home, VALUE, "secret", "set", "VENDOR", "--from-stdin")).code).toBe(0);
    }
    const before = await readFile(config, "utf8");
    // Two lines of the config are swapped.
    await writeFile(config, `${before}\n[channels.tele]\nkind = "${VALUE}"\ntoken = "env:TOKEN"\n`);
    const log = (): Promise<string> => readFile(join(home.folder, "logs/hearth.log"), "utf8");
    {
      await using _house = await startDaemon(home.folder);
      await until(async () => (await log()).includes("A channel is off."));
      expect(await log()).toContain('channels.tele.kind has an unknown channel kind: \\"[secret VENDOR]\\"');
    }
    await writeFile(config, before);
    expect(await holdersOf(home.folder, VALUE)).toEqual([]);
  });
});
