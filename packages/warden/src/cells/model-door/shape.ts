/** How a vendor's API asks and is answered: what differs between the two that programs speak here. Knows no agent and calls nobody. */
import type { ErrorBody, ModelEvent, ModelRequest } from "@hearth/protocol";

/** What a program asked for. Which model it named is no matter. */
export interface ProgramRequest {
  readonly request: Omit<ModelRequest, "model">;
  /** Piece by piece, as it comes. */
  readonly streams: boolean;
  /** Another way to write each answer. */
  readonly createWriter: (heading: Heading) => Writer;
}

/** What stands above an answer. */
export interface Heading {
  /** Letters and digits. */
  readonly id: string;
  /** `provider/model`. */
  readonly model: string;
  /** UTC milliseconds. */
  readonly at: number;
}

export type Ending = Extract<ModelEvent, { readonly type: "end" }>;

/** One answer: either `whole`, or what all others give one after the other, as server-sent events. */
export interface Writer {
  whole(ending: Ending): object;
  start(): string;
  text(piece: string): string;
  end(ending: Ending): string;
  /** In the place of an end. */
  failure(error: ErrorBody, status: number): string;
  /** Nothing came for a while: whoever reads knows that somebody is there. */
  silence(): string;
}

export interface Shape {
  /** Throws `request.invalid` with words for whoever wrote the program. */
  read(body: unknown): ProgramRequest;
  failure(error: ErrorBody, status: number): object;
}

/** Where a program says nothing of it. */
export const DEFAULT_OUTPUT_TOKENS = 8192;

/** One server-sent event. JSON has no line end in it. */
export const toEvent = (data: object, name?: string): string =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
