/** Compares an append of an idempotent producer with the producer's last one. */
import type { Producer } from "./byte-streams.ts";

export type ProducerVerdict =
  | { readonly kind: "new" }
  /** The append was already applied. `seq` is the number of the last applied one. */
  | { readonly kind: "duplicate"; readonly seq: number }
  | { readonly kind: "fenced"; readonly epoch: number }
  | { readonly kind: "gap"; readonly expected: number; readonly received: number }
  | { readonly kind: "late-start" };

export const checkProducer = (
  lastAppend: { readonly epoch: number; readonly seq: number } | undefined,
  append: Producer,
): ProducerVerdict => {
  const { epoch, seq } = append;
  if (lastAppend !== undefined && epoch < lastAppend.epoch) return { kind: "fenced", epoch: lastAppend.epoch };
  if (lastAppend !== undefined && epoch === lastAppend.epoch) {
    if (seq <= lastAppend.seq) return { kind: "duplicate", seq: lastAppend.seq };
    return seq === lastAppend.seq + 1 ? { kind: "new" } : { kind: "gap", expected: lastAppend.seq + 1, received: seq };
  }
  if (seq === 0) return { kind: "new" };
  return lastAppend === undefined ? { kind: "gap", expected: 0, received: seq } : { kind: "late-start" };
};
