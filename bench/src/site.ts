/** Where benches work: the checkout, a voice for progress, and a list of everything that must be gone afterwards. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Site extends AsyncDisposable {
  /** The root of the checkout. */
  readonly root: string;
  /** Tells the person at the terminal what goes on. */
  say(text: string): void;
  /** Remembers how to end something. What it returns ends it, once, however often it is called. */
  own(end: () => Promise<void>): () => Promise<void>;
  readonly isClosed: () => boolean;
}

export const createSite = (options: { readonly root: string; readonly say: (text: string) => void }): Site => {
  const ends = new Set<() => Promise<void>>();
  let closed = false;
  return {
    root: options.root,
    say: options.say,
    isClosed: () => closed,
    own(end) {
      if (closed) {
        void end();
        throw new Error("The benches are being ended.");
      }
      let ending: Promise<void> | undefined;
      const once = (): Promise<void> => {
        ending ??= end().finally(() => ends.delete(once));
        return ending;
      };
      ends.add(once);
      return once;
    },
    /** Ends what was begun last first: processes before the folders they live in. */
    async [Symbol.asyncDispose]() {
      closed = true;
      for (const end of [...ends].toReversed()) await end();
    },
  };
};

export interface Folder extends AsyncDisposable {
  readonly path: string;
}

/** An empty folder of its own, gone when it is disposed. */
export const temporaryFolder = async (site: Site): Promise<Folder> => {
  const path = await mkdtemp(join(tmpdir(), "hearth-bench-"));
  const end = site.own(() => rm(path, { recursive: true, force: true, maxRetries: 3 }));
  return { path, [Symbol.asyncDispose]: end };
};
