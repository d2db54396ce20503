import { expect, test } from "bun:test";
import { scryptSync } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { keySourceConformance } from "../../../policy/secrets/key-source.conformance.ts";
import { createFakePassphraseSource } from "../../../fixtures/passphrase-source.ts";
import { createMemoryKeySource } from "../../../policy/secrets/key-source.ts";
import { createBunWorld } from "../world.ts";
import { createFileKeySource } from "./file.ts";
import { createKeyringKeySource } from "./keyring.ts";
import { createPassphraseKeySource } from "./passphrase.ts";

const world = createBunWorld();
const nothing = async (): Promise<void> => {};

const openFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), "hearth-vault-"));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
};

keySourceConformance("memory", async () => {
  const source = createMemoryKeySource(world);
  return { source, again: () => source, [Symbol.asyncDispose]: nothing };
});

keySourceConformance("fake passphrase", async () => {
  const source = createFakePassphraseSource(createFakeWorld(world));
  return { source, again: () => source, [Symbol.asyncDispose]: nothing };
});

keySourceConformance("passphrase", async () => ({
  source: createPassphraseKeySource(world),
  again: () => createPassphraseKeySource(world),
  [Symbol.asyncDispose]: nothing,
}));

keySourceConformance("file", async () => {
  const home = await openFolder();
  const open = () => createFileKeySource(home.folder, world);
  return {
    source: open(),
    again: open,
    // Puts a file in the place of the folder, which even root cannot write into.
    async shut() {
      await rm(join(home.folder, "vault"), { recursive: true });
      await writeFile(join(home.folder, "vault"), "");
    },
    [Symbol.asyncDispose]: home[Symbol.asyncDispose],
  };
});

/** Fakes of the real programs: each key is a file, named by its attributes. */
const SECRET_TOOL = `#!/bin/sh
printf '%s\\n' "$*" >> "$KEYS/argv"
verb=$1; shift
[ "$verb" = store ] && shift
file="$KEYS/$(printf '%s' "$*" | tr '/ ' '__')"
case $verb in
  store) cat > "$file" ;;
  lookup) [ -f "$file" ] || exit 1; cat "$file" ;;
  search) [ ! -f "$file" ] || echo '[/1]' ;;
  clear) rm -f "$file" ;;
esac
`;
const SECURITY = `#!/bin/sh
printf '%s\\n' "$*" >> "$KEYS/argv"
if [ "$1" = -i ]; then read -r line; eval "set -- $line"; fi
verb=$1; shift
[ "$1" = -U ] && shift
file="$KEYS/$(printf '%s' "$2 $4" | tr '/ ' '__')"
case $verb in
  add-generic-password) printf '%s' "$6" > "$file" ;;
  find-generic-password) [ -f "$file" ] || exit 44; cat "$file"; echo ;;
  delete-generic-password) rm "$file" 2>/dev/null || exit 44 ;;
esac
`;

const openKeyring = (platform: string, name: string, script: string) => async () => {
  const place = await openFolder();
  const keys = join(place.folder, "keys");
  const bin = join(place.folder, "bin");
  const program = join(bin, name);
  for (const folder of [keys, bin]) await mkdir(folder);
  await writeFile(program, script);
  await chmod(program, 0o755);
  const open = (home = 'a home with "quotes" and \\') =>
    createKeyringKeySource({ world, home, platform, environment: { PATH: `${bin}:/usr/bin:/bin`, KEYS: keys } });
  return {
    source: open(),
    again: open,
    open,
    program,
    argv: () => readFile(join(keys, "argv"), "utf8"),
    keep: (text: string) => writeFile(program, text),
    shut: () => writeFile(program, "#!/bin/sh\nexit 3\n"),
    [Symbol.asyncDispose]: place[Symbol.asyncDispose],
  };
};
const openLinux = openKeyring("linux", "secret-tool", SECRET_TOOL);
const openMacos = openKeyring("darwin", "security", SECURITY);
keySourceConformance("keyring of Linux", openLinux);
keySourceConformance("keyring of macOS", openMacos);

test("only the owner can access the file and its folder", async () => {
  await using home = await openFolder();
  await mkdir(join(home.folder, "vault"), { mode: 0o755 });
  await createFileKeySource(home.folder, world).make("00");
  const modeOf = async (path: string): Promise<number> => (await stat(join(home.folder, path))).mode & 0o777;
  expect([await modeOf("vault"), await modeOf("vault/00.key")]).toEqual([0o700, 0o600]);
  expect(await readdir(join(home.folder, "vault"))).toEqual(["00.key"]);
});

