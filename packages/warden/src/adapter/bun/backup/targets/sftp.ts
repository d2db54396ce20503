/**
 * A backup target on another machine, through the programs `sftp` and `ssh` of the system. The
 * programs never prompt, and refuse a machine whose host key is unknown. The calls share one
 * connection.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HearthError } from "@hearth/protocol";
import { digestAt } from "../read-file.ts";
import { type BackupTarget, refusedError, type TargetObject, unreachableError, changedFileError } from "./target.ts";

export interface SftpOptions {
  /** `user@host` or `host`, which may be a name of the user's SSH settings. */
  readonly host: string;
  readonly port?: number;
  /** The absolute path on the other machine, without a slash at its end. */
  readonly folder: string;
  /** The file of the private key. The default is the keys of the user's SSH settings. */
  readonly identityFile?: string;
  /** The file of known host keys. The default is the file of the user's SSH settings. */
  readonly knownHosts?: string;
  /** The variables that the programs need. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const DRAFTS = "drafts";
/** The shared connection ends after this time, also when this process is killed. */
const IDLE_SECONDS = 20;
const CONNECT_SECONDS = 20;

export const createSftpTarget = async (options: SftpOptions): Promise<BackupTarget> => {
  const { folder, host, port } = options;
  const name = `sftp://${host}${port === undefined ? "" : `:${port}`}${folder}`;
  const socketFolder = await mkdtemp(join(tmpdir(), "hs-"));
  const run = createRun(options, name, join(socketFolder, "c"));
  const remotePath = (key: string): string => quote(`${folder}/${key}`);

  /** Lists folders that may be missing, and returns the entries of each. */
  const listFolders = async (folders: readonly string[]): Promise<readonly (readonly Entry[])[]> => {
    const { stdout } = await run(folders.map((folder) => `-ls -lan ${quote(folder)}`));
    return stdout
      .split(/^sftp> .*$/m)
      .slice(1)
      .map(readEntries);
  };
  const walk = async (path: string): Promise<readonly TargetObject[]> => {
    const objects: TargetObject[] = [];
    for (let folders = [path]; folders.length > 0;) {
      const entries = await listFolders(
        folders.map((subfolder) => (subfolder === "" ? folder : `${folder}/${subfolder}`)),
      );
      const subfolders: string[] = [];
      entries.forEach((folderEntries, index) => {
        const parent = folders[index] === "" ? "" : `${folders[index]}/`;
        for (const { entry, isFolder, sizeBytes } of folderEntries)
          if (isFolder) subfolders.push(parent + entry);
          else objects.push({ key: parent + entry, sizeBytes });
      });
      folders = subfolders.filter((name) => name !== DRAFTS);
    }
    return objects;
  };

  return {
    name,
    async put(key, file) {
      if ((await digestAt(file.path))?.hash !== file.hash) throw changedFileError(file.path);
      const draft = `${DRAFTS}/${crypto.randomUUID()}`;
      const folders = new Set([
        folder,
        `${folder}/${DRAFTS}`,
        ...parentsOf(key).map((parent) => `${folder}/${parent}`),
      ]);
      await run([
        ...[...folders].map((folder) => `-mkdir ${quote(folder)}`),
        `put -f ${quote(file.path)} ${remotePath(draft)}`,
        // OpenSSH replaces an existing file.
        `rename ${remotePath(draft)} ${remotePath(key)}`,
      ]);
    },
    async get(key, path) {
      await rm(path, { force: true });
      const { isMissing } = await run([`get ${remotePath(key)} ${quote(path)}`], { mayMiss: true });
      return isMissing ? undefined : digestAt(path);
    },
    async list(prefix) {
      const slash = prefix.lastIndexOf("/");
      const objects = await walk(slash === -1 ? "" : prefix.slice(0, slash));
      return objects.filter(({ key }) => key.startsWith(prefix));
    },
    async delete(key) {
      await run([`rm ${remotePath(key)}`], { mayMiss: true });
    },
    async removeIncomplete() {
      const [entries = []] = await listFolders([`${folder}/${DRAFTS}`]);
      if (entries.length > 0) await run(entries.map(({ entry }) => `-rm ${remotePath(`${DRAFTS}/${entry}`)}`));
    },
    async [Symbol.asyncDispose]() {
      await run(undefined).catch(() => undefined);
      await rm(socketFolder, { recursive: true, force: true });
    },
  };
};

/** "a/b/c" gives "a" and "a/b". */
const parentsOf = (key: string): readonly string[] =>
  key
    .split("/")
    .slice(0, -1)
    .map((_, index, names) => names.slice(0, index + 1).join("/"));

/** Quotes a path, in which `sftp` then expands no pattern. */
const quote = (path: string): string => {
  if (/[\n\r\0]/.test(path))
    throw new HearthError("backup.failed", "A path of the backup contains a line break.", {
      hint: "Rename the folder of the home, or the one on the other machine.",
    });
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
};

