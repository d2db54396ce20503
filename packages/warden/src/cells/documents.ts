/**
 * Converts each document to text, and draws each chart, in a separate cell, which has no network,
 * no files of the house, and no data of an agent. On a machine whose cells have no walls it does
 * neither.
 */
import { type Clock, isHearthError } from "@hearth/protocol";
import { type ChartRequest, ChartResult, MAX_CHART_BYTES } from "@hearth/protocol/charts";
import { DOCUMENT_SECONDS, DocumentText, MAX_DOCUMENT_BYTES, MAX_DOCUMENT_TEXT } from "@hearth/protocol/documents";
import type { Cell } from "./backend.ts";
import type { Backends } from "./backends.ts";
import {
  drainFrames,
  exchange,
  invalidResultError,
  openDocumentCell,
  type Outcome,
  parseJson,
  type Scratch,
  type Work,
} from "./document-cell.ts";

export interface DocumentsOptions {
  readonly backends: Pick<Backends, "choose">;
  readonly clock: Clock;
  /** Creates the folders of a cell. It is absent if this house converts no documents. */
  readonly scratch?: (() => Promise<Scratch>) | undefined;
  /** Whether the programs for OCR are installed. The default is no. */
  readonly hasOcr?: (() => boolean) | undefined;
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

/** Maximum wait for the end of a process whose link is closed. */
const MAX_EXIT_WAIT_MS = 2000;
/** Maximum size of a UTF-16 code unit: three bytes, or six if JSON escapes it. */
const MAX_ESCAPED_BYTES = 6;

const READ_DOCUMENT: Work<DocumentText> = {
  label: "document",
  maxResultBytes: MAX_DOCUMENT_TEXT * MAX_ESCAPED_BYTES,
  parse: (bytes) => DocumentText.parse(parseJson(bytes)),
  doing: "Reading it took",
  process: "The process that read it",
};

const DRAW_CHART: Work<ChartResult> = {
  label: "chart",
  maxResultBytes: MAX_CHART_BYTES * MAX_ESCAPED_BYTES,
  parse: (bytes) => ChartResult.parse(parseJson(bytes)),
  doing: "Drawing the chart took",
  process: "The process that drew the chart",
};

export const createDocuments = (options: DocumentsOptions): Documents => {
  const { clock } = options;
  let lastOutcome: Promise<unknown> = Promise.resolve();

  const exchangeIn = async <Result>(
    scratch: Scratch,
    work: Work<Result>,
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<Outcome<Result>> => {
    const cell = await openDocumentCell(options.backends, scratch);
    const controller = new AbortController();
    const exit = cell.exited.then((why) => ({ why: `${work.process} ended: ${why ?? "it was closed"}.` }));
    /**
     * When a process ends, its link closes first. The reason why it ended explains more than the
     * error of the link.
     */
    const explain = async (error: unknown): Promise<Outcome<Result>> => {
      if (isHearthError(error, "cell.protocol")) throw error;
      await Promise.race([exit, clock.sleep(MAX_EXIT_WAIT_MS, controller.signal)]);
      throw invalidResultError(error);
    };
    try {
      return await Promise.race([
        exchangeAndClose(cell, work, bytes).then((result) => ({ result }), explain),
        exit,
        clock
          .sleep(DOCUMENT_SECONDS * 1000, controller.signal)
          .then(() => ({ why: `${work.doing} longer than ${DOCUMENT_SECONDS} s.` })),
      ]);
    } finally {
      controller.abort();
      await cell.close();
    }
  };

  /** Runs the work after all earlier work. */
  const enqueue = <Result>(work: Work<Result>, bytes: AsyncIterable<Uint8Array>): Promise<Outcome<Result>> => {
    const outcome = lastOutcome
      .then(async () => {
        if (options.scratch === undefined) return { why: "This house has no cells for documents and charts." };
        await using scratch = await options.scratch();
        return await exchangeIn(scratch, work, bytes);
      })
      .catch((error: unknown) => {
        if (error instanceof Error) return { why: error.message };
        throw error;
      });
    lastOutcome = outcome.catch(() => undefined);
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
      const outcome = await enqueue(DRAW_CHART, bytesOf(JSON.stringify(request)));
      return "why" in outcome ? { kind: "refused", why: outcome.why } : outcome.result;
    },
  };
};

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

const toRefusedConversion = (why: string): Conversion => ({ result: { kind: "refused", why }, isFinal: false });

const exchangeAndClose = async <Result>(
  cell: Cell,
  work: Work<Result>,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Result> => {
  const reading = drainFrames(cell.link.frames);
  const result = await exchange(cell, work, bytes);
  cell.link.close();
  await reading;
  return result;
};
