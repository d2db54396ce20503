/**
 * A secret from the command line to the wire: stored sealed, used where the config names it, and
 * never revealed.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createHome, type Daemon, LAUNCHER, startDaemon, until } from "./daemon.ts";
import { readHome } from "./home-files.ts";

const VALUE = "sk_of+a/vendor=0123456789";
const OTHER = "sk_of+another/0123456789";
const PASSPHRASE = "correct horse battery";

/** A vendor that accepts one key, and repeats every other key in its error. */
let key = VALUE;
let vendor: ReturnType<typeof Bun.serve>;
beforeAll(() => {
  vendor = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const sent = request.headers.get("authorization") ?? "";
      if (sent !== `Bearer ${key}`)
        return Response.json({ error: { message: `Unknown key ${sent}, or ${btoa(sent)}` } }, { status: 401 });
      const said = { choices: [{ index: 0, delta: { content: "Good morning." }, finish_reason: "stop" }] };
      return new Response(`data: ${JSON.stringify(said)}\n\ndata: [DONE]\n\n`, {
        headers: { "content-type": "text/event-stream" },
      });
    },
  });
});
afterAll(() => vendor.stop(true));
beforeEach(() => {
  key = VALUE;
});

const CONFIG = () =>
  `version = 1\n[providers.mine]\nkind = "openai"\nbase_url = "${vendor.url.origin}/v1"\napi_key = "secret:VENDOR"\n[agents.main]\nmodel = "mine/large"\n`;

/** Runs a command with this stdin, and checks that its output does not contain it. */
const pipe = async (home: string, text: string, ...words: readonly string[]) => {
  const child = Bun.spawn([LAUNCHER, ...words, "--home", home], {
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: "/nonexistent" },
    stdin: new TextEncoder().encode(text),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  expect(stdout + stderr).not.toContain(text.trim());
  return { code: await child.exited, stdout, stderr };
};

/** Files of a home that contain a value: plain, in hex, or in base64 at any alignment. */
const holdersOf = async (folder: string, value: string): Promise<readonly string[]> => {
  const forms = [
    ...[value, Buffer.from(value).toString("hex")],
    ...["", "x", "xy"].map((before) => btoa(before + value).slice(4, -4)),
  ];
  const files = await readHome(folder);
  return [...files].filter(([, bytes]) => forms.some((form) => bytes.includes(form))).map(([path]) => path);
};

const grantVendor = async (house: Daemon): Promise<void> => {
  const words = ["--providers", "--host", "127.0.0.1", "--port", vendor.url.port, "--plain"];
  expect((await house.hearth("secret", "grant", "VENDOR", ...words)).code).toBe(0);
};

/** The agent's answer, or the error. */
const greet = async (house: Daemon): Promise<string> => {
  const { stdout, stderr } = await house.hearth("chat", "-m", "hello");
  for (const value of [VALUE, OTHER]) expect(stdout + stderr).not.toContain(value);
  return stdout + stderr;
};

describe("R29: a secret of the house", () => {
  test("works as a provider's key, can be rotated at once, survives a restart, and is in no file of the home", async () => {
    using home = createHome();
    await writeFile(join(home.folder, "hearth.toml"), CONFIG(), { mode: 0o600 });
    {
      await using house = await startDaemon(home.folder);
      expect(await greet(house)).toContain("hearth secret set VENDOR");
      expect(await pipe(home.folder, `${VALUE}\n`, "secret", "set", "VENDOR", "--from-stdin")).toMatchObject({
        code: 0,
        stdout: "stored VENDOR, version 1\n",
      });
      expect(await greet(house)).toContain("The secret VENDOR is not granted to providers");
      await grantVendor(house);
      expect(await greet(house)).toContain("Good morning.");
      key = OTHER;
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
    await writeFile(join(home.folder, "hearth.toml"), CONFIG(), { mode: 0o600 });
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

  test("is sealed with a passphrase if one is set, which the next start requires", async () => {
    using home = createHome();
    await writeFile(join(home.folder, "hearth.toml"), CONFIG(), { mode: 0o600 });
    {
      await using house = await startDaemon(home.folder);
      expect((await pipe(home.folder, VALUE, "secret", "set", "VENDOR", "--from-stdin")).code).toBe(0);
      await grantVendor(house);
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
