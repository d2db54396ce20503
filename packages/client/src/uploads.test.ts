import { describe, expect, test } from "bun:test";
import { type Fetch, HearthError, PARTS_AT_ONCE, UPLOAD_PART_BYTES } from "@hearth/protocol";
import { until } from "@hearth/protocol/until";
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
  let refusesEarly = false;
  let earlyUntil: number | undefined;
  const allRefused = Promise.withResolvers<void>();
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
    if (refusesEarly && (earlyUntil === undefined || earlyUntil > 0)) {
      // The first part is still being stored when the next ones arrive.
      if (earlyUntil === undefined) {
        earlyUntil = PARTS_AT_ONCE - 1;
        await allRefused.promise;
        earlyUntil = 0;
      } else {
        earlyUntil -= 1;
        if (earlyUntil === 0) allRefused.resolve();
        return Response.json({ error: { code: "upload.busy", message: "busy" } }, { status: 429 });
      }
    }
    expect(Number(headers.get("upload-offset"))).toBe(taken.length);
    expect(headers.get("upload-checksum")).toStartWith("sha256 ");
    expect(headers.get("prefer")).toBe("wait=30");
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
    refuseEarly: () => void (refusesEarly = true),
  };
};

/** A house that stores a part only when the test says so. */
const createWaitingHouse = (sizeBytes: number) => {
  let stored = 0;
  const waiting: (() => void)[] = [];
  const state = (): Response =>
    Response.json({
      id: ID,
      name: "a",
      sizeBytes,
      offset: stored * UPLOAD_PART_BYTES,
      ...(stored * UPLOAD_PART_BYTES < sizeBytes
        ? {}
        : { attachment: { id: ID, name: "a", sizeBytes, type: "text/plain", hash: "0".repeat(64) } }),
    });
  const fetch: Fetch = async (_input, init) => {
    if (init?.method !== "PATCH") return state();
    const offset = Number(new Headers(init.headers).get("upload-offset"));
    await new Promise<void>((resolve) => waiting.push(resolve));
    return new Response(null, { status: 204, headers: { "upload-offset": String(offset + UPLOAD_PART_BYTES) } });
  };
  return {
    uploads: createUploads({ baseUrl: "http://house", fetch }, { sleep: async () => {} }),
    waiting,
    stored: () => stored,
    takeOne() {
      stored += 1;
      waiting.shift()?.();
    },
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

  test("is sent with several parts at a time, and never with more", async () => {
    const bytes = new Uint8Array(UPLOAD_PART_BYTES * 6);
    const house = createWaitingHouse(bytes.length);
    const progress: number[] = [];
    const source = {
      name: "a",
      sizeBytes: bytes.length,
      read: async (from: number, to: number) => bytes.slice(from, to),
    };
    const sending = house.uploads.send(source, { onProgress: (count) => void progress.push(count) });
    const most: number[] = [];
    while (house.stored() < 6) {
      await until(() => house.waiting.length === Math.min(PARTS_AT_ONCE, 6 - house.stored()));
      most.push(house.waiting.length);
      house.takeOne();
    }
    await sending;
    expect(Math.max(...most)).toBe(PARTS_AT_ONCE);
    expect(progress).toEqual([0, 1, 2, 3, 4, 5, 6].map((count) => count * UPLOAD_PART_BYTES));
  });

  test("is sent part by part after the house refused an early part, without a pause", async () => {
    const bytes = Uint8Array.from({ length: UPLOAD_PART_BYTES * 2 + 5 }, (_, index) => index & 255);
    const { pauses, uploads, source, taken, sent, refuseEarly } = setUp(bytes);
    refuseEarly();
    await uploads.send(source);
    expect(Buffer.compare(taken(), bytes)).toBe(0);
    expect([pauses, sent]).toEqual([[], [UPLOAD_PART_BYTES, UPLOAD_PART_BYTES, 5]]);
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
