/**
 * Converts each document to text, and draws each chart, in a separate cell, which has no network,
 * no files of the house, and no data of an agent. On a machine whose cells have no walls it does
 * neither.
 */
import { type AgentId, type CellLimits, type Clock, HearthError, isHearthError, type Wall } from "@hearth/protocol";
import { type ChartRequest, ChartResult, MAX_CHART_BYTES } from "@hearth/protocol/charts";
import { DOCUMENT_SECONDS, DocumentText, MAX_DOCUMENT_BYTES, MAX_DOCUMENT_TEXT } from "@hearth/protocol/documents";
import type { Cell } from "./backend.ts";
import type { Backends } from "./backends.ts";

/** An empty folder that a cell sees as its brain, with an empty workspace in it. */
export interface Scratch extends AsyncDisposable {
  /** An agent id that no record has, so that the cell belongs to no agent. */
  readonly agent: AgentId;
  readonly brain: string;
  readonly workspace: string;
}

export interface DocumentsOptions {
  readonly backends: Pick<Backends, "choose">;
  readonly clock: Clock;
  /** Creates the folders of a cell. Absent if this house converts no documents. */
  readonly scratch?: (() => Promise<Scratch>) | undefined;
  /** Whether the programs for OCR are installed. Absent: no. */
  readonly hasOcr?: (() => boolean) | undefined;
  /** Maximum duration of one conversion. */
  readonly seconds?: number;
}

/** The result of a conversion. `isFinal` means that the same bytes always give this result. */
export interface Conversion {
  readonly result: DocumentText;
  readonly isFinal: boolean;
}

export interface Documents {
  /**
   * Converts a document. Never throws for a document: a refusal has a sentence with the reason.
   * One conversion runs at a time.
   */
  convert(bytes: AsyncIterable<Uint8Array>, sizeBytes: number): Promise<Conversion>;
  /** Whether pages that are pictures can be read. */
  hasOcr(): Promise<boolean>;
  /** Draws a chart. Never throws for a chart: a refusal has a sentence with the reason. */
  draw(request: ChartRequest): Promise<ChartResult>;
}

/** One kind of work of the process. Its name is the label of the stream. */
interface Work<Result> {
  readonly label: "document" | "chart";
  readonly maxResultBytes: number;
  readonly parse: (value: unknown) => Result;
  /** The beginning of a sentence that "longer than 30 s" completes, such as "Reading it took". */
  readonly doing: string;
  /** The beginning of a sentence that "ended" completes, such as "The process that read it". */
  readonly process: string;
}

/** A result, or the reason why the process returned no result. */
type Outcome<Result> = { readonly result: Result } | { readonly why: string };

const NEEDED_WALLS: readonly Wall[] = ["fs", "net", "kernel"];
const LIMITS: CellLimits = { memoryMiB: 768, processes: 64, cpus: 1, fileMiB: 1, diskMiB: 16 };
/** Maximum wait for the end of a process whose link is closed. */
const MAX_EXIT_WAIT_MS = 2000;
/** Maximum size of a UTF-16 code unit: three bytes, or six if JSON escapes it. */
const MAX_ESCAPED_BYTES = 6;

const READ_DOCUMENT: Work<DocumentText> = {
  label: "document",
  maxResultBytes: MAX_DOCUMENT_TEXT * MAX_ESCAPED_BYTES,
  parse: (value) => DocumentText.parse(value),
  doing: "Reading it took",
  process: "The process that read it",
};

const DRAW_CHART: Work<ChartResult> = {
  label: "chart",
  maxResultBytes: MAX_CHART_BYTES * MAX_ESCAPED_BYTES,
  parse: (value) => ChartResult.parse(value),
  doing: "Drawing the chart took",
  process: "The process that drew the chart",
};

