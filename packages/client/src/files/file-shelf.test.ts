import { describe, expect, test } from "bun:test";
import { type Attachment, HearthError } from "@hearth/protocol";
import { createMemoryStorage } from "../storage.ts";
import type { SendOptions, UploadSource } from "../uploads.ts";
import { createFileShelf } from "./file-shelf.ts";
import { fileStoreConformance } from "./file-store.conformance.ts";
import { createMemoryFileStore } from "./file-store.ts";

fileStoreConformance("memory", createMemoryFileStore);

const ID = `upl_${"0".repeat(26)}`;

const setUp = () => {
  const [files, storage] = [createMemoryFileStore(), createMemoryStorage()];
  const sends: { readonly source: UploadSource; readonly options: SendOptions }[] = [];
  const cancelled: string[] = [];
  let result = Promise.withResolvers<void>();
  let keys = 0;
  const uploads = async () => ({
    async send(source: UploadSource, options: SendOptions = {}): Promise<Attachment> {
      sends.push({ source, options });
      options.onBegun?.(ID as never);
      options.onProgress?.(1);
      const aborted = Promise.withResolvers<never>();
      options.signal?.addEventListener("abort", () => aborted.reject(new HearthError("house.unreachable", "aborted")));
      await Promise.race([result.promise, aborted.promise]);
      const { name, sizeBytes } = source;
      return { id: ID as never, name, sizeBytes, type: "text/plain", hash: "0".repeat(64) };
    },
    cancel: async (id: string) => void cancelled.push(id),
  });
  const open = () => createFileShelf({ files, storage, uploads, newKey: () => `file-${(keys += 1)}` });
  return {
    files,
    storage,
    sends,
    cancelled,
    open,
    shelf: open(),
    finish: () => result.resolve(),
    fail: (error: HearthError) => {
      result.reject(error);
      result = Promise.withResolvers();
    },
  };
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a file of a message", () => {
  test("is kept on the device, uploaded at once, and gone from it once a message names it", async () => {
    const { shelf, files, storage, sends, finish } = setUp();
    const { key, ...about } = await shelf.add("a.txt", new Blob(["hello"]));
    expect(about).toEqual({ name: "a.txt", sizeBytes: 5 });
    await turn();
    expect(shelf.state(key)).toMatchObject({ sentBytes: 1, isComplete: false });
    expect(new TextDecoder().decode(await sends[0]?.source.read(1, 3))).toBe("el");
    finish();
    expect(await shelf.upload(key)).toMatchObject({ id: ID, name: "a.txt" });
    expect([sends.length, shelf.state(key).isComplete]).toEqual([1, true]);
    expect(await (await shelf.content(key))?.text()).toBe("hello");
    shelf.done(key);
    expect([await files.get(key), storage.names()]).toEqual([undefined, []]);
  });

  test("continues after a reload with the upload that the earlier page began", async () => {
    const { shelf, sends, open, finish } = setUp();
    const { key } = await shelf.add("a.txt", new Blob(["hello"]));
    await turn();
    shelf[Symbol.dispose]();
    const later = open();
    finish();
    await later.upload(key);
    expect(sends.map(({ options }) => options.uploadId)).toEqual([undefined, ID]);
  });

  test("shows why it cannot be sent, and is sent again on request", async () => {
    const { shelf, sends, fail, finish } = setUp();
    const { key } = await shelf.add("a.txt", new Blob(["hello"]));
    await turn();
    const error = new HearthError("upload.quota", "full");
    fail(error);
    await turn();
    expect(shelf.state(key).error).toBe(error);
    finish();
    await shelf.upload(key);
    expect([shelf.state(key).error, sends.length]).toEqual([undefined, 2]);
  });

  test("that is dropped is removed from the device and from the house", async () => {
    const { shelf, files, cancelled, sends } = setUp();
    const { key } = await shelf.add("a.txt", new Blob(["hello"]));
    await turn();
    shelf.drop(key);
    await turn();
    expect([await files.get(key), cancelled, sends[0]?.options.signal?.aborted]).toEqual([undefined, [ID], true]);
    await expect(shelf.upload(key)).rejects.toMatchObject({ code: "upload.not-found" });
  });
});
