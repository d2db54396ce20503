/**
 * A backup target in a bucket of an S3-compatible store. Requests are signed with the SHA-256 of
 * their body, so the store refuses bytes that changed on the way.
 */
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { HearthError, type Clock } from "@hearth/protocol";
import { AwsV4Signer } from "aws4fetch";
import type { Digest } from "../backup-disk.ts";
import {
  type BackupTarget,
  refusedError,
  type TargetFile,
  type TargetObject,
  unreachableError,
  changedFileError,
} from "./target.ts";

export interface S3Options {
  readonly bucket: string;
  /** Without slashes at its ends. Empty: the whole bucket. */
  readonly prefix: string;
  /** `https:`, or `http:` to a loopback address. Buckets are parts of its path. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sleep: Clock["sleep"];
}

const MAX_ATTEMPTS = 3;
/** Pause after the first failed attempt. */
const PAUSE_MS = 500;
/** Maximum size of an S3 request. */
const MAX_BYTES = 5 * 1024 ** 3;
const EMPTY_HASH = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** A request without headers. `file`: its body. */
interface S3Request {
  readonly method: "GET" | "PUT" | "DELETE";
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly file?: TargetFile;
}

export const createS3Target = (options: S3Options): BackupTarget => {
  const { bucket, prefix, endpoint } = options;
  const name = `s3://${[bucket, prefix].filter((part) => part !== "").join("/")}`;
  const keyPrefix = prefix === "" ? "" : `${prefix}/`;
  const send = createSend(options, name);

  return {
    name,
    async put(key, file) {
      if (file.sizeBytes > MAX_BYTES)
        throw new HearthError(
          "backup.failed",
          `${key} has more than 5 GiB, which ${name} does not accept in one request.`,
          {
            hint: "Use a target of kind sftp, or a folder: hearth backup --to DIR",
          },
        );
      await send({ method: "PUT", key: keyPrefix + key, file }, async (response) => {
        await response.body?.cancel();
      });
    },
    get: (key, path) =>
      send({ method: "GET", key: keyPrefix + key }, (response) =>
        response.status === 404 ? Promise.resolve(undefined) : writeBody(response, path),
      ),
    async list(prefix) {
      const objects: TargetObject[] = [];
      for (let token: string | undefined = ""; token !== undefined;) {
        const query: Record<string, string> = { "list-type": "2", "max-keys": "1000", prefix: keyPrefix + prefix };
        if (token !== "") query["continuation-token"] = token;
        const text: string = await send({ method: "GET", query }, (response) => response.text());
        objects.push(...readPage(text, keyPrefix));
        token = readTag(text, "IsTruncated") === "true" ? readTag(text, "NextContinuationToken") : undefined;
        if (token === "") throw unreachableError(name, `${endpoint} returned a list without its continuation`);
      }
      return objects;
    },
    async delete(key) {
      await send({ method: "DELETE", key: keyPrefix + key }, async (response) => {
        await response.body?.cancel();
      });
    },
    // A request that ends early leaves nothing.
    removeIncomplete: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
};

/** Sends a request until it is answered, three times at most. Each attempt includes `read`. */
const createSend = (options: S3Options, name: string) => {
  const sendOnce = async <Result>(
    request: S3Request,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> => {
    const { file } = request;
    const { url, method, headers } = await sign(options, request);
    const response = await fetch(url, {
      method,
      headers,
      redirect: "manual",
      ...(file === undefined ? {} : { body: Bun.file(file.path) }),
    });
    // With a key, 404 means that the object is missing. Without one, the bucket is missing, which is an error.
    if (response.ok || (response.status === 404 && request.key !== undefined && file === undefined))
      return read(response);
    throw toFailure(name, options, response.status, await response.text(), file);
  };
  return async <Result>(request: S3Request, read: (response: Response) => Promise<Result>): Promise<Result> => {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await sendOnce(request, read);
      } catch (error) {
        if (error instanceof HearthError && error.code !== "backup.unreachable") throw error;
        const why = error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
        if (attempt === MAX_ATTEMPTS) throw error instanceof HearthError ? error : unreachableError(name, why, error);
        await options.sleep(PAUSE_MS * 2 ** (attempt - 1));
      }
  };
};

const sign = (options: S3Options, { method, key, query, file }: S3Request) => {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = options;
  const url = new URL(endpoint);
  url.pathname = [url.pathname.replace(/\/$/, ""), bucket, ...(key === undefined ? [] : [key])].join("/");
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
  return new AwsV4Signer({
    method,
    url: url.href,
    headers: { "x-amz-content-sha256": file?.hash ?? EMPTY_HASH },
    service: "s3",
    region,
    accessKeyId,
    secretAccessKey,
  }).sign();
};

const REFUSALS: Readonly<Record<string, string>> = {
  SignatureDoesNotMatch: "the secret access key is wrong",
  InvalidAccessKeyId: "it does not know the access key id",
  RequestTimeTooSkewed: "the clocks of the two machines differ",
  AccessDenied: "this key has no right to do that",
  AuthorizationHeaderMalformed: "the region is wrong",
  NoSuchBucket: "there is no such bucket",
};
const HINT =
  "Check access_key_id, secret_access_key, region and endpoint of the address. The key needs the rights to list, read, write and delete objects.";

const toFailure = (
  name: string,
  { endpoint }: S3Options,
  status: number,
  text: string,
  file: TargetFile | undefined,
): HearthError => {
  const code = readTag(text, "Code");
  if (["XAmzContentSHA256Mismatch", "BadDigest"].includes(code) && file !== undefined)
    return changedFileError(file.path);
  if (status >= 500 || status === 429 || status === 408)
    return unreachableError(name, `${endpoint} answered with status ${status} ${code}`.trimEnd());
  return refusedError(name, REFUSALS[code] ?? `${endpoint} answered with status ${status} ${code}`.trimEnd(), HINT);
};

const writeBody = async (response: Response, path: string): Promise<Digest> => {
  const hasher = new Bun.CryptoHasher("sha256");
  let sizeBytes = 0;
  // A second attempt starts with a new file.
  await rm(path, { force: true });
  const file = createWriteStream(path, { flags: "wx", mode: 0o600 });
  try {
    for await (const chunk of response.body ?? []) {
      hasher.update(chunk);
      sizeBytes += chunk.length;
      if (!file.write(chunk)) await new Promise((resolve) => file.once("drain", resolve));
    }
  } finally {
    await new Promise<void>((resolve, reject) => {
      file.once("error", reject);
      file.end(resolve);
    });
  }
  const expected = response.headers.get("content-length");
  if (expected !== null && Number(expected) !== sizeBytes)
    throw new Error(`the connection ended after ${sizeBytes} of ${expected} bytes`);
  return { hash: hasher.digest("hex"), sizeBytes };
};

/** Returns the objects of one page. Removes `start` from their keys. */
const readPage = (text: string, start: string): readonly TargetObject[] =>
  [...text.matchAll(/<Contents>.*?<\/Contents>/gs)].map(([content]) => ({
    key: readTag(content, "Key").slice(start.length),
    sizeBytes: Number(readTag(content, "Size")),
  }));

/** Returns the text of the first element with this name, or "". */
const readTag = (text: string, tag: string): string =>
  (new RegExp(`<${tag}>(.*?)</${tag}>`, "s").exec(text)?.[1] ?? "").replaceAll(
    /&(amp|lt|gt|quot|apos|#39);/g,
    (entity) => ENTITIES[entity] ?? entity,
  );
const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&#39;": "'",
};
