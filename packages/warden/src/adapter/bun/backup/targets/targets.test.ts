/** Every backup target against the contract, and what is particular to each. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isHearthError } from "@hearth/protocol";
import { startS3Server } from "@hearth/testing/s3";
import { canRunSshServer, startSshServer } from "@hearth/testing/ssh";
import { failure } from "../../../../fixtures/home-on-disk.ts";
import { createBackupDisk } from "../backup-disk.ts";
import { createFolderTarget } from "./folder.ts";
import { createMemoryTarget } from "./memory.ts";
import { createS3Target, type S3Options } from "./s3.ts";
import { createSftpTarget, type SftpOptions } from "./sftp.ts";
import { backupTargetConformance } from "./target.conformance.ts";

const noPause = (): Promise<void> => Promise.resolve();

const createFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-target-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
};
const SMALL = Buffer.from("x");

backupTargetConformance("memory", () => {
  const { folder, remove } = createFolder();
  const target = createMemoryTarget();
  return Promise.resolve({
    target,
    folder,
    fill: (keys) => {
      for (const key of keys) target.objects.set(key, SMALL);
    },
    cut: (isCut) => {
      target.isCut = isCut;
    },
    [Symbol.asyncDispose]: async () => remove(),
  });
});

backupTargetConformance("folder", () => {
  const { folder, remove } = createFolder();
  const store = join(folder, "store");
  return Promise.resolve({
    target: createFolderTarget(store, createBackupDisk()),
    folder,
    fill: (keys) => {
      for (const key of keys) {
        mkdirSync(dirname(join(store, key)), { recursive: true });
        writeFileSync(join(store, key), SMALL);
      }
    },
    [Symbol.asyncDispose]: async () => remove(),
  });
});

backupTargetConformance("S3", async () => {
  const { folder, remove } = createFolder();
  const server = await startS3Server();
  return {
    target: createS3Target({ ...server, prefix: "home", sleep: noPause }),
    folder,
    fill: (keys) => {
      for (const key of keys) server.objects.set(`home/${key}`, SMALL);
      server.objects.set("homework", SMALL);
    },
    cut: (isCut) => {
      server.cut = () => isCut;
    },
    [Symbol.asyncDispose]: async () => {
      remove();
      await server[Symbol.asyncDispose]();
    },
  };
});

const openSftp = async (over: (folder: string) => Partial<SftpOptions> = () => ({})) => {
  const { folder, remove } = createFolder();
  const server = await startSshServer(join(folder, "server"));
  const store = join(folder, "a store");
  const { port, identityFile, knownHosts } = server;
  const environment = { PATH: process.env["PATH"] };
  const options: SftpOptions = { host: "root@127.0.0.1", port, folder: store, identityFile, knownHosts, environment };
  const target = await createSftpTarget({ ...options, ...over(folder) });
  const out = join(folder, "[local]");
  mkdirSync(out);
  return {
    target,
    folder: out,
    fill: (keys: readonly string[]) => {
      for (const key of keys) {
        mkdirSync(dirname(join(store, key)), { recursive: true });
        writeFileSync(join(store, key), SMALL);
      }
    },
    cut: server.setCut,
    [Symbol.asyncDispose]: async () => {
      await target[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      remove();
    },
  };
};

if (canRunSshServer) backupTargetConformance("sftp", openSftp);

describe.skipIf(!canRunSshServer)("an sftp target (needs root and openssh-server)", () => {
  const failureOf = async (over: (folder: string) => Partial<SftpOptions>): Promise<string> => {
    await using harness = await openSftp(over);
    const error = await failure(harness.target.list(""));
    return isHearthError(error) ? `${error.code}: ${error.message}` : String(error);
  };

  test("A44: refuses a machine whose host key is unknown or another one", async () => {
    const other = (text: string) => (folder: string) => {
      const knownHosts = join(folder, "others");
      writeFileSync(knownHosts, text);
      return { knownHosts };
    };
    expect(await failureOf(other(""))).toContain("backup.refused: sftp://root@127.0.0.1");
    expect(await failureOf(other(""))).toContain("the host key of root@127.0.0.1 is unknown");
  });

  test("says that a key is not accepted, and asks for no password", async () => {
    const message = await failureOf((folder) => {
      Bun.spawnSync(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", join(folder, "stranger")]);
      return { identityFile: join(folder, "stranger") };
    });
    expect(message).toContain("backup.refused");
    expect(message).toContain("it does not accept the key");
  });

  test("tells a connection that ended without a message from a folder that exists", async () => {
    const endingWith = (end: string) => (folder: string) => {
      const path = join(folder, end);
      mkdirSync(path);
      const script = `#!/bin/sh\necho 'remote mkdir "/x": Failure' >&2\n${end}\n`;
      writeFileSync(join(path, "sftp"), script, { mode: 0o700 });
      return { environment: { PATH: `${path}:${process.env["PATH"]}` } };
    };
    expect(await failureOf(endingWith("kill -PIPE $$"))).toContain("the connection ended");
    expect(await failureOf(endingWith("kill -PIPE $$"))).toContain("backup.unreachable");
    expect(await failureOf(endingWith("exit 1"))).toContain("backup.failed");
  });

  test("says that nothing answers at the address", async () => {
    expect(await failureOf(() => ({ port: 1 }))).toContain("backup.unreachable");
  });
});

describe("an S3 target", () => {
  const refusalOf = async (over: Partial<S3Options>): Promise<string> => {
    await using server = await startS3Server();
    const error = await failure(createS3Target({ ...server, prefix: "", sleep: noPause, ...over }).list(""));
    return isHearthError(error, "backup.refused") ? error.message : String(error);
  };

  test("says what a store refuses, and never shows a secret", async () => {
    const secretAccessKey = "not the secret";
    expect(await refusalOf({ secretAccessKey })).toBe("s3://backups refused access: the secret access key is wrong.");
    expect(await refusalOf({ accessKeyId: "AKIAOTHER" })).toContain("it does not know the access key id");
    expect(await refusalOf({ region: "us-east-1" })).toContain("the region is wrong");
    expect(await refusalOf({ bucket: "other" })).toContain("there is no such bucket");
  });

  test("tries a transfer again whose connection was cut", async () => {
    const { folder, remove } = createFolder();
    await using server = await startS3Server();
    try {
      let cuts = 2;
      server.cut = () => (cuts -= 1) >= 0;
      const path = join(folder, "in");
      writeFileSync(path, "text");
      const hash = new Bun.CryptoHasher("sha256").update("text").digest("hex");
      const target = createS3Target({ ...server, prefix: "", sleep: noPause });
      await target.put("a", { path, hash, sizeBytes: 4 });
      expect(server.objects.get("a")?.toString()).toBe("text");
      cuts = 2;
      expect(await target.get("a", join(folder, "out"))).toEqual({ hash, sizeBytes: 4 });
    } finally {
      remove();
    }
  });
});
