/** Headers of the tus protocol, and which values are refused. */
import { expect, test } from "bun:test";
import { HearthError, TUS_PART_TYPE, TUS_VERSION, type Upload, UPLOAD_PART_BYTES } from "@hearth/protocol";
import { createBunWorld } from "../../adapter/bun/world.ts";
import {
  checkVersion,
  readNewUpload,
  readPartHeaders,
  stateHeaders,
  supportHeaders,
  toVerifiedHash,
} from "./tus-headers.ts";

const outcome = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    if (error instanceof HearthError) return error.code;
    throw error;
  }
};
type Fields = Readonly<Record<string, string>>;
const base64 = (text: string): string => new TextEncoder().encode(text).toBase64();

test("another version is refused; the right one and none are accepted", () => {
  const check = (headers: Fields): unknown => outcome(() => checkVersion(new Headers(headers)));
  expect([{}, { "tus-resumable": TUS_VERSION }, { "tus-resumable": "0.2" }].map(check)).toEqual([
    ...[undefined, undefined, "upload.version"],
  ]);
});

test.each([
  [{ "upload-length": "5" }, { sizeBytes: 5, name: "" }],
  [{ "upload-length": "0" }, "request.invalid"],
  [{}, "request.invalid"],
  [{ "upload-length": "-1" }, "request.invalid"],
  [{ "upload-length": "9007199254740993" }, "request.invalid"],
  [
    { "upload-length": "1", "upload-metadata": `kind eA==, filename ${base64("ü.txt")}` },
    { sizeBytes: 1, name: "ü.txt" },
  ],
  [
    { "upload-length": "1", "upload-metadata": "filename" },
    { sizeBytes: 1, name: "" },
  ],
  [{ "upload-length": "1", "upload-metadata": "filename !" }, "request.invalid"],
  [{ "upload-length": "1", "upload-metadata": "filename /w==" }, "request.invalid"],
  [
    { "upload-length": "1", "upload-metadata": "kind !" },
    { sizeBytes: 1, name: "" },
  ],
] as readonly (readonly [Fields, unknown])[])("the new upload %j is %j", (headers, upload) => {
  expect(outcome(() => readNewUpload(new Headers(headers)))).toEqual(upload);
});

const part = { "content-type": TUS_PART_TYPE, "upload-offset": "0" };
const none = { offset: 0, length: undefined, checksum: undefined, waitMs: undefined };
const sum = { "upload-checksum": "sha1 AQI=" };
const checksum = { algorithm: "sha1", digest: Uint8Array.of(1, 2) };
test.each([
  [part, none],
  [{ ...part, "content-type": "text/plain" }, "request.unsupported"],
  [{ ...part, "content-encoding": "gzip" }, "request.unsupported"],
  [{ "content-type": TUS_PART_TYPE }, "request.invalid"],
  [
    { ...part, "content-length": "7" },
    { ...none, length: 7 },
  ],
  [{ ...part, "content-length": "x" }, "request.invalid"],
  [
    { ...part, prefer: "wait=7" },
    { ...none, waitMs: 7000 },
  ],
  [
    { ...part, prefer: "return=minimal, Wait=100000" },
    { ...none, waitMs: 60_000 },
  ],
  [{ ...part, prefer: "await=5" }, none],
  [{ ...part, prefer: "wait=x" }, none],
  [
    { ...part, ...sum },
    { ...none, checksum },
  ],
  [{ ...part, "upload-checksum": "md5 AQI=" }, "request.invalid"],
  [{ ...part, "upload-checksum": "sha1 !" }, "request.invalid"],
  [
    { ...part, "content-length": `${UPLOAD_PART_BYTES + 1}` },
    { ...none, length: UPLOAD_PART_BYTES + 1 },
  ],
  [
    { ...part, ...sum, "content-length": `${UPLOAD_PART_BYTES}` },
    { ...none, length: UPLOAD_PART_BYTES, checksum },
  ],
  [{ ...part, ...sum, "content-length": `${UPLOAD_PART_BYTES + 1}` }, "request.too-large"],
] as readonly (readonly [Fields, unknown])[])("the part %j is %j", (headers, read) => {
  expect(outcome(() => readPartHeaders(new Headers(headers)))).toEqual(read);
});

test("a checksum of either algorithm gives the SHA-256 of the bytes", () => {
  const { hash } = createBunWorld();
  const bytes = new TextEncoder().encode("a");
  const digest = (algorithm?: "sha1"): Uint8Array => Uint8Array.fromHex(hash(bytes, algorithm));
  expect(toVerifiedHash(hash, bytes, { algorithm: "sha256", digest: Uint8Array.of(1) })).toBe("01");
  expect(toVerifiedHash(hash, bytes, { algorithm: "sha1", digest: digest("sha1") })).toBe(hash(bytes));
  expect(outcome(() => toVerifiedHash(hash, bytes, { algorithm: "sha1", digest: digest() }))).toBe("upload.checksum");
});

test("responses describe the server and the state of an upload", () => {
  expect(supportHeaders(9)).toMatchObject({ "tus-max-size": "9", "tus-checksum-algorithm": "sha256,sha1" });
  const upload = { offset: 3, sizeBytes: 5, name: "ü" } as Upload;
  expect(stateHeaders(upload)).toMatchObject({
    "upload-offset": "3",
    "upload-length": "5",
    "upload-metadata": "filename w7w=",
  });
  expect(stateHeaders(upload)).not.toHaveProperty("upload-expires");
  expect(stateHeaders({ ...upload, expiresAt: 0 })["upload-expires"]).toBe("Thu, 01 Jan 1970 00:00:00 GMT");
});
