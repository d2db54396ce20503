/** Reads and writes the headers of the tus protocol 1.0 for uploads. */
import { HearthError, TUS_PART_TYPE, TUS_VERSION, type Upload, UPLOAD_PART_BYTES, type World } from "@hearth/protocol";

export const TUS_EXTENSIONS = ["creation", "checksum", "expiration", "termination"] as const;

/** The protocol requires SHA-1. */
const CHECKSUMS = ["sha256", "sha1"] as const;
export interface Checksum {
  readonly algorithm: (typeof CHECKSUMS)[number];
  readonly digest: Uint8Array;
}

/** Maximum time for which a part waits for the parts before it. */
const MAX_WAIT_SECONDS = 60;

/** Headers of every response of these routes. */
export const tusHeaders = { "tus-resumable": TUS_VERSION } as const;

/** Describes what the server supports, for `OPTIONS`. */
export const supportHeaders = (maxSizeBytes: number): Record<string, string> => ({
  ...tusHeaders,
  "tus-version": TUS_VERSION,
  "tus-extension": TUS_EXTENSIONS.join(","),
  "tus-checksum-algorithm": CHECKSUMS.join(","),
  "tus-max-size": String(maxSizeBytes),
});

/** Returns the headers with the state of an upload. */
export const stateHeaders = ({ offset, sizeBytes, name, expiresAt }: Upload): Record<string, string> => ({
  ...tusHeaders,
  "upload-offset": String(offset),
  "upload-length": String(sizeBytes),
  "upload-metadata": `filename ${new TextEncoder().encode(name).toBase64()}`,
  ...(expiresAt === undefined ? {} : { "upload-expires": new Date(expiresAt).toUTCString() }),
});

/** Throws `upload.version` for another version of the protocol. A request without one is accepted. */
export const checkVersion = (headers: Headers): void => {
  const version = headers.get("tus-resumable");
  if (version === null || version === TUS_VERSION) return;
  throw new HearthError("upload.version", `Tus-Resumable: the version ${version.slice(0, 20)} is not supported.`, {
    hint: `Use version ${TUS_VERSION}.`,
  });
};

/** Reads the size and the name of a new upload. */
export const readNewUpload = (headers: Headers): { readonly sizeBytes: number; readonly name: string } => {
  const sizeBytes = readCount(headers, "upload-length");
  if (sizeBytes === 0)
    throw new HearthError("request.invalid", "Upload-Length: an empty file cannot be attached.", {
      hint: "Choose a file with content.",
    });
  return { sizeBytes, name: readFileName(headers.get("upload-metadata") ?? "") };
};

const readFileName = (metadata: string): string => {
  for (const pair of metadata.split(",")) {
    const [key, value = ""] = pair.trim().split(" ", 2);
    if (key !== "filename") continue;
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.fromBase64(value));
    } catch (cause) {
      throw new HearthError("request.invalid", "Upload-Metadata: `filename` is not base64 of a UTF-8 text.", { cause });
    }
  }
  return "";
};

export interface PartHeaders {
  readonly offset: number;
  readonly length: number | undefined;
  readonly checksum: Checksum | undefined;
  /** How long the part waits for the parts before it. Undefined if it must not be early. */
  readonly waitMs: number | undefined;
}

/** Reads the place and the checksum of a part. */
export const readPartHeaders = (headers: Headers): PartHeaders => {
  if (headers.get("content-type") !== TUS_PART_TYPE || headers.has("content-encoding"))
    throw new HearthError("request.unsupported", `The body must be ${TUS_PART_TYPE}, uncompressed.`, {
      hint: `Send Content-Type: ${TUS_PART_TYPE}`,
    });
  const offset = readCount(headers, "upload-offset");
  const length = headers.has("content-length") ? readCount(headers, "content-length") : undefined;
  const checksum = readChecksum(headers.get("upload-checksum"));
  if (checksum !== undefined && (length ?? 0) > UPLOAD_PART_BYTES)
    throw new HearthError(
      "request.too-large",
      `A part with a checksum has at most ${UPLOAD_PART_BYTES} bytes; this one has ${length}.`,
      { hint: "Send smaller parts, or omit Upload-Checksum." },
    );
  return { offset, length, checksum, waitMs: readWait(headers.get("prefer")) };
};

/** Reads `Prefer: wait=SECONDS` (RFC 7240). Returns undefined if the header has no such preference. */
const readWait = (prefer: string | null): number | undefined => {
  const seconds = /(?:^|[,;])\s*wait=(\d{1,9})\s*(?:[,;]|$)/i.exec(prefer ?? "")?.[1];
  return seconds === undefined ? undefined : Math.min(Number(seconds), MAX_WAIT_SECONDS) * 1000;
};

const readChecksum = (text: string | null): Checksum | undefined => {
  if (text === null) return undefined;
  const [algorithm = "", value = ""] = text.split(" ", 2);
  const knownAlgorithm = CHECKSUMS.find((name) => name === algorithm);
  if (knownAlgorithm === undefined)
    throw new HearthError("request.invalid", "Upload-Checksum: unknown algorithm.", {
      hint: `Use one of: ${CHECKSUMS.join(", ")}`,
    });
  try {
    return { algorithm: knownAlgorithm, digest: Uint8Array.fromBase64(value) };
  } catch (cause) {
    throw new HearthError("request.invalid", "Upload-Checksum: the digest is not base64.", { cause });
  }
};

/**
 * Returns the SHA-256 that the bytes must have. Throws `upload.checksum` if a checksum of another
 * algorithm does not match. The store compares SHA-256 itself.
 */
export const toVerifiedHash = (hash: World["hash"], bytes: Uint8Array, { algorithm, digest }: Checksum): string => {
  if (algorithm === "sha256") return digest.toHex();
  if (hash(bytes, algorithm) === digest.toHex()) return hash(bytes);
  throw new HearthError("upload.checksum", "The bytes do not match Upload-Checksum, and none of them was stored.", {
    hint: "Send the part again.",
  });
};

const readCount = (headers: Headers, name: string): number => {
  const text = headers.get(name) ?? "";
  const count = Number(text);
  if (/^\d{1,16}$/.test(text) && Number.isSafeInteger(count)) return count;
  throw new HearthError("request.invalid", `${name}: a whole number of bytes is required.`);
};
