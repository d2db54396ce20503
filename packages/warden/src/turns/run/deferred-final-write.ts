/** What the model said last, until it is known what the inmate makes of it: both are kept by one sync of the disk. */
import type { Journal, Lease, Write } from "../../kernel/index.ts";
import type { ActivationId } from "@hearth/protocol";

export interface DeferredFinalWrite {
  said(step: number, output: string): void;
  /** It is a step like others, and kept. Not awaited: whatever the inmate asks for after it is committed after it, in order. */
  keep(): void;
  /** What keeps it, for the commit that ends the activation. */
  plan(): Promise<readonly Write[]>;
}

/** `settle` is given the write of each that is kept by itself. */
export const createDeferredFinalWrite = (options: {
  readonly journal: Pick<Journal, "done" | "planDone">;
  readonly lease: Lease;
  readonly activation: ActivationId;
  readonly settle: (write: Promise<void>) => void;
}): DeferredFinalWrite => {
  const { journal, lease, activation, settle } = options;
  let word: { readonly step: number; readonly output: string } | undefined;
  return {
    said(step, output) {
      word = { step, output };
    },
    keep() {
      if (word !== undefined) settle(journal.done(lease, activation, word.step, word.output));
      word = undefined;
    },
    async plan() {
      if (word === undefined) return [];
      const { writes } = await journal.planDone(lease, activation, word.step, word.output);
      word = undefined;
      return writes;
    },
  };
};
