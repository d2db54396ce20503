/** Asks a person at the terminal. `clack-asker.ts` uses a prompt library; tests use a fake. */

export interface Option<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
}

export interface TextQuestion {
  readonly message: string;
  /** Text in the field, which the person can edit. */
  readonly initial?: string;
  /** Shown dim while the field is empty. */
  readonly example?: string;
  /** Returns why a text is refused. Not called for an empty text, which skips the question. */
  readonly check?: (text: string) => string | undefined;
}

/**
 * Every question rejects with `UsageError` when the person presses Ctrl-C or Escape. Answers have
 * no space around them.
 */
export interface Asker {
  /** Undefined: the person left the field empty. */
  text(question: TextQuestion): Promise<string | undefined>;
  /** As `text`, but shows one mark for each character. */
  secret(message: string): Promise<string | undefined>;
  choose<Value extends string>(message: string, options: readonly Option<Value>[], initial?: Value): Promise<Value>;
  /** Shows a moving mark until the work has ended. */
  wait<Result>(message: string, work: Promise<Result>): Promise<Result>;
  section(title: string, detail?: string): void;
  done(text: string): void;
  failed(text: string): void;
}
