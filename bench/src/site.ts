/**
 * The environment of benches: the checkout, progress output, and cleanup of everything they start.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Site extends AsyncDisposable {
  /** The root of the checkout. */
  readonly root: string;
  /** Shows progress to the user. */
  say(text: string): void;
  /** Registers a cleanup. The returned function runs it at most once. */
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
        throw new Error("The benches are being stopped.");
      }
      let ending: Promise<void> | undefined;
      const once = (): Promise<void> => {
        ending ??= end().finally(() => ends.delete(once));
        return ending;
      };
      ends.add(once);
      return once;
    },
    /** Cleans up in reverse order: processes before their folders. */
    async [Symbol.asyncDispose]() {
      closed = true;
      for (const end of [...ends].toReversed()) await end();
    },
  };
};

export interface Folder extends AsyncDisposable {
  readonly path: string;
}

/** Creates an empty folder, which is removed on disposal. */
export const temporaryFolder = async (site: Site): Promise<Folder> => {
  const path = await mkdtemp(join(tmpdir(), "hearth-bench-"));
  const end = site.own(() => rm(path, { recursive: true, force: true, maxRetries: 3 }));
  return { path, [Symbol.asyncDispose]: end };
};
