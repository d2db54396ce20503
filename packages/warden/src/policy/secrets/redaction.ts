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
  const valuesByName = new Map<string, { readonly name: string; readonly values: readonly string[] }>();
  let cachedRedactor: Redactor | undefined;

  const getRedactor = (): Redactor => {
    cachedRedactor ??= createRedactor(
      [...valuesByName.values()].flatMap(({ name, values }) => values.map((value) => ({ name, value }))),
    );
    return cachedRedactor;
  };

  return {
    text: (text) => (valuesByName.size === 0 ? text : getRedactor().text(text)),
    isEmpty: () => valuesByName.size === 0,
    stream: () => getRedactor().stream(),
    learn(house, name, value) {
      const key = `${house}/${name}`;
      const [currentValue] = valuesByName.get(key)?.values ?? [];
      if (currentValue === value) return;
      valuesByName.set(key, { name, values: currentValue === undefined ? [value] : [value, currentValue] });
      cachedRedactor = undefined;
    },
  };
};
