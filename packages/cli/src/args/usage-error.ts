/** An error in the command line. The process exits with `exitCodes.usage`. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

/** Returns a suggestion such as ` Did you mean "agent"?`. Without a name, returns an empty text. */
export const didYouMean = (name: string | undefined): string => (name === undefined ? "" : ` Did you mean "${name}"?`);
