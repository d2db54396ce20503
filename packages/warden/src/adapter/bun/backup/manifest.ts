/**
 * The manifest of a backup lists every file of the home with its hash. Its last line is the SHA-256
 * of the line before it.
 */
import { z } from "zod";

/** The newest format. It increases when older versions of Hearth cannot restore new backups. */
const FORMAT = 2;
const PLAIN_FORMAT = 1;

export const Hash = z.string().regex(/^[0-9a-f]{64}$/);
/** Relative to the home. A manifest must not name a place outside of it. */
export const HomePath = z.string().refine((path) => path.split("/").every((name) => !["", ".", ".."].includes(name)));

export const BackupFile = z.strictObject({
  path: HomePath,
  hash: Hash,
  sizeBytes: z.int().min(0),
  mode: z.int(),
  /** UTC milliseconds. */
  modifiedAt: z.number(),
});
export type BackupFile = z.infer<typeof BackupFile>;

export const Manifest = z.strictObject({
  /** 1: plain. 2: encrypted. */
  format: z.literal([PLAIN_FORMAT, FORMAT]).default(PLAIN_FORMAT),
  /** Counts the backups of a folder. */
  number: z.int().min(1),
  /** When the database was copied, in UTC milliseconds. */
  at: z.int(),
  /** The version of Hearth that made the backup. */
  version: z.string(),
  /** The first house of the home. An encrypted backup has its tag, and no handle. */
  house: z.strictObject({ id: z.string(), handle: z.string() }),
  files: z.array(BackupFile),
  folders: z.array(z.strictObject({ path: HomePath, mode: z.int() })),
  links: z.array(z.strictObject({ path: HomePath, target: z.string() })),
  /** Hash and size of each blob that the database names. */
  blobs: z.array(z.tuple([Hash, z.int().min(0)])),
  /** Files that were missing or damaged in the home itself, or omitted. */
  remarks: z.array(z.string()),
  /** Hash and size of each object of an encrypted backup. `contents` is the encrypted manifest. */
  encrypted: z.strictObject({ contents: Hash, objects: z.array(z.tuple([Hash, z.int().min(0)])) }).optional(),
});
export type Manifest = z.infer<typeof Manifest>;

export const DATABASE = "hearth.db";

export const blobPath = (hash: string): string => `blobs/${hash.slice(0, 2)}/${hash}`;

/** Returns every file with its bytes, including blobs. An encrypted backup has objects instead. */
export const contentsOf = ({
  files,
  blobs,
  encrypted,
}: Pick<Manifest, "files" | "blobs" | "encrypted">): readonly Pick<BackupFile, "path" | "hash" | "sizeBytes">[] => [
  ...files,
  ...blobs.map(([hash, sizeBytes]) => ({ path: blobPath(hash), hash, sizeBytes })),
  ...(encrypted?.objects ?? []).map(([hash, sizeBytes]) => ({
    path: `objects/${hash.slice(0, 2)}/${hash}`,
    hash,
    sizeBytes,
  })),
];

/** The encrypted object `contents`. */
export const SealedContents = z.strictObject({
  manifest: Manifest,
  /** Hash of each file → its object. */
  names: z.array(z.tuple([Hash, Hash])),
});
export type SealedContents = z.infer<typeof SealedContents>;

/** Returns the tag of a house in an encrypted backup. Different houses have different tags. */
export const houseTag = (id: string): string => sha256(`backup of ${id}`);

export const sizeOf = (manifest: Pick<Manifest, "files" | "blobs" | "encrypted">): number =>
  contentsOf(manifest).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

export const sealManifest = (manifest: Manifest): string => seal(manifest);

/** Returns one line of JSON, and its SHA-256 on the next line. */
export const seal = (value: unknown): string => {
  const line = JSON.stringify(value);
  return `${line}\n${sha256(line)}\n`;
};

export type Unsealed<Value> =
  | { readonly kind: "sealed"; readonly manifest: Value }
  | { readonly kind: "damaged"; readonly why: string };
export type ReadManifest = Unsealed<Manifest>;

export const readManifest = (text: string): ReadManifest => unseal(text, Manifest, FORMAT);

/** Reads the output of `seal`. `format` is the newest format that this Hearth knows. */
export const unseal = <Value>(text: string, schema: z.ZodType<Value>, format: number): Unsealed<Value> => {
  const [line = "", hash, ...extraLines] = text.split("\n");
  if (hash !== sha256(line) || extraLines.join("") !== "")
    return { kind: "damaged", why: "its manifest is damaged: the content does not match its seal" };
  const json: unknown = JSON.parse(line);
  const parsed = schema.safeParse(json);
  if (parsed.success) return { kind: "sealed", manifest: parsed.data };
  const foundFormat = z.object({ format: z.int() }).safeParse(json).data?.format;
  return foundFormat !== undefined && foundFormat > format
    ? { kind: "damaged", why: `it was made by a newer Hearth (format ${foundFormat}); update this one` }
    : { kind: "damaged", why: "its manifest is not valid" };
};

const sha256 = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");
