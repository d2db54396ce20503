import { describe, expect, test } from "bun:test";
import {
  type Attachment,
  PARTS_AT_ONCE,
  type StoredMessage,
  TUS_PART_TYPE,
  type Upload,
  UPLOAD_PART_BYTES,
} from "@hearth/protocol";
import { until } from "@hearth/protocol/until";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse } from "../fakes/fake-house.ts";
import { readRange } from "../uploads/download-answer.ts";

const { hash } = createBunWorld();
const encoder = new TextEncoder();
const BYTES = encoder.encode("the bytes of a file");
const TUS = { "tus-resumable": "1.0.0" };
const base64 = (text: string | Uint8Array): string =>
  (typeof text === "string" ? encoder.encode(text) : text).toBase64();
const sha256 = (bytes: Uint8Array): string => `sha256 ${Uint8Array.fromHex(hash(bytes)).toBase64()}`;

const setUp = async () => {
  const world = createFakeWorld({ hash });
  const house = await createFakeHouse(world);
  const codeOf = async (response: Response): Promise<unknown> => (await response.json()).error?.code;
  const begin = (sizeBytes: number, name = "a.txt", headers: Record<string, string> = {}) =>
    house.call("/api/uploads", {
      method: "POST",
      headers: {
        ...TUS,
        "upload-length": String(sizeBytes),
        "upload-metadata": `filename ${base64(name)}`,
        ...headers,
      },
    });
  const patch = (id: string, offset: number, body: RequestInit["body"], headers: Record<string, string> = {}) =>
    house.call(`/api/uploads/${id}`, {
      method: "PATCH",
      headers: { ...TUS, "content-type": TUS_PART_TYPE, "upload-offset": String(offset), ...headers },
      body: body ?? null,
    });
  const head = async (id: string) => {
    const { headers } = await house.call(`/api/uploads/${id}`, { method: "HEAD", headers: TUS });
    return Number(headers.get("upload-offset") ?? NaN);
  };
  const put = async (bytes = BYTES, name = "a.txt"): Promise<Upload> => {
    const { id } = await (await begin(bytes.length, name)).json();
    await patch(id, 0, bytes.slice());
    return (await house.call(`/api/uploads/${id}`)).json();
  };
  const post = async (attachments: readonly string[], more: object = {}, key = house.key) => {
    const body = JSON.stringify({ text: "look", attachments, ...more });
    const headers = { authorization: `Bearer ${key}` };
    const response = await house.call("/api/rooms/hall/messages", { method: "POST", body, headers });
    return { status: response.status, body: (await response.json()) as StoredMessage & { error?: { code: string } } };
  };
  const get = (id: string, headers: Record<string, string> = {}, room = "hall") =>
    house.call(`/api/rooms/${room}/attachments/${id}`, { headers });
  return { world, house, codeOf, begin, patch, head, put, post, get };
};

