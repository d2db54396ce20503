/**
 * Encrypts a copied home into a folder of backups, file by file. Objects have the hash of their
 * encrypted bytes as a name, so a backup can be checked without a secret key. A list in the home
 * says which contents the folder has already.
 */
import { mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { HearthError } from "@hearth/protocol";
import { z } from "zod";
import { replaceFile } from "../replace-file.ts";
import { createEncryption, type Encryption } from "./age.ts";
import { type BackupDisk, createBackupDisk } from "./backup-disk.ts";
import { objectPath } from "./backup-folder.ts";
import { type ObjectWriter, openBackupWriter } from "./backup-writer.ts";
import { type CopyOptions, copyHome } from "./copy-home.ts";
import { contentsOf, Hash, houseTag, type Manifest, type SealedContents, seal, unseal } from "./manifest.ts";
import { chunksOf, digestAt, undefinedIfMissing } from "./read-file.ts";

export interface EncryptOptions extends CopyOptions {
  /** Public keys, `age1…`. */
  readonly recipients: readonly string[];
  readonly disk?: BackupDisk;
}

/** Hash of a content → its encrypted object. */
type Objects = Map<string, StoredObject>;
const StoredObject = z.strictObject({ name: Hash, storedBytes: z.int(), sizeBytes: z.int() });
type StoredObject = z.infer<typeof StoredObject>;

/** Relative to the home. It can be lost: the next backup then encrypts everything again. */
const FOLDER = "cache/backups";

/**
 * Returns the manifest to seal, whose objects were all read back. `contents`: the manifest with the
 * files of the home, which is encrypted.
 */
export const copyEncrypted = async (
  options: EncryptOptions,
): Promise<{ readonly manifest: Manifest; readonly contents: Manifest }> => {
  const { home, writer, recipients, disk = createBackupDisk() } = options;
  const encryption = await createEncryption(recipients);
  const draft = join(home, FOLDER, "copy");
  const list = join(home, FOLDER, `${listName(writer.folder, recipients)}.json`);
  await mkdir(join(home, FOLDER), { recursive: true, mode: 0o700 });
  const known = await readKnown(list, writer);
  using copies = await openBackupWriter(draft, disk);
  try {
    // A blob never changes, so one that the folder has is not copied.
    const storedElsewhere = new Map([...known].map(([hash, { sizeBytes }]) => [hash, sizeBytes]));
    const copied = await copyHome({ ...options, writer: copies, storedElsewhere });
    const contents = { ...copied, number: writer.number };
    const objects = await encryptFiles(contents, copies.folder, { encryption, writer, known });
    const manifest = await sealContents(contents, objects, { encryption, writer });
    await replaceFile(list, seal([...objects]));
    return { manifest, contents };
  } finally {
    await disk.remove(draft);
  }
};

const sha256 = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");

/** Objects for other recipients are not used. */
const listName = (folder: string, recipients: readonly string[]): string =>
  sha256([folder, ...recipients.toSorted()].join("\n")).slice(0, 16);

const Known = z.array(z.tuple([Hash, StoredObject]));

/** The objects of earlier backups that are still intact. Damaged ones are removed from the folder. */
const readKnown = async (list: string, writer: ObjectWriter): Promise<Objects> => {
  const text = await readFile(list, "utf8").catch(undefinedIfMissing);
  const read = text === undefined ? undefined : unseal(text, Known, 0);
  const known: Objects = new Map();
  if (read?.kind !== "sealed") return known;
  for (const [hash, object] of read.manifest) {
    if (!writer.has(object.name)) continue;
    if (await writer.isIntact(object.name, object.storedBytes)) known.set(hash, object);
    else await writer.drop(object.name);
  }
  return known;
};

interface Encrypting {
  readonly encryption: Encryption;
  readonly writer: ObjectWriter;
}

const encryptFiles = async (
  contents: Manifest,
  copies: string,
  { encryption, writer, known }: Encrypting & { readonly known: Objects },
): Promise<Objects> => {
  const objects: Objects = new Map();
  for (const { hash, sizeBytes } of contentsOf(contents)) {
    if (objects.has(hash)) continue;
    const stored = known.get(hash);
    if (stored !== undefined) {
      objects.set(hash, stored);
      continue;
    }
    await using file = await open(objectPath(copies, hash), "r");
    const digest = await writer.add(await encryption.encrypt(chunksOf(file)));
    await requireStored(writer.folder, digest.hash);
    objects.set(hash, { name: digest.hash, storedBytes: digest.sizeBytes, sizeBytes });
  }
  return objects;
};

/** Encrypts the manifest, and returns the one that everyone can read. */
const sealContents = async (
  manifest: Manifest,
  objects: Objects,
  { encryption, writer }: Encrypting,
): Promise<Manifest> => {
  const inner: SealedContents = { manifest, names: [...objects].map(([hash, { name }]) => [hash, name]) };
  const digest = await writer.add(await encryption.encrypt([new TextEncoder().encode(seal(inner))]));
  await requireStored(writer.folder, digest.hash);
  const stored = [...objects.values()].map(({ name, storedBytes }): [string, number] => [name, storedBytes]);
  // In the order of their names, which does not reveal the order of the files.
  const all = [...stored, [digest.hash, digest.sizeBytes] satisfies [string, number]];
  return {
    format: 2,
    number: manifest.number,
    at: manifest.at,
    version: manifest.version,
    house: { id: houseTag(manifest.house.id), handle: "" },
    files: [],
    folders: [],
    links: [],
    blobs: [],
    remarks: [],
    encrypted: { contents: digest.hash, objects: all.toSorted(([a], [b]) => (a < b ? -1 : 1)) },
  };
};

const requireStored = async (folder: string, name: string): Promise<void> => {
  if ((await digestAt(objectPath(folder, name)))?.hash === name) return;
  throw new HearthError("backup.damaged", `A file cannot be read back from ${folder} as it was written.`, {
    hint: "Check that disk for errors, or give a folder on another one.",
  });
};
