/**
 * Changes one file on request. Writes a change that the guard allows, and proposes any other change
 * to a person.
 */
import type { DurableStreams } from "../../kernel/index.ts";
import { HearthError, MAX_BRAIN_TEXT_BYTES } from "@hearth/protocol";
import type { Bodies } from "./bodies.ts";
import type { Brain, ChangeAuthor, WriteResult } from "./brain.ts";
import type { BrainTree } from "./disk.ts";
import type { GuardReview } from "./guard-review.ts";
import type { KnownFiles } from "./known-files.ts";
import { decodeText } from "./lines.ts";
import type { LiveBrain } from "./live-brain.ts";
import { checkPath } from "./path.ts";
import type { Recorder } from "./recorder.ts";

/** Maximum size in bytes of a file after an append. */
const MAX_APPENDED_BYTES = 16 * MAX_BRAIN_TEXT_BYTES;

const encoder = new TextEncoder();

export const createWriting = (options: {
  readonly streams: Pick<DurableStreams, "commit">;
  readonly tree: BrainTree;
  readonly files: KnownFiles;
  readonly bodies: Bodies;
  readonly live: LiveBrain;
  readonly recorder: Recorder;
  readonly guardReview: GuardReview;
}): Pick<Brain, "write" | "append"> => {
  const { streams, tree, files, bodies, live, recorder, guardReview } = options;

  /** Changes one file. Must run inside `live.serialize`. */
  const change = async (path: string, after: Uint8Array | undefined, by: ChangeAuthor): Promise<WriteResult> => {
    const hash = after === undefined ? null : bodies.hashOf(after);
    if (hash === (files.get(path)?.hash ?? null)) return { kind: "unchanged" };
    const edit = { path, after };
    const review = await guardReview.reviewEdit(edit, by);
    if (review !== undefined) {
      await streams.commit({ writes: review.writes });
      await guardReview.applyHalt(review);
      return { kind: "proposed", proposal: review.proposal, halts: review.halts };
    }
    const { agent, activation, label } = by;
    const isApproved = activation === undefined;
    const rows = await recorder.record({ kind: "write", by: agent, activation, label, edits: [edit], isApproved });
    const [row] = rows ?? [];
    if (row === undefined) return { kind: "unchanged" };
    return { kind: "written", change: row.change, ...(row.after === null ? {} : { hash: row.after }) };
  };

  return {
    write(path, text, by, expected) {
      return live.serialize(async () => {
        checkPath(path);
        const bytes = text === undefined ? undefined : encode(path, text);
        await live.refresh(path);
        if (expected !== undefined && expected !== files.get(path)?.hash) throw fileChangedError(path);
        return change(path, bytes, by);
      });
    },
    append(path, text, by) {
      return live.serialize(async () => {
        checkPath(path);
        const bytes = encode(path, text.endsWith("\n") ? text : `${text}\n`);
        const facts = await live.refresh(path);
        const currentFile = facts === undefined ? undefined : await tree.read(path, MAX_APPENDED_BYTES);
        const oldBytes = currentFile === undefined ? new Uint8Array() : currentFile.bytes;
        if (decodeText(oldBytes) === undefined) throw notTextError(path, "is not a text file");
        if (oldBytes.length + bytes.length > MAX_APPENDED_BYTES)
          throw tooLargeError(path, oldBytes.length + bytes.length, MAX_APPENDED_BYTES);
        return change(path, appendLine(oldBytes, bytes), by);
      });
    },
  };
};

const LINE_END = 10;

/** Puts the new text on its own line. */
const appendLine = (oldBytes: Uint8Array, addedBytes: Uint8Array): Uint8Array => {
  const lacksLineEnd = oldBytes.length > 0 && oldBytes.at(-1) !== LINE_END;
  const bytes = new Uint8Array(oldBytes.length + (lacksLineEnd ? 1 : 0) + addedBytes.length);
  bytes.set(oldBytes);
  if (lacksLineEnd) bytes[oldBytes.length] = LINE_END;
  bytes.set(addedBytes, bytes.length - addedBytes.length);
  return bytes;
};

const encode = (path: string, text: string): Uint8Array => {
  if (!text.isWellFormed()) throw notTextError(path, "would contain half a character (a lone surrogate)");
  if (text.includes("\0")) throw notTextError(path, "would contain a NUL character");
  const bytes = encoder.encode(text);
  if (bytes.length > MAX_BRAIN_TEXT_BYTES) throw tooLargeError(path, bytes.length, MAX_BRAIN_TEXT_BYTES);
  return bytes;
};

const notTextError = (path: string, why: string): HearthError =>
  new HearthError("brain.text", `${path} ${why}. Nothing was written.`, { hint: "Write text in UTF-8." });

const tooLargeError = (path: string, sizeBytes: number, maxBytes: number): HearthError =>
  new HearthError(
    "brain.too-large",
    `${path} would have ${sizeBytes} bytes; the limit is ${maxBytes} bytes. Nothing was written.`,
    {
      hint: "Write the rest of the text into another file.",
    },
  );

const fileChangedError = (path: string): HearthError =>
  new HearthError("brain.changed", `${path} has changed since you read it. Nothing was written.`, {
    hint: "Read its current content, then write again.",
  });
