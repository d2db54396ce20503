/**
 * The interface of a vendor's API: the differences between the two that programs can use. Knows no
 * agent and makes no calls.
 */
import type { ErrorBody, ModelEvent, ModelRequest } from "@hearth/protocol";

/** A program's request. The model that it names is ignored. */
export interface ProgramRequest {
  readonly request: Omit<ModelRequest, "model">;
  /** Whether to stream the answer. */
  readonly streams: boolean;
  /** Creates a writer for one answer. */
  readonly createWriter: (heading: Heading) => Writer;
}

/** The metadata of an answer. */
export interface Heading {
  /** Letters and digits. */
  readonly id: string;
  /** `provider/model`. */
  readonly model: string;
  /** UTC milliseconds. */
  readonly at: number;
}

export type Ending = Extract<ModelEvent, { readonly type: "end" }>;

/**
 * Writes one answer: either with `whole`, or with the other methods in sequence, as server-sent
 * events.
 */
export interface Writer {
  whole(ending: Ending): object;
  start(): string;
  text(piece: string): string;
  end(ending: Ending): string;
  /** Instead of an end. */
  failure(error: ErrorBody, status: number): string;
  /** A sign of life during a silence. */
  silence(): string;
}

export interface Shape {
  /** Throws `request.invalid` with a message for the program's author. */
  read(body: unknown): ProgramRequest;
  failure(error: ErrorBody, status: number): object;
}

/** When a program sets no limit. */
export const DEFAULT_OUTPUT_TOKENS = 8192;

/** One server-sent event. JSON contains no line end. */
export const toEvent = (data: object, name?: string): string =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
