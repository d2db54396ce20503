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
  /** Takes the delayed write, for the commit that ends the activation. */
  planWrites(): Promise<readonly Write[]>;
}

/** `onWrite` receives the promise of each write that `flush` starts. */
export const createDeferredFinalWrite = (options: {
  readonly journal: Pick<Journal, "endStep" | "planStepEnd">;
  readonly lease: Lease;
  readonly activation: ActivationId;
  readonly onWrite: (write: Promise<void>) => void;
}): DeferredFinalWrite => {
  const { journal, lease, activation, onWrite } = options;
  let finalWrite: { readonly step: number; readonly output: string } | undefined;
  return {
    defer(step, output) {
      finalWrite = { step, output };
    },
    flush() {
      if (finalWrite !== undefined) onWrite(journal.endStep(lease, activation, finalWrite.step, finalWrite.output));
      finalWrite = undefined;
    },
    async planWrites() {
      if (finalWrite === undefined) return [];
      const { writes } = await journal.planStepEnd(lease, activation, finalWrite.step, finalWrite.output);
      finalWrite = undefined;
      return writes;
    },
  };
};
