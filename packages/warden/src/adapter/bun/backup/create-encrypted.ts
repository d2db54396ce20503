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

/** The folder of the lists, relative to the home. If it is lost, the next backup encrypts everything again. */
const CACHE_FOLDER = "cache/backups";

/**
 * Returns the manifest to seal, whose objects were all read back. `contents` is the manifest with
 * the files of the home, which is encrypted.
 */
export const copyEncrypted = async (
  options: EncryptOptions,
): Promise<{ readonly manifest: Manifest; readonly contents: Manifest }> => {
  const { home, writer, recipients, disk = createBackupDisk() } = options;
  const encryption = await createEncryption(recipients);
  const draft = join(home, CACHE_FOLDER, "copy");
  const list = join(home, CACHE_FOLDER, `${listName(writer.folder, recipients)}.json`);
  await mkdir(join(home, CACHE_FOLDER), { recursive: true, mode: 0o700 });
  const knownObjects = await readKnownObjects(list, writer);
  using copies = await openBackupWriter(draft, disk);
  try {
    // A blob never changes, so one that the folder has is not copied.
    const storedElsewhere = new Map([...knownObjects].map(([hash, { sizeBytes }]) => [hash, sizeBytes]));
    const copyManifest = await copyHome({ ...options, writer: copies, storedElsewhere });
    const contents = { ...copyManifest, number: writer.number };
    const objects = await encryptFiles(contents, copies.folder, { encryption, writer, known: knownObjects });
    const manifest = await sealContents(contents, objects, { encryption, writer });
    await replaceFile(list, seal([...objects]));
    return { manifest, contents };
  } finally {
    await disk.remove(draft);
  }
};

const sha256 = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");

/** The name depends on the recipients, because objects for other recipients are not used. */
const listName = (folder: string, recipients: readonly string[]): string =>
  sha256([folder, ...recipients.toSorted()].join("\n")).slice(0, 16);

const KnownObjects = z.array(z.tuple([Hash, StoredObject]));

/** Returns the objects of earlier backups that are still intact. Removes damaged objects from the folder. */
const readKnownObjects = async (list: string, writer: ObjectWriter): Promise<Objects> => {
  const text = await readFile(list, "utf8").catch(undefinedIfMissing);
  const unsealed = text === undefined ? undefined : unseal(text, KnownObjects, 0);
  const knownObjects: Objects = new Map();
  if (unsealed?.kind !== "sealed") return knownObjects;
  for (const [hash, object] of unsealed.manifest) {
    if (!writer.has(object.name)) continue;
    if (await writer.isIntact(object.name, object.storedBytes)) knownObjects.set(hash, object);
    else await writer.drop(object.name);
  }
  return knownObjects;
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
    const storedObject = known.get(hash);
    if (storedObject !== undefined) {
      objects.set(hash, storedObject);
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
  const storedObjects = [...objects.values()].map(({ name, storedBytes }): [string, number] => [name, storedBytes]);
  // The order of the names does not reveal the order of the files.
  const allObjects = [...storedObjects, [digest.hash, digest.sizeBytes] satisfies [string, number]];
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
    encrypted: { contents: digest.hash, objects: allObjects.toSorted(([a], [b]) => (a < b ? -1 : 1)) },
  };
};

const requireStored = async (folder: string, name: string): Promise<void> => {
  if ((await digestAt(objectPath(folder, name)))?.hash === name) return;
  throw new HearthError("backup.damaged", `A file cannot be read back from ${folder} as it was written.`, {
    hint: "Check that disk for errors, or give a folder on another one.",
  });
};