describe("an upload", () => {
  test("follows tus 1.0: creation, parts, offset, termination", async () => {
    const { house, begin, patch, head, codeOf } = await setUp();
    const begun = await begin(BYTES.length, "тест.txt");
    expect([begun.status, begun.headers.get("tus-resumable")]).toEqual([201, "1.0.0"]);
    const place = begun.headers.get("location") ?? "";
    const id = place.split("/").at(-1) ?? "";
    expect(place).toBe(`/api/uploads/${id}`);
    const first = await patch(id, 0, BYTES.slice(0, 5));
    expect([first.status, first.headers.get("upload-offset"), await first.text()]).toEqual([204, "5", ""]);
    const state = await house.call(place, { method: "HEAD", headers: TUS });
    expect(state.headers.get("upload-length")).toBe(String(BYTES.length));
    expect(state.headers.get("upload-metadata")).toBe(`filename ${base64("тест.txt")}`);
    expect(state.headers.get("cache-control")).toBe("no-store");
    expect(Date.parse(state.headers.get("upload-expires") ?? "")).toBeGreaterThan(0);
    expect(await codeOf(await patch(id, 4, BYTES.slice(4)))).toBe("upload.offset");
    expect(await head(id)).toBe(5);
    expect((await patch(id, 5, BYTES.slice(5))).headers.get("upload-offset")).toBe(String(BYTES.length));
    expect((await house.call(place, { method: "DELETE", headers: TUS })).status).toBe(204);
    expect(await codeOf(await house.call(place))).toBe("upload.not-found");
  });

  test("says what the server supports", async () => {
    const { house } = await setUp();
    const { status, headers } = await house.call("/api/uploads", { method: "OPTIONS" });
    expect(status).toBe(204);
    expect(headers.get("tus-version")).toBe("1.0.0");
    expect(headers.get("tus-extension")).toBe("creation,checksum,expiration,termination");
    expect(headers.get("tus-checksum-algorithm")).toBe("sha256,sha1");
    expect(headers.get("tus-max-size")).toBe("10000000");
  });

  test("a part with a checksum is stored as a whole or not at all", async () => {
    const { begin, patch, head, codeOf } = await setUp();
    const { id } = await (await begin(BYTES.length)).json();
    const wrong = await patch(id, 0, BYTES.slice(0, 5), { "upload-checksum": sha256(BYTES) });
    expect([wrong.status, await codeOf(wrong), await head(id)]).toEqual([460, "upload.checksum", 0]);
    await patch(id, 0, BYTES.slice(0, 5), { "upload-checksum": sha256(BYTES.slice(0, 5)) });
    const sha1 = new Uint8Array(await crypto.subtle.digest("SHA-1", BYTES.slice(5)));
    const bad = await patch(id, 5, BYTES.slice(5, 9), { "upload-checksum": `sha1 ${base64(sha1)}` });
    expect([await codeOf(bad), await head(id)]).toEqual(["upload.checksum", 5]);
    await patch(id, 5, BYTES.slice(5), { "upload-checksum": `sha1 ${base64(sha1)}` });
    expect(await head(id)).toBe(BYTES.length);
  });

  test("what arrived before a cut is kept, and with a checksum nothing of it", async () => {
    const { begin, patch, head, codeOf } = await setUp();
    const { id } = await (await begin(BYTES.length)).json();
    const cut = (from: number, to: number) =>
      new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(BYTES.slice(from, to)),
        pull: (controller) => controller.error(new Error("the connection was closed")),
      });
    expect(await codeOf(await patch(id, 0, cut(0, 3), { "upload-checksum": sha256(BYTES) }))).toBe("request.invalid");
    expect(await head(id)).toBe(0);
    expect(await codeOf(await patch(id, 0, cut(0, 7)))).toBe("request.invalid");
    expect(await head(id)).toBe(7);
  });

  test("a body that stops arriving is ended, and what arrived is kept", async () => {
    const { world, begin, patch, head, codeOf } = await setUp();
    const { id } = await (await begin(BYTES.length)).json();
    const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(BYTES.slice(0, 4)) });
    const answer = patch(id, 0, body);
    await world.clock.turn();
    await world.advance(61_000);
    expect(await codeOf(await answer)).toBe("request.timeout");
    expect(await head(id)).toBe(4);
  });

  test.each<[string, Record<string, string>, string]>([
    ["another version", { "tus-resumable": "0.2.2" }, "upload.version"],
    ["no size", { "upload-length": "" }, "request.invalid"],
    ["a negative size", { "upload-length": "-1" }, "request.invalid"],
    ["an empty file", { "upload-length": "0" }, "request.invalid"],
    ["a name that is not base64", { "upload-metadata": "filename a*b" }, "request.invalid"],
    ["a file over the limit", { "upload-length": "10000001" }, "upload.too-large"],
  ])("begins not with %s", async (_what, headers, code) => {
    const { begin, codeOf } = await setUp();
    expect(await codeOf(await begin(1, "a", headers))).toBe(code);
  });

  test.each<[string, Record<string, string>, string]>([
    ["another type", { "content-type": "text/plain" }, "request.unsupported"],
    ["a compressed body", { "content-encoding": "gzip" }, "request.unsupported"],
    ["no offset", { "upload-offset": "x" }, "request.invalid"],
    ["an unknown checksum", { "upload-checksum": "md5 AAAA" }, "request.invalid"],
    ["a checksum that is not base64", { "upload-checksum": "sha256 *" }, "request.invalid"],
    ["more bytes than it takes", {}, "request.too-large"],
  ])("takes no part with %s", async (_what, headers, code) => {
    const { begin, patch, head, codeOf } = await setUp();
    const { id } = await (await begin(2)).json();
    expect(await codeOf(await patch(id, 0, BYTES.slice(0, 3), headers))).toBe(code);
    expect(await head(id)).toBe(code === "request.too-large" ? 2 : 0);
  });

  test("a body of many parts is stored part by part", async () => {
    const { begin, patch, house, head } = await setUp();
    const bytes = new Uint8Array(UPLOAD_PART_BYTES + 5).fill(7);
    const { id } = await (await begin(bytes.length)).json();
    await patch(id, 0, bytes);
    expect(await head(id)).toBe(bytes.length);
    const parts = await house.store.select({ table: "upload_parts", order: [{ column: "start" }] });
    expect(parts.map(({ size }) => size)).toEqual([UPLOAD_PART_BYTES, 5]);
  });

  test("a part that arrives before the previous one waits for it if the request prefers to wait", async () => {
    const { begin, patch, house, head } = await setUp();
    const { id } = await (await begin(BYTES.length)).json();
    const prefer = { prefer: "wait=30" };
    const answers = await Promise.all([
      patch(id, 9, BYTES.slice(9), { ...prefer, "upload-checksum": sha256(BYTES.slice(9)) }),
      patch(id, 5, BYTES.slice(5, 9), prefer),
      patch(id, 0, BYTES.slice(0, 5)),
    ]);
    expect(answers.map(({ status, headers }) => [status, headers.get("upload-offset")])).toEqual([
      [204, String(BYTES.length)],
      [204, "9"],
      [204, "5"],
    ]);
    expect(await head(id)).toBe(BYTES.length);
    const { attachment } = await (await house.call(`/api/uploads/${id}`)).json();
    expect(attachment).toMatchObject({ hash: hash(BYTES) });
  });

  test("a part that is too far ahead is refused at once, and one whose previous part does not come after its time", async () => {
    const { world, begin, patch, head, codeOf } = await setUp();
    const far = (PARTS_AT_ONCE - 1) * UPLOAD_PART_BYTES + 1;
    const { id } = await (await begin(far + BYTES.length)).json();
    const prefer = { prefer: "wait=5" };
    expect(await codeOf(await patch(id, far, BYTES, prefer))).toBe("upload.offset");
    const answers: Response[] = [];
    const early = patch(id, 3, BYTES, prefer).then((answer) => void answers.push(answer));
    await until(async () => {
      await world.advance(1000);
      return answers.length > 0;
    });
    await early;
    expect([await Promise.all(answers.map(codeOf)), await head(id)]).toEqual([["upload.offset"], 0]);
  });

  test("early parts leave places for other uploads", async () => {
    const { begin, patch, codeOf } = await setUp();
    const prefer = { prefer: "wait=30" };
    const uploads = await Promise.all(
      Array.from({ length: 9 }, async () => (await (await begin(BYTES.length)).json()).id as string),
    );
    const [last = "", ...others] = uploads;
    const early = others.map((id) => patch(id, 5, BYTES.slice(5), prefer));
    await until(async () => (await codeOf(await patch(last, 5, BYTES.slice(5), prefer))) === "upload.busy");
    expect((await patch(last, 0, BYTES.slice())).status).toBe(204);
    for (const id of others) expect((await patch(id, 0, BYTES.slice(0, 5))).status).toBe(204);
    expect((await Promise.all(early)).map(({ status }) => status)).toEqual(others.map(() => 204));
  });

  test("needs write permission somewhere, and belongs to its owner", async () => {
    const { house, begin, codeOf } = await setUp();
    const { id } = await (await begin(3)).json();
    const headers = { authorization: `Bearer ${house.botKey}` };
    expect(await codeOf(await house.call(`/api/uploads/${id}`, { headers }))).toBe("upload.not-found");
    const { key } = await (
      await house.call("/api/keys", {
        method: "POST",
        body: JSON.stringify({ name: "reader", agent: house.owner.id, scope: { level: "r", on: [house.room.id] } }),
      })
    ).json();
    expect(await codeOf(await begin(3, "a", { authorization: `Bearer ${key}` }))).toBe("auth.denied");
  });
});