export const createDocuments = (options: DocumentsOptions): Documents => {
  const { clock, seconds = DOCUMENT_SECONDS } = options;
  let last: Promise<unknown> = Promise.resolve();

  const open = async (scratch: Scratch): Promise<Cell> => {
    const { backend, probe } = await options.backends.choose("auto");
    if (!NEEDED_WALLS.every((wall) => probe.walls.has(wall)))
      throw new HearthError(
        "cell.unavailable",
        "This machine cannot isolate the programs that read documents and draw charts.",
        {
          hint: "Run: hearth doctor",
        },
      );
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

  const exchangeIn = async <Result>(
    scratch: Scratch,
    work: Work<Result>,
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<Outcome<Result>> => {
    const cell = await open(scratch);
    const over = new AbortController();
    const gone = cell.exited.then((why) => ({ why: `${work.process} ended: ${why ?? "it was closed"}.` }));
    /**
     * When a process ends, its link closes first. The reason of its end says more than the
     * error of the link.
     */
    const explain = async (error: unknown): Promise<Outcome<Result>> => {
      if (isHearthError(error, "cell.protocol")) throw error;
      await Promise.race([gone, clock.sleep(MAX_EXIT_WAIT_MS, over.signal)]);
      throw invalidResultError(error);
    };
    try {
      return await Promise.race([
        exchange(cell, work, bytes).then((result) => ({ result }), explain),
        gone,
        clock.sleep(seconds * 1000, over.signal).then(() => ({ why: `${work.doing} longer than ${seconds} s.` })),
      ]);
    } finally {
      over.abort();
      await cell.close();
    }
  };

  /** Runs the work after all earlier work. */
  const enqueue = <Result>(work: Work<Result>, bytes: AsyncIterable<Uint8Array>): Promise<Outcome<Result>> => {
    const outcome = last
      .then(async () => {
        if (options.scratch === undefined) return { why: "This house has no cells for documents and charts." };
        await using scratch = await options.scratch();
        return await exchangeIn(scratch, work, bytes);
      })
      .catch((error: unknown) => {
        if (error instanceof Error) return { why: error.message };
        throw error;
      });
    last = outcome.catch(() => undefined);
    return outcome;
  };

  return {
    async convert(bytes, sizeBytes) {
      if (sizeBytes > MAX_DOCUMENT_BYTES)
        return { ...toRefusedConversion(`It has more than ${MAX_DOCUMENT_BYTES >> 20} MiB.`), isFinal: true };
      const outcome = await enqueue(READ_DOCUMENT, bytes);
      return "why" in outcome ? toRefusedConversion(outcome.why) : { result: outcome.result, isFinal: true };
    },
    hasOcr: async () => options.hasOcr?.() === true,
    async draw(request) {
      const outcome = await enqueue(DRAW_CHART, piecesOf(JSON.stringify(request)));
      return "why" in outcome ? { kind: "refused", why: outcome.why } : outcome.result;
    },
  };
};

async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

const toRefusedConversion = (why: string): Conversion => ({ result: { kind: "refused", why }, isFinal: false });

/** Sends the bytes and returns the result. Throws `cell.protocol` if it is invalid. */
const exchange = async <Result>(cell: Cell, work: Work<Result>, bytes: AsyncIterable<Uint8Array>): Promise<Result> => {
  const stream = cell.link.openStream(work.label);
  const reading = drain(cell.link.frames);
  const sending = send(stream, bytes);
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stream.bytes) {
    length += piece.length;
    if (length > work.maxResultBytes) throw invalidResultError();
    pieces.push(piece);
  }
  await sending;
  cell.link.close();
  await reading;
  return parse(work, await new Blob(pieces as BlobPart[]).text());
};

const send = async (
  stream: { write(bytes: Uint8Array): Promise<void>; end(): void },
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> => {
  for await (const piece of bytes) await stream.write(piece);
  stream.end();
};

/**
 * Reads the frames of the link, which moves the bytes of the streams. The process sends no frames.
 */
const drain = async (frames: AsyncIterable<unknown>): Promise<void> => {
  for await (const frame of frames) if (frame !== undefined) throw invalidResultError();
};

const parse = <Result>(work: Work<Result>, text: string): Result => {
  try {
    return work.parse(JSON.parse(text));
  } catch (cause) {
    throw invalidResultError(cause);
  }
};

const invalidResultError = (cause?: unknown): HearthError =>
  new HearthError("cell.protocol", "The process that reads documents gave no valid result.", { cause });
