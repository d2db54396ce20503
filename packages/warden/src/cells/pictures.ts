/**
 * Scales pictures down in cells. One process serves the pictures of one room, so that a hostile picture
 * cannot read or change those of another one. The process ends when no picture waits.
 */
import type { Clock } from "@hearth/protocol";
import {
  MAX_PICTURE_BYTES,
  MAX_SCALED_BYTES,
  PICTURE_SECONDS,
  type PictureLimits,
  readScaledPicture,
  type ScaledPicture,
} from "@hearth/protocol/picture-sizes";
import type { Cell } from "./backend.ts";
import type { Backends } from "./backends.ts";
import { drainFrames, exchange, openDocumentCell, type Scratch, type Work } from "./document-cell.ts";

export interface PictureSource {
  /** Pictures with the same scope may share a process. */
  readonly scope: string;
  readonly sizeBytes: number;
  /** Called when no earlier picture waits. */
  read(): AsyncIterable<Uint8Array>;
}

/** `isFinal` means that the same bytes always give this result. */
export type Scaling = { readonly result: ScaledPicture; readonly isFinal: boolean };

export interface Pictures {
  /**
   * Scales a picture down. Never throws for a picture: a refusal has a sentence with the reason. Scales
   * one picture at a time.
   */
  scale(source: PictureSource, limits: PictureLimits): Promise<Scaling>;
}

export interface PicturesOptions {
  readonly backends: Pick<Backends, "choose">;
  readonly clock: Clock;
  /** Creates the folders of a cell. It is absent if this house scales no pictures. */
  readonly scratch?: (() => Promise<Scratch>) | undefined;
}

/** Maximum number of pictures that wait. */
const MAX_WAITING = 1000;
/** Maximum number of pictures of one process while pictures of other rooms wait. */
const MAX_IN_A_ROW = 50;

const SCALE: Work<ScaledPicture> = {
  label: "picture",
  maxResultBytes: MAX_SCALED_BYTES + 4096,
  parse: readScaledPicture,
  doing: "Decoding it took",
  process: "The process that decoded it",
};

interface WaitingPicture {
  readonly source: PictureSource;
  readonly limits: PictureLimits;
  readonly resolve: (scaling: Scaling) => void;
}

export const createPictures = ({ backends, clock, scratch }: PicturesOptions): Pictures => {
  const waitingPictures: WaitingPicture[] = [];
  let isRunning = false;

  /** Takes the oldest picture of this room. */
  const takeOldest = (scope: string): WaitingPicture | undefined => {
    const index = waitingPictures.findIndex(({ source }) => source.scope === scope);
    return index < 0 ? undefined : waitingPictures.splice(index, 1)[0];
  };

  /** Serves pictures of one room until none waits, or the process ended. */
  const serveScope = async (firstPicture: WaitingPicture): Promise<void> => {
    const { scope } = firstPicture.source;
    let picture: WaitingPicture | undefined = firstPicture;
    try {
      if (scratch === undefined) throw new Error("This house has no cells for pictures.");
      await using folder = await scratch();
      const cell = await openDocumentCell(backends, folder);
      try {
        const ended = untilEnded(cell);
        for (let count = 1; picture !== undefined; count += 1) {
          const outcome: ScaledPicture | "ended" = await scaleIn(cell, ended, picture);
          picture.resolve(
            outcome === "ended"
              ? { result: { kind: "refused", why: ENDED }, isFinal: true }
              : { result: outcome, isFinal: true },
          );
          picture = undefined;
          if (outcome === "ended") return;
          const isFair = count < MAX_IN_A_ROW || waitingPictures.every(({ source }) => source.scope === scope);
          if (isFair) picture = takeOldest(scope);
        }
      } finally {
        await cell.close();
      }
    } catch (error) {
      // The machine could not run the cell, or the picture could not be read.
      const why = error instanceof Error ? error.message : "The picture could not be read.";
      picture?.resolve({ result: { kind: "refused", why }, isFinal: false });
    }
  };

  const scaleIn = async (cell: Cell, ended: Promise<"ended">, { source, limits }: WaitingPicture) => {
    const abort = new AbortController();
    let isUnreadable = false;
    const read = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
      yield new TextEncoder().encode(`${JSON.stringify(limits)}\n`);
      try {
        yield* source.read();
      } catch (error) {
        isUnreadable = true;
        throw error;
      }
    };
    try {
      return await Promise.race([
        exchange(cell, SCALE, read()).catch(async (error: unknown) => {
          if (isUnreadable) throw error;
          // When a process ends, its link closes first.
          const timeout = clock.sleep(MAX_EXIT_WAIT_MS, abort.signal).then(() => "late" as const);
          if ((await Promise.race([ended, timeout])) === "ended") return "ended" as const;
          throw error;
        }),
        ended,
        clock.sleep(PICTURE_SECONDS * 1000, abort.signal).then(() => "ended" as const),
      ]);
    } finally {
      abort.abort();
    }
  };

  const run = async (): Promise<void> => {
    isRunning = true;
    try {
      for (let picture = waitingPictures.shift(); picture !== undefined; picture = waitingPictures.shift())
        await serveScope(picture);
    } finally {
      isRunning = false;
    }
  };

  return {
    async scale(source, limits) {
      if (source.sizeBytes > MAX_PICTURE_BYTES)
        return refusal(`It has more than ${MAX_PICTURE_BYTES >> 20} MiB.`, true);
      if (waitingPictures.length >= MAX_WAITING) return refusal("Too many pictures wait to be scaled down.", false);
      const { promise, resolve } = Promise.withResolvers<Scaling>();
      waitingPictures.push({ source, limits, resolve });
      if (!isRunning) run().catch(() => undefined);
      return promise;
    },
  };
};

/** Maximum wait for the end of a process whose link is closed. */
const MAX_EXIT_WAIT_MS = 2000;

const ENDED = `Decoding it took more than ${PICTURE_SECONDS} s, or more memory than a cell has.`;

const refusal = (why: string, isFinal: boolean): Scaling => ({ result: { kind: "refused", why }, isFinal });

/** Resolves when the process or its link has ended. */
const untilEnded = (cell: Cell): Promise<"ended"> =>
  Promise.race([cell.exited, drainFrames(cell.link.frames).catch(() => undefined)]).then(() => "ended" as const);