test("a key file that cannot be read or removed is reported, and a missing one is not", async () => {
  await using home = await openFolder();
  const source = createFileKeySource(home.folder, world);
  expect(await source.find("00", "")).toBeUndefined();
  await source.drop("00");
  // A folder in the place of the file, which even root cannot read as a file.
  await mkdir(join(home.folder, "vault", "00.key", "x"), { recursive: true });
  await expect(source.find("00", "")).rejects.toMatchObject({ code: "secret.locked" });
  await expect(source.drop("00")).rejects.toMatchObject({ code: "secret.locked" });
});

test("an invalid key file opens nothing and is not overwritten", async () => {
  await using home = await openFolder();
  const source = createFileKeySource(home.folder, world);
  const { key } = await source.make("00");
  await writeFile(join(home.folder, "vault/00.key"), "scrambled");
  expect(await source.find("00", "")).not.toEqual(key);
  expect(await readFile(join(home.folder, "vault/00.key"), "utf8")).toBe("scrambled");
});

test("the key is in no program argument, and two homes have separate keys", async () => {
  for (const open of [openLinux, openMacos]) {
    await using keyring = await open();
    const { key } = await keyring.source.make("00");
    expect(await keyring.argv()).not.toContain(Buffer.from(key).toString("hex"));
    expect(await keyring.open("another home").find("00", "")).toBeUndefined();
  }
});

test("a keyring that falsely reports success is detected", async () => {
  await using keyring = await openLinux();
  await keyring.keep("#!/bin/sh\ncat > /dev/null\nexit 0\n");
  const error: unknown = await keyring.source.make("00").catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "secret.locked" });
});

test("a locked keyring is not reported as a lost key, also when the key is to be removed", async () => {
  await using keyring = await openLinux();
  const { about } = await keyring.source.make("00");
  await keyring.keep(SECRET_TOOL.replace("[ -f", "exit 1; [ -f").replace("rm -f", "exit 1; rm -f"));
  for (const act of [() => keyring.source.find("00", about), () => keyring.source.drop("00")]) {
    const error: unknown = await act().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "secret.locked", message: expect.stringContaining("it is locked") });
  }
  await keyring.keep(SECRET_TOOL);
  expect(await keyring.source.find("00", about)).toBeDefined();
});

test("an unreachable keyring gives its own error, not a missing key", async () => {
  await using keyring = await openLinux();
  await keyring.keep("#!/bin/sh\necho 'secret-tool: Cannot autolaunch D-Bus' >&2\nexit 1\n");
  const error: unknown = await keyring.source.find("00", "").catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "secret.locked", message: expect.stringContaining("Cannot autolaunch D-Bus") });
});

test("removing a key fails if the keyring refuses, and succeeds if the key does not exist", async () => {
  for (const open of [openLinux, openMacos]) {
    await using keyring = await open();
    await keyring.source.make("00");
    await keyring.source.drop("01");
    await keyring.keep("#!/bin/sh\necho 'The user refused.' >&2\nexit 51\n");
    const error: unknown = await keyring.source.drop("00").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "secret.locked", message: expect.stringContaining("The user refused.") });
  }
});

test("a missing program is named in the error", async () => {
  const source = createKeyringKeySource({
    world,
    home: "/h",
    platform: "linux",
    environment: { PATH: "/nonexistent" },
  });
  const error: unknown = await source.make("00").catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "secret.locked", message: expect.stringContaining("secret-tool") });
});

test("a passphrase is the same in any Unicode normalization", async () => {
  const source = createPassphraseKeySource(world);
  const { key, about } = await source.make("00", "Käse über alles");
  expect(await source.find("00", about, "Ka\u0308se u\u0308ber alles")).toEqual(key);
});

const PARAMETERS = { salt: "00".repeat(16), cost: 1024, blockSize: 8, parallelization: 1 };

test("the passphrase's key is standard scrypt", async () => {
  const source = createPassphraseKeySource(world);
  const key = await source.find("00", JSON.stringify(PARAMETERS), "pleaseletmein");
  expect(key).toEqual(new Uint8Array(scryptSync("pleaseletmein", Buffer.alloc(16), 32, { N: 1024, r: 8, p: 1 })));
});

test.each([
  "",
  "{}",
  ...[
    { cost: 2 ** 30 },
    { cost: 2 ** 18 },
    { cost: 2 ** 18, parallelization: 16 },
    { cost: 1000 },
    { cost: 1 },
    { cost: 2 ** 16, blockSize: 1 },
    { cost: 2, blockSize: 2 ** 30 },
    { parallelization: 17 },
  ].map((changed) => JSON.stringify({ ...PARAMETERS, ...changed })),
])("damaged parameters of a passphrase are refused, and later hashes work: %s", async (wrong) => {
  const source = createPassphraseKeySource(world);
  const error: unknown = await source.find("00", wrong, "pleaseletmein").catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "secret.locked" });
  // Throws if scrypt was asked: its error stays in the thread.
  expect(() => new Bun.CryptoHasher("sha256", "key").update("text").digest("hex")).not.toThrow();
});
