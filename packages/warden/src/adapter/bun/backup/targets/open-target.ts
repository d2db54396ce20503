/** Opens the target of an address. Loads only the code of its kind. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { HearthError } from "@hearth/protocol";
import { parseBackupAddress, readReference, type SecretReference } from "../../../../kernel/index.ts";
import { environment, environmentOf } from "../../env.ts";
import { createKeyReader } from "../../key-files.ts";
import { createBackupDisk } from "../backup-disk.ts";
import type { BackupTarget } from "./target.ts";

/** What ssh needs to find its settings and an agent with keys. */
const SSH_VARIABLES = /^(PATH|HOME|USER|LOGNAME|TMPDIR|SSH_AUTH_SOCK)$/;

/** Relative paths of references start at `home`. */
export const openTarget = async (text: string, home: string): Promise<BackupTarget> => {
  const address = parseBackupAddress(text);
  switch (address.kind) {
    case "s3": {
      const { createS3Target } = await import("./s3.ts");
      const { bucket, prefix, endpoint, region } = address;
      const read = (reference: SecretReference): Promise<string> => readKey(reference, home);
      const [accessKeyId, secretAccessKey] = [await read(address.accessKeyId), await read(address.secretAccessKey)];
      return createS3Target({ bucket, prefix, endpoint, region, accessKeyId, secretAccessKey, sleep: Bun.sleep });
    }
    case "sftp": {
      const { createSftpTarget } = await import("./sftp.ts");
      const { host, port, folder, identityFile, knownHosts } = address;
      return createSftpTarget({
        host,
        folder,
        environment: environmentOf(SSH_VARIABLES),
        ...(port === undefined ? {} : { port }),
        ...(identityFile === undefined ? {} : { identityFile }),
        ...(knownHosts === undefined ? {} : { knownHosts }),
      });
    }
    case "file": {
      const { createFolderTarget } = await import("./folder.ts");
      return createFolderTarget(address.folder, createBackupDisk());
    }
  }
};

/** Returns the variables that a process needs to open the target of this address. */
export const environmentFor = (text: string): Readonly<Record<string, string | undefined>> => {
  const address = parseBackupAddress(text);
  if (address.kind !== "s3") return environmentOf(SSH_VARIABLES);
  const names = [address.accessKeyId, address.secretAccessKey].flatMap((key) => (key.kind === "env" ? [key.name] : []));
  return Object.fromEntries(names.map((name) => [name, environment(name)]));
};

const readKey = async (secret: SecretReference, home: string): Promise<string> => {
  // A restore begins without a home, which then has no file that a reference must not name.
  const readKeyFile = existsSync(home) ? createKeyReader(home) : readPlain;
  const { text, reference, problem, remedy } = await readReference(secret, { environment, readFile: readKeyFile });
  if (text !== undefined) return text;
  throw new HearthError("config.invalid", `The backup target needs ${reference}, which ${problem}.`, {
    hint: remedy.replace("of the daemon, and restart it", "of this command, and of the daemon"),
  });
};

const readPlain = async (path: string): Promise<string | undefined> =>
  isAbsolute(path) ? readFile(path, "utf8").catch(() => undefined) : undefined;