describe("a message with attachments", () => {
  test("carries them, and readers of the room download them", async () => {
    const { put, post, get } = await setUp();
    const upload = await put(BYTES, "notes.txt");
    expect(upload).toMatchObject({ offset: BYTES.length, expiresAt: expect.any(Number) });
    const { status, body } = await post([upload.id]);
    expect(status).toBe(201);
    const attachment: Attachment = {
      id: upload.id,
      name: "notes.txt",
      type: "text/plain",
      sizeBytes: BYTES.length,
      hash: hash(BYTES),
    };
    expect(body.attachments).toEqual([attachment]);
    const download = await get(upload.id);
    expect([download.status, await download.text()]).toEqual([200, "the bytes of a file"]);
    expect(Object.fromEntries(download.headers)).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": "attachment; filename*=UTF-8''notes.txt",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringMatching(/default-src 'none'.*sandbox/),
      "accept-ranges": "bytes",
    });
  });

  test("may have no text, but not neither", async () => {
    const { put, post, house } = await setUp();
    const { id } = await put();
    expect((await post([id], { text: "" })).body.body.text).toBe("");
    const neither = await house.call("/api/rooms/hall/messages", { method: "POST", body: '{"text":""}' });
    expect(neither.status).toBe(400);
    expect((await post([id, id])).body.error?.code).toBe("request.invalid");
    expect((await post([])).body.error?.code).toBe("request.invalid");
  });

  test("with the same key is the same message, and adds no attachment to it", async () => {
    const { put, post, get, house } = await setUp();
    const [firstUpload, secondUpload] = [await put(BYTES.slice(0, 4)), await put(BYTES.slice(0, 6))];
    const first = await post([firstUpload.id], { idempotencyKey: "k" });
    const again = await post([secondUpload.id], { idempotencyKey: "k" });
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect((await get(secondUpload.id)).status).toBe(404);
    expect(await house.store.select({ table: "attachments" })).toHaveLength(1);
  });

  test("is refused for half uploads, for those of others, and for unknown ones", async () => {
    const { begin, put, post, house } = await setUp();
    const { id: half } = await (await begin(5)).json();
    expect((await post([half])).body.error?.code).toBe("upload.incomplete");
    const { id } = await put();
    expect((await post([id], {}, house.botKey)).body.error?.code).toBe("upload.not-found");
    expect((await post([`upl_${"0".repeat(26)}`])).body.error?.code).toBe("upload.not-found");
    expect((await post([half.replace("upl", "evt")])).body.error?.code).toBe("request.invalid");
  });

  test("loses them when it is deleted, also for those who know their ids", async () => {
    const { world, put, post, get, house, codeOf } = await setUp();
    const { id } = await put();
    const { body } = await post([id]);
    expect((await get(id)).status).toBe(200);
    await house.call(`/api/rooms/hall/messages/${body.id}`, { method: "DELETE" });
    expect(await codeOf(await get(id))).toBe("attachment.not-found");
    await world.advance(24 * 60 * 60 * 1000);
    expect(await house.options.people.uploads.sweep()).toEqual([hash(BYTES)]);
  });

  test("lists them for readers of the room, newest first, and no longer after it is deleted", async () => {
    const { house, world, put, post } = await setUp();
    const list = async (more = "", room = "hall") => (await house.call(`/api/rooms/${room}/attachments${more}`)).json();
    const first = await put();
    await post([first.id]);
    await world.advance(1000);
    const second = await put(encoder.encode("another file"), "b.txt");
    const { body } = await post([second.id]);
    const { files, isComplete } = await list();
    expect([files.map(({ name }: Attachment) => name), isComplete]).toEqual([["b.txt", "a.txt"], true]);
    expect(files[0]).toMatchObject({
      id: second.id,
      by: body.author,
      at: body.at,
      message: body.id,
      offset: body.offset,
    });
    expect((await list(`?by=${body.author}`)).files.length).toBe(2);
    expect((await list(`?by=agent_${"0".repeat(26)}`)).files).toEqual([]);
    expect((await list("", "elsewhere")).error.code).toBe("record.not-found");
    await house.call(`/api/rooms/hall/messages/${body.id}`, { method: "DELETE" });
    expect((await list()).files.map(({ name }: Attachment) => name)).toEqual(["a.txt"]);
  });

  test("answers why it has no small version of a file", async () => {
    const { put, post, get, codeOf } = await setUp();
    const { id } = await put();
    await post([id]);
    expect(await codeOf(await get(`${id}/picture`))).toBe("attachment.no-picture");
    expect(await codeOf(await get(`upl_${"0".repeat(26)}/picture`))).toBe("attachment.not-found");
  });

  test("is readable only in its room", async () => {
    const { put, post, get, house, codeOf } = await setUp();
    const content = { name: "Elsewhere" };
    await house.call("/api/rooms", { method: "POST", body: JSON.stringify({ content }) });
    const { id } = await put();
    await post([id]);
    expect(await codeOf(await get(id, {}, "elsewhere"))).toBe("attachment.not-found");
    expect(await codeOf(await get(id, {}, "nowhere"))).toBe("record.not-found");
    expect((await get(id, { authorization: "" })).status).toBe(401);
  });

  test("is read in ranges and revalidated", async () => {
    const { put, post, get, house } = await setUp();
    const { id } = await put();
    await post([id]);
    const range = async (text: string, more = {}) => {
      const response = await get(id, { range: text, ...more });
      return [response.status, response.headers.get("content-range"), await response.text()];
    };
    expect(await range("bytes=4-8")).toEqual([206, "bytes 4-8/19", "bytes"]);
    expect(await range("bytes=-4")).toEqual([206, "bytes 15-18/19", "file"]);
    expect((await range("bytes=19-")).slice(0, 2)).toEqual([416, "bytes */19"]);
    expect((await range("bytes=0-3", { "if-range": '"other"' }))[0]).toBe(200);
    expect((await get(id, { "if-none-match": `"${hash(BYTES)}"` })).status).toBe(304);
    const head = await house.call(`/api/rooms/hall/attachments/${id}`, { method: "HEAD" });
    expect([head.headers.get("content-length"), await head.text()]).toEqual(["19", ""]);
  });

  test("is never a page: markup is plain text, and its name cannot leave the header", async () => {
    const { put, post, get } = await setUp();
    const { id } = await put(encoder.encode("<script>alert(1)</script>"), "a\"\r\nx: y;'(1).html");
    await post([id]);
    const { headers } = await get(id);
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''a%22x%3A%20y%3B%27%281%29.html");
    expect(headers.get("x")).toBeNull();
  });
});

test.each<[string | null, ReturnType<typeof readRange>]>([
  [null, undefined],
  ["bytes=0-", { from: 0, to: 10 }],
  ["bytes=3-3", { from: 3, to: 4 }],
  ["bytes=3-99", { from: 3, to: 10 }],
  ["bytes=-99", { from: 0, to: 10 }],
  ["bytes=-0", "unsatisfiable"],
  ["bytes=10-", "unsatisfiable"],
  ["bytes=5-4", undefined],
  ["bytes=1-2,4-5", undefined],
  ["items=0-1", undefined],
  ["bytes=-", undefined],
])("the range %p of ten bytes", (text, expected) => {
  expect(readRange(text, 10)).toEqual(expected);
});
