/** What a turn is told of earlier turns in its room that failed or were stopped. */
import type { Label } from "@hearth/protocol";
import type { Row } from "../store/tables.ts";

/** What those turns did, and where it came from. */
export interface Unfinished {
  readonly text: string;
  readonly label: Label;
}

/** `start`: the offset after which the turn's session begins. Nothing where no such turn called a tool. */
export type FindUnfinished = (
  activation: Row<"activations">,
  start: number,
  zone: string,
) => Promise<Unfinished | undefined>;

export const UNFINISHED_NOTE =
  "the house: what your earlier turns here did before they failed or were stopped. It may have taken effect: check before you repeat it";
