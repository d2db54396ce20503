/** The redaction of a house, which removes all known secret values from output. */
import { createRedactor, type RedactingStream, type Redactor } from "./redactor.ts";

export interface Redaction {
  /** Returns the text without any known value. */
  text(text: string): string;
  /** Whether no value is known, so that nothing is redacted. */
  isEmpty(): boolean;
  /** Redacts a stream with the values known at its start. */
  stream(): RedactingStream;
  /**
   * Redacts this value from now on. The previous value of the name stays redacted until the
   * daemon ends.
   */
  learn(house: string, name: string, value: string): void;
}

export const createRedaction = (): Redaction => {
  /** The current value and the previous one, which may still be in transit, by house and name. */
  const known = new Map<string, { readonly name: string; readonly values: readonly string[] }>();
  let made: Redactor | undefined;

  const redactor = (): Redactor => {
    made ??= createRedactor(
      [...known.values()].flatMap(({ name, values }) => values.map((value) => ({ name, value }))),
    );
    return made;
  };

  return {
    text: (text) => (known.size === 0 ? text : redactor().text(text)),
    isEmpty: () => known.size === 0,
    stream: () => redactor().stream(),
    learn(house, name, value) {
      const key = `${house}/${name}`;
      const [before] = known.get(key)?.values ?? [];
      if (before === value) return;
      known.set(key, { name, values: before === undefined ? [value] : [value, before] });
      made = undefined;
    },
  };
};
