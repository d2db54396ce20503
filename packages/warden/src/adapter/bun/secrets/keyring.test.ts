/**
 * Tests a real desktop keyring on a separate session bus, in a separate folder. Skipped when its
 * programs are missing.
 */
import { expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keySourceConformance } from "../../../policy/secrets/key-source.conformance.ts";
import { createBunWorld } from "../world.ts";
import { createKeyringKeySource } from "./keyring.ts";

const PROGRAMS = ["dbus-daemon", "gnome-keyring-daemon", "secret-tool"];
const PATH = "/usr/bin:/bin";
const absent = PROGRAMS.filter((name) => Bun.which(name, { PATH }) === null);

/** Starts the keyring on demand, locked, as on a desktop before the password was entered. */
const SERVICE = `[D-BUS Service]
Name=org.freedesktop.secrets
Exec=/usr/bin/gnome-keyring-daemon --foreground --components=secrets
`;
const busConfig = (
  folder: string,
): string => `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:dir=${folder}</listen>
  <servicedir>${folder}</servicedir>
  <policy context="default"><allow send_destination="*"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>
`;

const openKeyring = async () => {
  const folder = await mkdtemp(join(tmpdir(), "hearth-keyring-"));
  await mkdir(join(folder, "home"));
  await writeFile(join(folder, "bus.conf"), busConfig(folder));
  await writeFile(join(folder, "org.freedesktop.secrets.service"), SERVICE);
  const own = { PATH, HOME: join(folder, "home"), XDG_RUNTIME_DIR: folder };
  const bus = Bun.spawn(["dbus-daemon", `--config-file=${folder}/bus.conf`, "--nofork", "--print-address=1"], {
    ...{ env: own, stdin: "ignore", stdout: "pipe", stderr: "ignore" },
  });
  const address = new TextDecoder().decode((await bus.stdout.getReader().read()).value).trim();
  const environment = { ...own, DBUS_SESSION_BUS_ADDRESS: address };
  const unlock = ["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"];
  const daemon = Bun.spawn(unlock, {
    ...{ env: environment, stdin: new TextEncoder().encode("\n"), stdout: "pipe", stderr: "ignore" },
  });
  // It prints its address once it is ready.
  await daemon.stdout.getReader().read();
  const world = createBunWorld();
  const open = () => createKeyringKeySource({ world, home: folder, platform: "linux", environment });
  const end = async (child: Bun.Subprocess): Promise<void> => {
    child.kill("SIGKILL");
    await child.exited;
  };
  return {
    source: open(),
    again: open,
    shut: () => end(daemon),
    async [Symbol.asyncDispose]() {
      await end(daemon);
      await end(bus);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};

if (absent.length === 0) {
  keySourceConformance("GNOME's keyring", openKeyring);

  test("a locked real keyring is not reported as a lost key", async () => {
    await using keyring = await openKeyring();
    await keyring.source.make("00");
    await keyring.shut();
    const error: unknown = await keyring.source.find("00", "").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "secret.locked", message: expect.stringContaining("locked") });
  });
} else {
  const why = `there is no ${absent.join(", ")} here: apt-get install dbus gnome-keyring libsecret-tools`;
  test.skip(`key source: GNOME's keyring (${why})`, () => {});
}
