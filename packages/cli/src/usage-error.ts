/** A command line that cannot be understood. Ends the process with `exitCodes.usage`. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

/** ` Did you mean "agent"?`, or nothing. */
export const didYouMean = (name: string | undefined): string => (name === undefined ? "" : ` Did you mean "${name}"?`);
