/**
 * The files of unsent messages. The shelf stores each file on this device and uploads it in the
 * background. A reload of the page continues the uploads.
 */
import { type Attachment, fromErrorBody, HearthError, isHearthError, toErrorBody } from "@hearth/protocol";
import type { Storage } from "../storage.ts";
import type { SendOptions, Uploads } from "../uploads.ts";
import type { FileStore } from "./file-store.ts";
import { createListeners } from "../listeners.ts";
import { observe } from "../observe.ts";

/** A file on this device. */
export interface WaitingFile {
  readonly key: string;
  readonly name: string;
  readonly sizeBytes: number;
}

/** An immutable state. An unchanged state is the same object as before. */
export interface FileState {
  /** Number of bytes that the house has. */
  readonly sentBytes: number;
  /** Whether the house has all bytes. */
  readonly isComplete: boolean;
  /** Why the file cannot be sent. */
  readonly error: HearthError | undefined;
}

/**
 * Contract, checked in file-shelf.test.ts:
 * - a file is on this device when `add` resolves, and leaves it only by `drop` or `done`
 * - `upload` resolves once the house has the whole file; calls for one file share an upload
 * - an upload that this page or an earlier one began continues where the house is
 */
export interface FileShelf extends Disposable {
  /** Keeps the file and begins to upload it. */
  add(name: string, content: Blob): Promise<WaitingFile>;
  /** Uploads the file. Tries again after transient failures; throws permanent ones. */
  upload(key: string): Promise<Attachment>;
  state(key: string): FileState;
  /** Returns the content for a preview, or undefined if this device no longer has the file. */
  content(key: string): Promise<Blob | undefined>;
  /** Removes the copy on this device, after a message has named the upload. */
  done(key: string): void;
  /** Removes the file from this device and from the house. */
  drop(key: string): void;
  onChange(listener: () => void): () => void;
}

export interface FileShelfOptions {
  readonly files: FileStore;
  /** Stores which upload belongs to which file. */
  readonly storage: Storage;
  readonly uploads: () => Promise<Pick<Uploads, "send" | "cancel">>;
  readonly newKey: () => string;
}

const KEY_PREFIX = "upload:";
const INITIAL_STATE: FileState = { sentBytes: 0, isComplete: false, error: undefined };

interface RunningUpload {
  readonly result: Promise<Attachment>;
  readonly controller: AbortController;
}

export const createFileShelf = ({ files, storage, uploads, newKey }: FileShelfOptions): FileShelf => {
  const listeners = createListeners();
  const states = new Map<string, FileState>();
  const runningUploads = new Map<string, RunningUpload>();

  const change = (key: string, state: Partial<FileState>): void => {
    states.set(key, { ...INITIAL_STATE, ...states.get(key), ...state });
    listeners.call();
  };

  const storeUploadId = (key: string, id: string): void => {
    try {
      storage.set(KEY_PREFIX + key, id);
    } catch {
      // The storage is full, so a reload uploads the file from its beginning.
    }
  };

  const send = async (key: string, signal: AbortSignal): Promise<Attachment> => {
    const storedFile = await files.get(key);
    if (storedFile === undefined) throw lostFileError();
    const { name, content } = storedFile;
    const options: SendOptions = {
      uploadId: storage.get(KEY_PREFIX + key),
      signal,
      onBegun: (id) => storeUploadId(key, id),
      onProgress: (sentBytes) => change(key, { sentBytes }),
    };
    const source = {
      name,
      sizeBytes: content.size,
      read: async (from: number, to: number) => new Uint8Array(await content.slice(from, to).arrayBuffer()),
    };
    return (await uploads()).send(source, options);
  };

  const upload = (key: string): Promise<Attachment> => {
    const runningUpload = runningUploads.get(key);
    if (runningUpload !== undefined) return runningUpload.result;
    const controller = new AbortController();
    change(key, { error: undefined });
    const result = send(key, controller.signal).then(
      (attachment) => {
        change(key, { isComplete: true, sentBytes: attachment.sizeBytes });
        return attachment;
      },
      (error: unknown) => {
        runningUploads.delete(key);
        const hearthError = isHearthError(error) ? error : fromErrorBody(toErrorBody(error));
        if (!controller.signal.aborted) change(key, { error: hearthError });
        throw hearthError;
      },
    );
    runningUploads.set(key, { result, controller });
    return result;
  };

  const forget = (key: string): void => {
    runningUploads.get(key)?.controller.abort();
    runningUploads.delete(key);
    states.delete(key);
    storage.remove(KEY_PREFIX + key);
    // A copy that cannot be removed only takes space on this device.
    files.remove(key).catch(() => {});
  };

  return {
    async add(name, content) {
      const key = newKey();
      await files.put(key, { name, content });
      change(key, {});
      // The error is in the file's state.
      upload(key).catch(() => {});
      return { key, name, sizeBytes: content.size };
    },
    upload,
    state: (key) => states.get(key) ?? INITIAL_STATE,
    content: async (key) => (await files.get(key))?.content,
    done: forget,
    drop(key) {
      const id = storage.get(KEY_PREFIX + key);
      forget(key);
      // If the request fails, the house removes the upload after a day.
      if (id !== undefined) observe(uploads().then((calls) => calls.cancel(id).catch(() => {})));
    },
    onChange: listeners.add,
    [Symbol.dispose]() {
      for (const { controller } of runningUploads.values()) controller.abort();
      listeners.clear();
    },
  };
};

const lostFileError = (): HearthError =>
  new HearthError("upload.not-found", "This device no longer has the file.", {
    hint: "Remove it from the message and add it again.",
  });
