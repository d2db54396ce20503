import { expect, test } from "bun:test";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Both names of the program, so that the test runs on Linux and macOS. */
const PROGRAMS = ["secret-tool", "security"];

test("the keyring's program gets the variables of the user's session, and no others", async () => {
  const folder = await mkdtemp(join(tmpdir(), "hearth-keyring-"));
  try {
    for (const name of PROGRAMS) {
      await writeFile(join(folder, name), `#!/bin/sh\nenv > "$HOME/seen"\nexit 3\n`);
      await chmod(join(folder, name), 0o755);
    }
    const session = {
      PATH: `${folder}:/usr/bin:/bin`,
      HOME: folder,
      USER: "ana",
      LANG: "C.UTF-8",
      DBUS_SESSION_BUS_ADDRESS: "unix:path=/bus",
      XDG_RUNTIME_DIR: "/run/user/1",
      DISPLAY: ":1",
      WAYLAND_DISPLAY: "wayland-1",
    };
    const script = `const { createBunSecretParts } = await import(${JSON.stringify(join(import.meta.dir, "parts.ts"))});
      const { sources } = createBunSecretParts({ world: { random: (size) => new Uint8Array(size) }, home: "/home" });
      await sources.keyring.make("00").catch(() => {});`;
    const child = Bun.spawn([process.execPath, "--no-install", "--no-env-file", "-e", script], {
      env: { ...session, HEARTH_PASSPHRASE: "secret", ANTHROPIC_API_KEY: "key" },
      stderr: "inherit",
    });
    expect(await child.exited).toBe(0);
    const lines = (await readFile(join(folder, "seen"), "utf8")).trim().split("\n");
    // A shell sets these itself.
    const seen = lines.filter((line) => !/^(PWD|OLDPWD|SHLVL|_)=/.test(line)).toSorted();
    expect(seen).toEqual(
      Object.entries(session)
        .map(([name, value]) => `${name}=${value}`)
        .toSorted(),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});
