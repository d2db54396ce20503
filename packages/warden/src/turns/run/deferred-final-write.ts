/**
 * Delays the journal write of a model message until the next frame of the inmate. If that frame
 * ends the activation, one commit stores the message and the end.
 */
import type { Journal, Lease, Write } from "../../kernel/index.ts";
import type { ActivationId } from "@hearth/protocol";

export interface DeferredFinalWrite {
  defer(step: number, output: string): void;
  /**
   * Writes the delayed message to the journal, if there is one. The caller does not wait, because
   * commits are stored in the order of their calls.
   */
  flush(): void;
  /** Returns the writes of the delayed message, if there is one, and forgets the message. */
  planWrites(): Promise<readonly Write[]>;
}

export const createDeferredFinalWrite = (options: {
  readonly journal: Pick<Journal, "endStep" | "planStepEnd">;
  readonly lease: Lease;
  readonly activation: ActivationId;
  /** Receives the promise of each write that `flush` starts. */
  readonly onWrite: (write: Promise<void>) => void;
}): DeferredFinalWrite => {
  const { journal, lease, activation, onWrite } = options;
  let delayed: { readonly step: number; readonly output: string } | undefined;
  return {
    defer(step, output) {
      delayed = { step, output };
    },
    flush() {
      if (delayed !== undefined) onWrite(journal.endStep(lease, activation, delayed.step, delayed.output));
      delayed = undefined;
    },
    async planWrites() {
      if (delayed === undefined) return [];
      const { writes } = await journal.planStepEnd(lease, activation, delayed.step, delayed.output);
      delayed = undefined;
      return writes;
    },
  };
};
