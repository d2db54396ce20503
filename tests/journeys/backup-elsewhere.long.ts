/** A house with its backups on another machine. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { canRunSshServer, startSshServer } from "@hearth/testing/ssh";
import { createHome, hearth, startDaemon } from "./daemon.ts";

test.skipIf(!canRunSshServer)(
  "a house is backed up over sftp by the name of its target, and restored (needs root and openssh-server)",
  async () => {
    using home = createHome();
    using other = createHome();
    await using server = await startSshServer(join(other.folder, "server"));
    const { port, identityFile, knownHosts } = server;
    const address = `sftp://root@127.0.0.1:${port}${other.folder}/store?identity_file=${identityFile}&known_hosts=${knownHosts}`;
    await Bun.write(
      join(home.folder, "hearth.toml"),
      `version = 1\n[server]\nport = 0\n[backup.targets.nas]\nto = "${address}"\n`,
    );
    await using daemon = await startDaemon(home.folder);
    expect((await daemon.hearth("doctor")).stdout).toContain("backups to nas");
    const made = await daemon.hearth("backup", "--to", "target:nas", "--json");
    expect([made.code, made.stderr]).toEqual([0, ""]);
    expect(JSON.parse(made.stdout)).toMatchObject({ number: 1, remarks: [] });
    const restored = await hearth(["restore", "--from", address, "--home", join(other.folder, "restored")]);
    expect([restored.code, restored.stdout]).toEqual([0, expect.stringContaining("all verified")]);
    // The layout is that of a folder of backups.
    const verified = await hearth(["backup", "verify", "--from", join(other.folder, "store")]);
    expect(verified.stdout).toBe("backup 1: intact\n");
  },
  120_000,
);
