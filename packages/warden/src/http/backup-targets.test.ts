/** Targets of backups that are changed through the API: the config file, and the keys of S3 stores. */
import { describe, expect, test } from "bun:test";
import type { HearthError } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../adapter/bun/world.ts";
import { createMemoryConfigFile } from "../kernel/config/file.ts";
import { createMemoryKeyFiles } from "../kernel/config/key-files.ts";
import { parseConfig } from "../kernel/config/read.ts";
import { createConfigSource } from "../kernel/config/source.ts";
import { createBackupTargets } from "./backup-targets.ts";
import { createFakeHouse, RUN_TOKEN } from "./fakes/fake-house.ts";

const { hash } = createBunWorld();
const BY = { agent: "agt_owner", via: "run-token" } as never;
const S3 = "s3://house/home?endpoint=https://s3.example.com&region=eu-central-1";
const KEYS = { accessKeyId: "AKIAEXAMPLE", secretAccessKey: "not/a+secret=" };
const START = `# Mine.
version = 1

[backup]
every = "1d" # often enough
keep = 7
`;

const open = (text = START) => {
  const file = createMemoryConfigFile(text);
  const config = createConfigSource(file, parseConfig(text, "hearth.toml"));
  const keyFiles = createMemoryKeyFiles();
  const world = createFakeWorld({ hash });
  return {
    config,
    keyFiles,
    targets: createBackupTargets({ config, keyFiles, world }),
    text: async () => (await file.read()) ?? "",
    place: (name: string) => config.current().backup?.targets.get(name),
  };
};

describe("a target of backups", () => {
  test("is added below what the file has, changed in its place, and removed without a trace", async () => {
    const { targets, text, place } = open();
    await targets.set("nas", { to: "sftp://house@nas/srv", keep: 3 }, BY);
    expect(await text()).toBe(`${START}\n[backup.targets.nas]\nto = "sftp://house@nas/srv"\nkeep = 3\n`);
    expect(place("nas")).toMatchObject({ to: "sftp://house@nas/srv", everyMs: 86_400_000, keep: 3 });
    await targets.set("nas", { every: "12h", keep: null }, BY);
    expect(place("nas")).toMatchObject({ to: "sftp://house@nas/srv", everyMs: 43_200_000, keep: 7 });
    await targets.remove("nas", BY);
    expect(await text()).toBe(START);
  });

  test("of an S3 store has its keys in files of the home, and the config only refers to them", async () => {
    const { targets, text, place, keyFiles } = open();
    await targets.set("offsite", { to: S3, ...KEYS }, BY);
    expect([...keyFiles.files.values()]).toEqual([KEYS.accessKeyId, KEYS.secretAccessKey]);
    const [id = "", secret = ""] = keyFiles.files.keys();
    expect(place("offsite")?.to).toEndWith(`&access_key_id=file:${id}&secret_access_key=file:${secret}`);
    expect(place("offsite")?.to).toContain("endpoint=https://s3.example.com&region=eu-central-1");
    for (const key of Object.values(KEYS)) expect(await text()).not.toContain(key);

    await targets.set("offsite", { keep: 30 }, BY);
    expect([...keyFiles.files.keys()]).toEqual([id, secret]);
    await targets.set("offsite", { accessKeyId: "NEW", secretAccessKey: "NEWER" }, BY);
    expect([...keyFiles.files.values()]).toEqual(["NEW", "NEWER"]);
    expect(keyFiles.files.has(id)).toBe(false);
    await targets.remove("offsite", BY);
    expect([...keyFiles.files]).toEqual([]);
  });

  test("keeps the keys that another target also uses", async () => {
    const { targets, place, keyFiles } = open();
    await targets.set("offsite", { to: S3, ...KEYS }, BY);
    await targets.set("second", { to: place("offsite")?.to.replace("/home", "/second") ?? "" }, BY);
    await targets.remove("offsite", BY);
    expect(keyFiles.files.size).toBe(2);
    await targets.remove("second", BY);
    expect(keyFiles.files.size).toBe(0);
  });

  test("that the config refuses changes nothing, and stores no key", async () => {
    const { targets, text, keyFiles } = open();
    const refused = async (name: string, target: Parameters<typeof targets.set>[1]): Promise<string> =>
      targets.set(name, target, BY).then(
        () => "accepted",
        (error: HearthError) => error.code,
      );
    expect(await refused("x", { to: "ftp://nas/srv" })).toBe("config.invalid");
    expect(await refused("x", { to: `${S3}&access_key_id=secret:vault` })).toBe("config.invalid");
    expect(await refused("x", { to: S3, every: "1m", ...KEYS })).toBe("config.invalid");
    expect(await refused("x", { to: S3, accessKeyId: "A" })).toBe("config.invalid");
    expect(await refused("x", { to: "sftp://house@nas/srv", ...KEYS })).toBe("config.invalid");
    expect(await refused("x", { every: "12h" })).toBe("backup.not-found");
    expect(await targets.remove("x", BY).catch((error: HearthError) => error.code)).toBe("backup.not-found");
    expect([await text(), keyFiles.files.size]).toEqual([START, 0]);
    await targets.set("x", { to: S3, ...KEYS }, BY);
    const before = await text();
    expect(await refused("x", { every: "1m", accessKeyId: "NEW", secretAccessKey: "NEWER" })).toBe("config.invalid");
    expect([await text(), [...keyFiles.files.values()]]).toEqual([before, Object.values(KEYS)]);
  });
});

test("targets are changed with a fresh login only, and tested by every admin", async () => {
  const house = await createFakeHouse(createFakeWorld({ hash }));
  const restorer = { test: async (name: string) => (name === "nas" ? { ok: true, detail: "Works." } : undefined) };
  Object.assign(house.options.reports, { restorer: async () => restorer });
  const ask = async (credential: string, method: string, path: string, body?: unknown) => {
    const response = await house.call(`/api/backups/targets/${path}`, {
      method,
      headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
  const target = { to: "file:///mnt/share" };
  const config = house.options.kernel.config;
  for (const [method, body] of [["PUT", target] as const, ["DELETE", undefined] as const]) {
    expect((await ask(house.key, method, "nas", body)).text).toContain("needs a fresh login");
    expect((await ask(house.botKey, method, "nas", body)).status).toBe(403);
  }
  expect(config.current().backup).toBeUndefined();
  expect((await ask(RUN_TOKEN, "PUT", "nas", target)).status).toBe(200);
  expect(config.current().backup?.targets.get("nas")).toMatchObject({ to: "file:///mnt/share" });
  expect((await ask(RUN_TOKEN, "PUT", "Not a name", target)).status).toBe(400);
  expect(await ask(house.key, "POST", "nas/test")).toMatchObject({
    status: 200,
    text: expect.stringContaining("Works."),
  });
  expect((await ask(house.key, "POST", "tape/test")).status).toBe(404);
  expect((await ask(RUN_TOKEN, "DELETE", "nas")).status).toBe(204);
  expect((await ask(RUN_TOKEN, "DELETE", "nas")).status).toBe(404);
});
