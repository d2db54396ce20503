/**
 * People upload files and send them with messages while daemons die. The checks: an acknowledged
 * byte is never lost, a half upload is never visible and never named, and the attachment of a
 * message can be read byte for byte until the message is deleted.
 */
import { hash } from "@hearth/warden/memory-warden";
import type { UploadOperation } from "./family-operations.ts";
import type { House, RawAnswer } from "./house.ts";
import { drawNote, NOTE_NAME } from "./voice-notes.ts";

interface Known {
  readonly id: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The greatest offset that the house acknowledged. */
  acked: number;
  /** Every request that added bytes had a response, so further bytes arrive only with a further request. */
  isCertain: boolean;
  /** The room of its message. */
  room?: string;
  /**
   * `unsure`: its message may be deleted, because the request had no response. `lost`: the blob of
   * a part was lost before the upload was complete.
   */
  state: "open" | "complete" | "named" | "unsure" | "gone" | "lost";
}

const PART = "application/offset+octet-stream";

export const createUploadRunner = (options: {
  readonly house: House;
  /** Sends a request to some daemon. Undefined: there was no response. */
  readonly sendOnce: (
    method: string,
    path: string,
    headers: object,
    bytes?: Uint8Array<ArrayBuffer>,
  ) => Promise<RawAnswer | undefined>;
  readonly later: (ms: number) => Promise<void>;
  readonly post: (room: "main" | "group", text: string, key: string, attachments: readonly string[]) => Promise<void>;
  readonly pathOf: (room: "main" | "group") => string;
  /** Deletes the message with this key. Returns whether the house confirmed it. */
  readonly deleteMessage: (key: string) => Promise<boolean>;
}) => {
  const { house, sendOnce, later, post, pathOf, deleteMessage } = options;
  const { complain, disk } = house;
  const all: Known[] = [];

  const isDamaged = async ({ id }: Known): Promise<boolean> =>
    (await disk.store.select({ table: "upload_parts", where: { upload: id } })).some(({ blob }) =>
      disk.blobs.everLost.has(blob),
    );

  /**
   * Repeats a request until it has a response other than a failure of the house. A failure is the
   * response if the blob of a part was lost.
   */
  const insist = async (upload: Known | undefined, ...request: Parameters<typeof sendOnce>): Promise<RawAnswer> => {
    for (;;) {
      const answer = await sendOnce(...request);
      if (answer !== undefined && (answer.status < 500 || (upload !== undefined && (await isDamaged(upload)))))
        return answer;
      await later(200);
    }
  };

  /** The offset that the house reports, which is never behind one that it acknowledged. */
  const offsetOf = async (upload: Known): Promise<number> => {
    const { status, headers } = await insist(upload, "HEAD", `/api/uploads/${upload.id}`, {});
    if (status >= 500) {
      upload.state = "lost";
      return upload.bytes.length;
    }
    const offset = Number(headers.get("upload-offset"));
    if (status !== 200 || offset < upload.acked)
      complain("uploads", `${upload.id} is at ${status} ${offset}, although byte ${upload.acked} was acknowledged`);
    return offset;
  };

  const begin = async ({ nth, sizeBytes, isVoice }: UploadOperation): Promise<Known> => {
    const name = isVoice === true ? NOTE_NAME : `file${nth}.txt`;
    const headers = { "upload-length": String(sizeBytes), "upload-metadata": `filename ${btoa(name)}` };
    const answer = await insist(undefined, "POST", "/api/uploads", headers);
    const id = (answer.headers.get("location") ?? "").split("/").at(-1) ?? "";
    const bytes =
      isVoice === true
        ? drawNote(nth)
        : Uint8Array.from({ length: sizeBytes }, (_, index) => 97 + ((index * 7 + nth) % 26));
    const upload: Known = { id, bytes, acked: 0, isCertain: true, state: "open" };
    all.push(upload);
    return upload;
  };

  /** Checks that an incomplete upload is not an attachment, and that no message can name it. */
  const checkHidden = async (upload: Known, room: "main" | "group"): Promise<void> => {
    const { id, isCertain, state } = upload;
    if (!isCertain || state === "lost") return;
    const read = await insist(upload, "GET", `${pathOf(room)}/attachments/${id}`, {});
    if (read.status !== 404) complain("uploads", `the half upload ${id} can be read: ${read.status}`);
    const message = new TextEncoder().encode(JSON.stringify({ text: "m0", attachments: [id] }));
    const named = await insist(
      upload,
      "POST",
      `${pathOf(room)}/messages`,
      { "content-type": "application/json" },
      message,
    );
    if (named.status !== 409) complain("uploads", `a message names the half upload ${id}: ${named.status}`);
  };

  const send = async (upload: Known, { parts, room, then }: UploadOperation): Promise<boolean> => {
    const sizes = [...parts];
    const end = then === "half" ? upload.bytes.length - 1 : upload.bytes.length;
    for (let offset = await offsetOf(upload); offset < end;) {
      const to = Math.min(offset + (sizes.shift() ?? end), end);
      const headers = { "content-type": PART, "upload-offset": String(offset) };
      const answer = await sendOnce("PATCH", `/api/uploads/${upload.id}`, headers, upload.bytes.slice(offset, to));
      if (answer?.status === 204) upload.acked = Math.max(upload.acked, Number(answer.headers.get("upload-offset")));
      else await later(100);
      // A request without a response may still be carried out.
      upload.isCertain &&= answer !== undefined;
      offset = await offsetOf(upload);
      if (offset < upload.bytes.length && sizes.length % 2 === 0) await checkHidden(upload, room);
    }
    return end === upload.bytes.length;
  };

  const perform = async (operation: UploadOperation): Promise<void> => {
    const { nth, room, then, isVoice } = operation;
    const upload = await begin(operation);
    if (!(await send(upload, operation))) return checkHidden(upload, room);
    if (upload.state === "lost") return;
    upload.state = "complete";
    if (then === "cancel") {
      await insist(upload, "DELETE", `/api/uploads/${upload.id}`, {});
      upload.state = "gone";
    }
    if (then !== "post" && then !== "delete") return;
    const key = `upload-${nth}`;
    // Both agents read a note at once, and both need its transcript.
    await post(room, `${isVoice === true ? "@main @aide " : ""}m${1000 + nth}`, key, [upload.id]);
    Object.assign(upload, { room: pathOf(room), state: "named" });
    await readBack(upload);
    if (then === "delete") upload.state = (await deleteMessage(key)) ? "gone" : "unsure";
  };

  const readBack = async (upload: Known): Promise<void> => {
    if (await isDamaged(upload)) return;
    const path = `${upload.room}/attachments/${upload.id}`;
    const { status, headers, bytes } = await insist(upload, "GET", path, {});
    if (await isDamaged(upload)) return;
    if (upload.state === "gone") {
      if (status !== 404)
        complain("uploads", `the attachment ${upload.id} of a deleted message can be read: ${status}`);
      return;
    }
    if (upload.state === "unsure" && status === 404) return;
    if (status !== 200 || hash(bytes) !== hash(upload.bytes) || headers.get("etag") !== `"${hash(upload.bytes)}"`)
      complain(
        "uploads",
        `the attachment ${upload.id} is ${status} with ${bytes.length} of ${upload.bytes.length} bytes`,
      );
    const middle = Math.floor(upload.bytes.length / 2);
    const rest = await insist(upload, "GET", path, { range: `bytes=${middle}-` });
    if (await isDamaged(upload)) return;
    if (hash(rest.bytes) !== hash(upload.bytes.subarray(middle)))
      complain("uploads", `the second half of the attachment ${upload.id} is wrong: ${rest.status}`);
  };

  return {
    perform,

    /** Faults have ended and a daemon is open. */
    async check(): Promise<void> {
      for (const upload of all) {
        if (upload.room !== undefined) await readBack(upload);
        else if (upload.state !== "gone" && upload.state !== "lost") await offsetOf(upload);
      }
      const quotas = await disk.store.select({ table: "upload_quotas" });
      const uploads = await disk.store.select({ table: "uploads" });
      for (const { holder, ...quota } of quotas) {
        const held = uploads.filter(({ owner, house: of }) => owner === holder || of === holder);
        const taken = held.reduce((sum, { size }) => sum + size, 0);
        const open = held.filter(({ state }) => state === "open").length;
        if (quota.bytes !== taken || quota.open !== open)
          complain(
            "uploads",
            `${holder} has ${quota.bytes} bytes and ${quota.open} open uploads of ${taken} and ${open}`,
          );
      }
    },
  };
};

/** Every blob that an upload names exists, and nothing is left of uploads that are gone. */
export const checkUploadBlobs = async ({ disk: { store, blobs }, complain }: House): Promise<void> => {
  const uploads = new Set((await store.select({ table: "uploads" })).map(({ id }) => id));
  for (const { upload, start, blob } of await store.select({ table: "upload_parts" })) {
    if (!uploads.has(upload)) complain("retention", `the part ${start} of ${upload} outlived its upload`);
    if (!blobs.names().includes(blob)) complain("retention", `the blob of part ${start} of ${upload} is missing`);
  }
  for (const { upload } of await store.select({ table: "attachments" }))
    if (!uploads.has(upload)) complain("retention", `the named upload ${upload} was deleted`);
};

/** No upload that nothing names is older than a day. */
export const checkAbandoned = async ({ disk: { store }, complain }: House): Promise<void> => {
  for (const { id, state } of await store.select({ table: "uploads" }))
    if (state !== "named") complain("retention", `the ${state} upload ${id} was not deleted after two days`);
};
