/** The operations of the fault families, and the padding of large bodies. */
import type { Loss } from "./blob-faults.ts";

/** Longer than the 16 KiB that a row can hold. */
export const PADDING = "over sixteen KiB ".repeat(1100);

export interface SecretChange {
  readonly how: "set" | "rotate" | "remove";
  readonly name: string;
  readonly value: string;
}

export interface UploadOperation {
  readonly at: number;
  readonly do: "upload";
  /** Distinguishes its content and its message. */
  readonly nth: number;
  readonly sizeBytes: number;
  /** Sizes of its parts. The last one takes the rest. */
  readonly parts: readonly number[];
  readonly room: "main" | "group";
  /** `leave`: nothing names it. `half`: its last part is never sent. `delete`: its message is deleted. */
  readonly then: "post" | "leave" | "half" | "cancel" | "delete";
  /** Its content is a voice note. */
  readonly isVoice?: true;
}

export type FamilyOperation = UploadOperation | PlainFamilyOperation;

export type PlainFamilyOperation = { readonly at: number } & (
  | { readonly do: "lose-blob"; readonly nth: number; readonly how: Loss }
  | { readonly do: "cut-cell"; readonly daemon: number }
  | { readonly do: "set-own-clock"; readonly daemon: number; readonly ms: number }
  | ({ readonly do: "change-secret" } & SecretChange)
  | { readonly do: "change-vault-key" }
  | { readonly do: "remember"; readonly agent: "main" | "aide"; readonly fact: string }
  | { readonly do: "forget"; readonly agent: "main" | "aide"; readonly fact: string }
  | { readonly do: "recall"; readonly agent: "main" | "aide"; readonly query: string }
  | { readonly do: "fail-memory"; readonly how: "dies" | "hangs"; readonly ms: number }
  | { readonly do: "age-inputs" }
  | { readonly do: "copy-disk" }
);
