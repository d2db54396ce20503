/**
 * Converts each document to text in a separate cell: without network, files of the house, or anything
 * else of an agent. On a machine whose cells have no walls it converts nothing.
 */
import { type AgentId, type CellLimits, type Clock, HearthError, isHearthError, type Wall } from "@hearth/protocol";
import { DOCUMENT_SECONDS, DocumentText, MAX_DOCUMENT_BYTES, MAX_DOCUMENT_TEXT } from "@hearth/protocol/documents";
import type { Cell } from "./backend.ts";
import type { Backends } from "./backends.ts";

/** An empty folder that a cell sees as its brain, and the empty workspace in it. */
export interface Scratch extends AsyncDisposable {
  /** It owns nothing, and no record has this id. */
  readonly agent: AgentId;
  readonly brain: string;
  readonly workspace: string;
}

export interface DocumentsOptions {
  readonly backends: Pick<Backends, "choose">;
  readonly clock: Clock;
  /** Absent: this house converts no documents. */
  readonly scratch?: (() => Promise<Scratch>) | undefined;
  /** Longest conversion. */
  readonly seconds?: number;
}

/** `isFinal`: the same bytes always give this result. */
export interface Conversion {
  readonly result: DocumentText;
  readonly isFinal: boolean;
}

export interface Documents {
  /** Never throws for a document: a refusal has a sentence that says why. One conversion runs at a time. */
  convert(bytes: AsyncIterable<Uint8Array>, sizeBytes: number): Promise<Conversion>;
}

const NEEDED: readonly Wall[] = ["fs", "net", "kernel"];
const LIMITS: CellLimits = { memoryMiB: 768, processes: 64, cpus: 1, fileMiB: 1, diskMiB: 16 };
/** Longest wait for the end of a process whose link is closed. */
const ENDING_MS = 2000;
/** A UTF-16 code unit has at most three bytes, or six when JSON escapes it. */
const MAX_RESULT_BYTES = MAX_DOCUMENT_TEXT * 6;

export const createDocuments = (options: DocumentsOptions): Documents => {
  const { clock, seconds = DOCUMENT_SECONDS } = options;
  let last: Promise<unknown> = Promise.resolve();

  const open = async (scratch: Scratch): Promise<Cell> => {
    const { backend, probe } = await options.backends.choose("auto");
    if (!NEEDED.every((wall) => probe.walls.has(wall)))
      throw new HearthError("cell.unavailable", "This machine cannot isolate the programs that read documents.", {
        hint: "Run: hearth doctor",
      });
    const { agent, brain, workspace } = scratch;
    return backend.open({
      agent,
      audience: "private",
      brain,
      workspace,
      hidden: [],
      limits: LIMITS,
      program: "document",
    });
  };

  const convert = async (bytes: AsyncIterable<Uint8Array>): Promise<Conversion> => {
    if (options.scratch === undefined) return refused("This house reads no documents.");
    await using scratch = await options.scratch();
    const cell = await open(scratch);
    const over = new AbortController();
    const gone = cell.gone.then((why) => refused(`The process that read it ended: ${why ?? "it was closed"}.`));
    /** The link of a process that ends closes first; the reason of its end says more. */
    const explain = async (error: unknown): Promise<Conversion> => {
      if (isHearthError(error, "cell.protocol")) throw error;
      await Promise.race([gone, clock.sleep(ENDING_MS, over.signal)]);
      throw broken(error);
    };
    try {
      return await Promise.race([
        exchange(cell, bytes).then((result) => ({ result, isFinal: true }), explain),
        gone,
        clock.sleep(seconds * 1000, over.signal).then(() => refused(`Reading it took longer than ${seconds} s.`)),
      ]);
    } finally {
      over.abort();
      await cell.close();
    }
  };

  return {
    convert(bytes, sizeBytes) {
      if (sizeBytes > MAX_DOCUMENT_BYTES)
        return Promise.resolve({ ...refused(`It has more than ${MAX_DOCUMENT_BYTES >> 20} MiB.`), isFinal: true });
      const work = last
        .then(() => convert(bytes))
        .catch((error: unknown) => {
          if (error instanceof Error) return refused(error.message);
          throw error;
        });
      last = work.catch(() => undefined);
      return work;
    },
  };
};

const refused = (why: string): Conversion => ({ result: { kind: "refused", why }, isFinal: false });

/** Sends the document and returns the result. Throws `cell.protocol` if it is invalid. */
const exchange = async (cell: Cell, bytes: AsyncIterable<Uint8Array>): Promise<DocumentText> => {
  const stream = cell.link.openStream("document");
  const reading = drain(cell.link.frames);
  const sending = send(stream, bytes);
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stream.bytes) {
    length += piece.length;
    if (length > MAX_RESULT_BYTES) throw broken();
    pieces.push(piece);
  }
  await sending;
  cell.link.close();
  await reading;
  return parse(await new Blob(pieces as BlobPart[]).text());
};

const send = async (
  stream: { write(bytes: Uint8Array): Promise<void>; end(): void },
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> => {
  for await (const piece of bytes) await stream.write(piece);
  stream.end();
};

/** The link moves the bytes of streams while its frames are read. The process sends none. */
const drain = async (frames: AsyncIterable<unknown>): Promise<void> => {
  for await (const frame of frames) if (frame !== undefined) throw broken();
};

const parse = (text: string): DocumentText => {
  try {
    return DocumentText.parse(JSON.parse(text));
  } catch (cause) {
    throw broken(cause);
  }
};

const broken = (cause?: unknown): HearthError =>
  new HearthError("cell.protocol", "The process that reads documents gave no valid result.", { cause });
