import { describe, expect, test } from "bun:test";
import { type Fetch, HearthError, UPLOAD_PART_BYTES } from "@hearth/protocol";
import { createUploads, type UploadSource } from "./uploads.ts";

const sha256 = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

const ID = `upl_${"0".repeat(26)}`;
const NEW = `upl_${"1".repeat(26)}`;

/** A house that takes parts, and fails as the test says. */
const setUp = (bytes: Uint8Array<ArrayBuffer>) => {
  const pauses: number[] = [];
  let id: string | undefined;
  let begun = 0;
  let taken = new Uint8Array();
  const sent: number[] = [];
  /** Called with each part. Returns how many of its bytes the house keeps before the failure. */
  let cut: ((length: number) => number | undefined) | undefined;
  const state = (): Response =>
    Response.json({
      id,
      name: "a.txt",
      sizeBytes: bytes.length,
      offset: taken.length,
      ...(taken.length < bytes.length
        ? {}
        : { attachment: { id, name: "a.txt", sizeBytes: bytes.length, type: "text/plain", hash: "0".repeat(64) } }),
    });
  const fetch: Fetch = async (input, init) => {
    const { method, url } = new Request(input, init);
    const headers = new Headers(init?.headers);
    if (method === "POST") {
      begun += 1;
      id = begun === 1 ? ID : NEW;
      taken = new Uint8Array();
      return state();
    }
    if (id === undefined || !url.endsWith(id))
      return Response.json({ error: { code: "upload.not-found", message: "no" } }, { status: 404 });
    if (method === "GET") return state();
    const part = init?.body as Uint8Array;
    expect(Number(headers.get("upload-offset"))).toBe(taken.length);
    expect(headers.get("upload-checksum")).toStartWith("sha256 ");
    sent.push(part.length);
    const kept = cut?.(part.length);
    taken = new Uint8Array(Buffer.concat([taken, part.subarray(0, kept ?? part.length)]));
    if (kept !== undefined) throw new TypeError("the connection was closed");
    return new Response(null, { status: 204, headers: { "upload-offset": String(taken.length) } });
  };
  const uploads = createUploads(
    { baseUrl: "http://house", fetch },
    { sleep: async (ms) => void pauses.push(ms), sha256 },
  );
  const source: UploadSource = {
    name: "a.txt",
    sizeBytes: bytes.length,
    read: async (from, to) => bytes.slice(from, to),
  };
  return {
    pauses,
    uploads,
    source,
    sent,
    taken: () => taken,
    begun: () => begun,
    lose: () => void (id = undefined),
    cutAt: (next: typeof cut) => void (cut = next),
  };
};

describe("an upload", () => {
  test("is sent in parts, with its progress", async () => {
    const bytes = new Uint8Array(UPLOAD_PART_BYTES + 3).fill(1);
    const { uploads, source, sent } = setUp(bytes);
    const progress: number[] = [];
    const attachment = await uploads.send(source, { onProgress: (count) => void progress.push(count) });
    expect(attachment.id as string).toBe(ID);
    expect(sent).toEqual([UPLOAD_PART_BYTES, 3]);
    expect(progress).toEqual([0, UPLOAD_PART_BYTES, UPLOAD_PART_BYTES + 3]);
  });

  test("continues after a cut where the house is, and never sends a stored byte again", async () => {
    const bytes = Uint8Array.from({ length: 100 }, (_, index) => index);
    const { pauses, uploads, source, sent, taken, cutAt } = setUp(bytes);
    let cuts = 0;
    cutAt((length) => {
      cuts += 1;
      return cuts <= 3 ? Math.floor(length / 2) : undefined;
    });
    await uploads.send(source);
    expect(taken()).toEqual(bytes);
    expect(pauses).toEqual([250, 500, 1000]);
    expect(sent).toEqual([100, 50, 25, 13]);
  });

  test("continues an earlier one, and begins again if the house no longer has it", async () => {
    const bytes = Uint8Array.from({ length: 10 }, (_, index) => index);
    const { uploads, source, sent, begun, cutAt, lose, taken } = setUp(bytes);
    const left = new AbortController();
    cutAt(() => {
      left.abort();
      return 4;
    });
    await expect(uploads.send(source, { signal: left.signal })).rejects.toMatchObject({ code: "house.unreachable" });
    cutAt(undefined);
    await uploads.send(source, { uploadId: ID });
    expect([sent.at(-1), begun()]).toEqual([6, 1]);
    lose();
    const ids: string[] = [];
    await uploads.send(source, { uploadId: ID, onBegun: (id) => void ids.push(id) });
    expect([begun(), ids, taken()]).toEqual([2, [NEW], bytes]);
  });

  test("ends at once with a permanent failure", async () => {
    const error = { code: "upload.too-large", message: "too large", hint: "less" };
    const fetch: Fetch = async () => Response.json({ error }, { status: 413 });
    const uploads = createUploads({ baseUrl: "http://house", fetch }, { sleep: async () => {}, sha256 });
    const source = { name: "x", sizeBytes: 1, read: async () => new Uint8Array(1) };
    await expect(uploads.send(source)).rejects.toEqual(
      new HearthError("upload.too-large", "too large", { hint: "less" }),
    );
  });
});
