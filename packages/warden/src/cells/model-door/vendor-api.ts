/**
 * The interface of a vendor's API, which covers the differences between the two that programs can
 * use. It does not depend on an agent and makes no calls.
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
  /** An id of letters and digits. */
  readonly id: string;
  /** The model as `provider/model`. */
  readonly model: string;
  /** The time in UTC milliseconds. */
  readonly at: number;
}

export type Ending = Extract<ModelEvent, { readonly type: "end" }>;

/**
 * Writes one answer as server-sent events. The caller calls either `whole`, or the other methods in
 * sequence.
 */
export interface Writer {
  whole(ending: Ending): object;
  start(): string;
  text(piece: string): string;
  end(ending: Ending): string;
  /** Writes a failure instead of the end of the answer. */
  failure(error: ErrorBody, status: number): string;
  /** Writes a sign of life during a silence. */
  silence(): string;
}

export interface VendorApi {
  /** Reads a request. Throws `request.invalid` with a message for the program's author. */
  read(body: unknown): ProgramRequest;
  failure(error: ErrorBody, status: number): object;
}

/** The limit for a program that sets none. */
export const DEFAULT_OUTPUT_TOKENS = 8192;

/** Formats one server-sent event. JSON contains no line end. */
export const toEvent = (data: object, name?: string): string =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
