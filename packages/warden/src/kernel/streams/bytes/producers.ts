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
  last: { readonly epoch: number; readonly seq: number } | undefined,
  next: Producer,
): ProducerVerdict => {
  const { epoch, seq } = next;
  if (last !== undefined && epoch < last.epoch) return { kind: "fenced", epoch: last.epoch };
  if (last !== undefined && epoch === last.epoch) {
    if (seq <= last.seq) return { kind: "duplicate", seq: last.seq };
    return seq === last.seq + 1 ? { kind: "new" } : { kind: "gap", expected: last.seq + 1, received: seq };
  }
  if (seq === 0) return { kind: "new" };
  return last === undefined ? { kind: "gap", expected: 0, received: seq } : { kind: "late-start" };
};
