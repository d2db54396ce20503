/** Reads a whole backup and compares it with its manifest. */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Blobs } from "../../../kernel/store/blobs.ts";
import { ANCHOR_FOLDER, readAnchor } from "../audit/anchor.ts";
import { auditOf } from "../audit/offline-audit-log.ts";
import { KEY_FILE, parseAuditKeys, toSealKeys } from "../audit/key.ts";
import { auditFindings, checkBrains, checkPages, checkStreams } from "../storage/examine.ts";
import { objectPath } from "./backup-folder.ts";
import { contentsOf, DATABASE, type Manifest } from "./manifest.ts";
import { faultOf, type ObjectFault } from "./object-fault.ts";
import { readWhole } from "./read-file.ts";
import { openSnapshot, type Snapshot } from "./snapshot.ts";

export interface BackupProblem {
  /** The file of the home. */
  readonly path: string;
  readonly hash: string;
  readonly fault: ObjectFault;
}

/** Returns every file whose bytes are not those of the manifest. */
export const findDamage = async (
  folder: string,
  manifest: Pick<Manifest, "files" | "blobs" | "encrypted">,
): Promise<readonly BackupProblem[]> => {
  const faults = new Map<string, BackupProblem["fault"] | undefined>();
  const problems: BackupProblem[] = [];
  for (const { path, hash, sizeBytes } of contentsOf(manifest)) {
    if (!faults.has(hash)) faults.set(hash, await faultOf(objectPath(folder, hash), hash, sizeBytes));
    const fault = faults.get(hash);
    if (fault !== undefined) problems.push({ path, hash, fault });
  }
  return problems;
};

/**
 * The state of a backup's database: its pages, its streams, its brains, and its audit log up to the
 * anchor.
 */
export interface DatabaseReport {
  /** Damage of SQLite's pages. It is absent if there is no damage. */
  readonly pages?: string;
  /** Findings that the copied home has too. */
  readonly findings: readonly string[];
}

/** Examines the database of a backup. `folder` contains the files. By default, `blobs` reads the same folder. */
export const examineDatabase = async (
  folder: string,
  manifest: Pick<Manifest, "files">,
  snapshot: Snapshot,
  blobs: Pick<Blobs, "get"> = { get: (hash) => readWhole(objectPath(folder, hash)) },
): Promise<DatabaseReport> => {
  const pages = checkPages(snapshot, false);
  if (!pages.ok) return { pages: pages.detail, findings: [] };
  // The checks below read the present tables.
  if (!snapshot.hasCurrentSchema) return { findings: [] };
  const checks = [checkStreams(snapshot), await checkBrains(snapshot, blobs)].filter(({ ok }) => !ok);
  const findings = checks.map(({ name, detail }) => `${name}: ${detail}`);
  return { findings: [...findings, ...(await examineAudit(folder, manifest, snapshot, blobs))] };
};

const examineAudit = async (
  folder: string,
  { files }: Pick<Manifest, "files">,
  snapshot: Snapshot,
  blobs: Pick<Blobs, "get">,
): Promise<readonly string[]> => {
  const read = async (path: string): Promise<string | undefined> => {
    const file = files.find((file) => file.path === path);
    return file === undefined ? undefined : readFile(objectPath(folder, file.hash), "utf8");
  };
  const text = await read(KEY_FILE);
  const storedKeys = text === undefined ? undefined : parseAuditKeys(text);
  if (storedKeys === undefined) return [`audit log: ${KEY_FILE} is missing or invalid, so the log cannot be verified`];
  const names = files.filter(({ path }) => path.startsWith(`${ANCHOR_FOLDER}/`)).map(({ path }) => basename(path));
  const anchor = {
    read: () => readAnchor(names, (name) => read(`${ANCHOR_FOLDER}/${name}`)),
    write: () => Promise.resolve(),
    setAside: () => Promise.resolve(),
  };
  const log = auditOf(snapshot, { keys: toSealKeys(storedKeys), anchor }, blobs);
  return (await auditFindings(log)).map((finding) => `audit log of ${finding}`);
};

/** The result of `hearth backup verify` for one backup. */
export interface Verified {
  readonly number: number;
  readonly ok: boolean;
  /** The objects of an encrypted backup are intact. It is not known whether they can be decrypted. */
  readonly isEncrypted?: true;
  readonly problems: readonly (Pick<BackupProblem, "path"> & { readonly fault: string })[];
}

/** Reads every file of the backup, then the database as the house would. */
export const verifyBackup = async (folder: string, manifest: Manifest): Promise<Verified> => {
  const { number } = manifest;
  const damage = await findDamage(folder, manifest);
  if (damage.length > 0) return { number, ok: false, problems: damage.map(({ path, fault }) => ({ path, fault })) };
  if (manifest.encrypted !== undefined) return { number, ok: true, isEncrypted: true, problems: [] };
  const database = manifest.files.find(({ path }) => path === DATABASE);
  if (database === undefined) return { number, ok: false, problems: [{ path: DATABASE, fault: "missing" }] };
  using snapshot = openSnapshot(objectPath(folder, database.hash));
  const { pages, findings } = await examineDatabase(folder, manifest, snapshot);
  const faults = [
    ...(pages === undefined ? [] : [pages]),
    ...findings.filter((finding) => !manifest.remarks.includes(finding)),
  ];
  return { number, ok: faults.length === 0, problems: faults.map((fault) => ({ path: DATABASE, fault })) };
};