interface Entry {
  readonly entry: string;
  readonly isFolder: boolean;
  readonly sizeBytes: number;
}

/** Reads lines such as `-rw------- 1 0 0 12 Nov 28 12:00 name`. */
const readEntries = (text: string): readonly Entry[] =>
  text.split("\n").flatMap((line) => {
    const [, kind, size, path] = /^([-d])\S+ +\S+ +\S+ +\S+ +(\d+) +\S+ +\S+ +\S+ +(.+?)\r?$/.exec(line) ?? [];
    const entry = path?.split("/").at(-1) ?? "";
    if (["", ".", ".."].includes(entry)) return [];
    return [{ entry, isFolder: kind === "d", sizeBytes: Number(size) }];
  });

interface RunResult {
  readonly stdout: string;
  readonly isMissing: boolean;
}

/** Runs commands of `sftp` in one process. With undefined, it ends the shared connection. */
const createRun = (options: SftpOptions, name: string, socket: string) => {
  const { host, port, identityFile, knownHosts } = options;
  const environment = { ...options.environment, LC_ALL: "C" };
  const programOf = (program: string): string => {
    const path = Bun.which(program, { PATH: options.environment["PATH"] ?? "" });
    if (path !== null) return path;
    throw new HearthError("backup.failed", `${program} is not installed.`, {
      hint: "Install the OpenSSH client, or use another target for backups.",
    });
  };
  const settings = [
    ...["BatchMode=yes", "StrictHostKeyChecking=yes", "ForwardAgent=no", "PermitLocalCommand=no"],
    ...["ControlMaster=auto", `ControlPath=${socket}`, `ControlPersist=${IDLE_SECONDS}`],
    ...[`ConnectTimeout=${CONNECT_SECONDS}`, "ServerAliveInterval=15", "ServerAliveCountMax=4"],
    ...(port === undefined ? [] : [`Port=${port}`]),
    ...(identityFile === undefined ? [] : [`IdentityFile="${identityFile}"`, "IdentitiesOnly=yes"]),
    ...(knownHosts === undefined ? [] : [`UserKnownHostsFile="${knownHosts}"`, "GlobalKnownHostsFile=none"]),
  ].flatMap((setting) => ["-o", setting]);

  return async (commands: readonly string[] | undefined, { mayMiss = false } = {}): Promise<RunResult> => {
    const argv =
      commands === undefined
        ? [programOf("ssh"), ...settings, "-O", "exit", host]
        : [programOf("sftp"), ...settings, "-b", "-", host];
    const child = Bun.spawn(argv, {
      env: environment,
      stdin: new TextEncoder().encode(`${(commands ?? []).join("\n")}\n`),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    if (code === 0) return { stdout, isMissing: false };
    if (mayMiss && code !== 255 && /not found|No such file/.test(stderr)) return { stdout, isMissing: true };
    throw toFailure(name, host, { stderr: stderr.trim(), code });
  };
};

/** The exit code of `sftp` after a command that failed. When the connection ends, the exit code is different. */
const EXIT_COMMAND_FAILED = 1;

interface ProcessEnd {
  readonly stderr: string;
  readonly code: number;
}

const toFailure = (name: string, host: string, { stderr, code }: ProcessEnd): HearthError => {
  const isCommandFailure = code === EXIT_COMMAND_FAILED;
  const lines = stderr.split(/\r?\n/).filter((line) => line.trim() !== "");
  // `sftp` also reports folders that exist. They are not the reason of the failure.
  const lastLine =
    lines.findLast((line) => isCommandFailure || !line.startsWith("remote mkdir")) ?? "the connection ended";
  if (/Host key verification failed|REMOTE HOST IDENTIFICATION|No \S+ host key is known/.test(stderr))
    return refusedError(
      name,
      `the host key of ${host} is unknown, or another one than before`,
      `Compare its fingerprint with that of the machine, then add it: ssh-keyscan HOST >> ~/.ssh/known_hosts`,
    );
  if (/Permission denied \(|Too many authentication failures|Load key|UNPROTECTED PRIVATE KEY/.test(stderr))
    return refusedError(
      name,
      `it does not accept the key (${lastLine.trim()})`,
      "Add the public key to ~/.ssh/authorized_keys of that user, and name the private one: ?identity_file=PATH",
    );
  if (isCommandFailure && /Permission denied|Failure|quota|No space|Couldn't|not found/i.test(lastLine))
    return new HearthError("backup.failed", `${name} could not be changed: ${lastLine.trim()}.`, {
      hint: "Check that the folder can be written on that machine, and that its disk has room.",
    });
  return unreachableError(name, lastLine.trim().replace(/\.$/, ""));
};
