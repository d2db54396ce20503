/** Asks a person at the terminal. `clack-asker.ts` uses a prompt library; tests use a fake. */

export interface Option<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
}

export interface TextQuestion {
  readonly message: string;
  /** The initial text of the field, which the person can edit. */
  readonly initial?: string;
  /** A dim text that is shown while the field is empty. */
  readonly example?: string;
  /** Returns why a text is invalid. Not called for an empty text, which skips the question. */
  readonly check?: (text: string) => string | undefined;
}

/**
 * Asks questions. Every question rejects with `UsageError` when the person presses Ctrl-C or
 * Escape. Answers have no space at their start and end.
 */
export interface Asker {
  /** Asks for a text. Resolves with undefined if the person left the field empty. */
  text(question: TextQuestion): Promise<string | undefined>;
  /** Asks for a text as `text` does, but shows a mark for each character. */
  secret(message: string): Promise<string | undefined>;
  choose<Value extends string>(message: string, options: readonly Option<Value>[], initial?: Value): Promise<Value>;
  /** Shows a spinner until the work has ended. */
  wait<Result>(message: string, work: Promise<Result>): Promise<Result>;
  section(title: string, detail?: string): void;
  done(text: string): void;
  failed(text: string): void;
}
