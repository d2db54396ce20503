/**
 * A cell that runs the program for documents, charts and pictures: it has no network, no files of the
 * house, and no data of an agent. A machine whose cells have no walls opens none.
 */
import { type AgentId, type CellLimits, HearthError, type Wall } from "@hearth/protocol";
import type { Cell } from "./backend.ts";
import type { Backends } from "./backends.ts";

/** An empty folder that a cell sees as its brain, with an empty workspace in it. */
export interface Scratch extends AsyncDisposable {
  /** An agent id that no record has, so that the cell belongs to no agent. */
  readonly agent: AgentId;
  readonly brain: string;
  readonly workspace: string;
}

/** One kind of work of the process. Its name is the label of the stream. */
export interface Work<Result> {
  readonly label: "document" | "chart" | "picture";
  readonly maxResultBytes: number;
  /** Throws if the bytes are not a valid result. */
  readonly parse: (bytes: Uint8Array) => Result;
  /** The beginning of a sentence that "longer than 30 s" completes, such as "Reading it took". */
  readonly doing: string;
  /** The beginning of a sentence that "ended" completes, such as "The process that read it". */
  readonly process: string;
}

/** A result, or the reason why the process returned no result. */
export type Outcome<Result> = { readonly result: Result } | { readonly why: string };

const NEEDED_WALLS: readonly Wall[] = ["fs", "net", "kernel"];
const LIMITS: CellLimits = { memoryMiB: 768, processes: 64, cpus: 1, fileMiB: 1, diskMiB: 16 };

export const openDocumentCell = async (backends: Pick<Backends, "choose">, scratch: Scratch): Promise<Cell> => {
  const { backend, probe } = await backends.choose("auto");
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

/** Sends the bytes and returns the result. Throws `cell.protocol` if it is invalid. */
export const exchange = async <Result>(
  cell: Pick<Cell, "link">,
  work: Work<Result>,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Result> => {
  const stream = cell.link.openStream(work.label);
  const [pieces] = await Promise.all([collect(stream.bytes, work.maxResultBytes), send(stream, bytes)]);
  return parse(work, await new Blob(pieces as BlobPart[]).bytes());
};

const collect = async (bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array[]> => {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of bytes) {
    length += piece.length;
    if (length > maxBytes) throw invalidResultError();
    pieces.push(piece);
  }
  return pieces;
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
export const drainFrames = async (frames: AsyncIterable<unknown>): Promise<void> => {
  for await (const frame of frames) if (frame !== undefined) throw invalidResultError();
};

const parse = <Result>(work: Work<Result>, bytes: Uint8Array): Result => {
  try {
    return work.parse(bytes);
  } catch (cause) {
    throw invalidResultError(cause);
  }
};

export const invalidResultError = (cause?: unknown): HearthError =>
  new HearthError("cell.protocol", "The process that reads documents gave no valid result.", { cause });

export const parseJson = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));
