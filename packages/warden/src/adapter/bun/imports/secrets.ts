/**
 * Removes secrets from imported text: the values of secrets in the source's settings, and any text
 * that looks like a key.
 */

const REDACTED_TEXT = "[left out: it looks like a secret]";
const KEY_NAME = /(token|key|secret|password|passwd)$/i;
const MIN_LENGTH = 8;
/** Matches a value that consists of a reference to an environment variable. */
const REFERENCE = /^\$\{([A-Z][A-Z0-9_]*)\}$/;

/** Patterns of vendors' tokens. */
const PATTERNS: readonly RegExp[] = [
  /\bsk-[A-Za-z0-9_-]{16,}/g,
  /\b(?:ghp|gho|ghs|github_pat)_[A-Za-z0-9_]{20,}/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  /\bAKIA[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\b\d{6,12}:[A-Za-z0-9_-]{30,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
];

/** Returns the values of settings whose names end with a word such as `token` or `password`. */
export const secretsIn = (settings: unknown): readonly string[] => {
  if (typeof settings !== "object" || settings === null) return [];
  return Object.entries(settings).flatMap(([name, value]) =>
    typeof value === "string"
      ? KEY_NAME.test(name) && value.length >= MIN_LENGTH && !REFERENCE.test(value)
        ? [value]
        : []
      : secretsIn(value),
  );
};

/** Converts `${NAME}` to the reference `env:NAME`. Returns undefined for other values. */
export const toReference = (value: unknown): string | undefined => {
  const name = typeof value === "string" ? REFERENCE.exec(value)?.[1] : undefined;
  return name === undefined ? undefined : `env:${name}`;
};

/** Creates a function that removes secrets from a text. */
export const createCleaner =
  (secrets: readonly string[]) =>
  (text: string): string => {
    const withoutKnownSecrets = secrets.reduce((redacted, secret) => redacted.replaceAll(secret, REDACTED_TEXT), text);
    return PATTERNS.reduce((redacted, pattern) => redacted.replaceAll(pattern, REDACTED_TEXT), withoutKnownSecrets);
  };
