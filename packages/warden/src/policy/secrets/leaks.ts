/**
 * Finds texts that look like keys, by the known shapes of any vendor's keys. It has false
 * positives, and a text that it does not find may still be a key.
 */

export interface Leak {
  /** The kind of key, shown to people. */
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Matches only at the start of a word. This avoids matches inside names, and scans long words once.
 */
const WORD_START = String.raw`(?<![A-Za-z0-9_-])`;

/**
 * For shapes with the same prefix, the longer one comes first. Names and most shapes come from
 * common secret scanners.
 */
const shapes: Readonly<Record<string, RegExp>> = {
  anthropic_api: new RegExp(String.raw`${WORD_START}sk-ant-api[A-Za-z0-9_-]{90,}`, "g"),
  anthropic_oauth: new RegExp(String.raw`${WORD_START}sk-ant-oat\d{2}-[A-Za-z0-9_-]{50,}`, "g"),
  openrouter: new RegExp(String.raw`${WORD_START}sk-or-v1-[A-Fa-f0-9]{40,}`, "g"),
  openai: new RegExp(String.raw`${WORD_START}sk-(?:(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{20,})`, "g"),
  groq: new RegExp(String.raw`${WORD_START}gsk_[A-Za-z0-9]{30,}`, "g"),
  aws_access_key: new RegExp(String.raw`${WORD_START}AKIA[0-9A-Z]{16}(?![0-9A-Za-z])`, "g"),
  github_pat: new RegExp(String.raw`${WORD_START}github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}`, "g"),
  github: new RegExp(String.raw`${WORD_START}gh[pousr]_[A-Za-z0-9_]{16,}`, "g"),
  stripe: new RegExp(String.raw`${WORD_START}[sr]k_(?:live|test)_[A-Za-z0-9]{24,}`, "g"),
  google: new RegExp(String.raw`${WORD_START}AIza[0-9A-Za-z_-]{35}`, "g"),
  slack: new RegExp(String.raw`${WORD_START}xox[baprs]-[0-9A-Za-z-]{10,}`, "g"),
  telegram_bot: /(?<!\d)\d{8,12}:AA[A-Za-z0-9_-]{30,}/g,
  sendgrid: new RegExp(String.raw`${WORD_START}SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}`, "g"),
  twilio: new RegExp(String.raw`${WORD_START}SK[A-Fa-f0-9]{32}(?![A-Za-z0-9])`, "g"),
  // Each part begins with `{"` in base64; otherwise every name with two dots would match.
  jwt: new RegExp(String.raw`${WORD_START}eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}`, "g"),
  hearth_key: new RegExp(String.raw`${WORD_START}hearth_[A-Za-z0-9_-]{43}`, "g"),
  hearth_placeholder: new RegExp(String.raw`${WORD_START}hearth-cred-[A-Za-z0-9]{16,}`, "g"),
  bearer: /\b(?:[Bb]earer|BEARER)[ \t]{1,8}[A-Za-z0-9._~+/-]{20,4096}={0,2}/g,
  // Up to the end marker, or to a character that cannot occur in a key.
  pem: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[A-Za-z0-9+/=\s\\:,]+|-(?!----))*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
};

/** A text that matches some shape contains one of these. Most texts need only this check. */
const MAY_MATCH =
  /sk[-_]|gh[pousr]_|github_pat_|AKIA|rk_|AIza|xox[baprs]-|:AA|SG\.|SK[A-Fa-f0-9]{8}|eyJ|hearth[-_]|[Bb]earer[ \t]|BEARER[ \t]|-----BEGIN /;

export const leakKinds: readonly string[] = Object.keys(shapes);

/**
 * Returns the matches in text order. If two shapes overlap, the match that begins first counts,
 * then the shape that is listed first.
 */
export const findLeaks = (text: string): readonly Leak[] => {
  if (!MAY_MATCH.test(text)) return [];
  const allLeaks = Object.entries(shapes).flatMap(([kind, shape]) =>
    Array.from(text.matchAll(shape), ({ index, 0: { length } }) => ({ kind, start: index, end: index + length })),
  );
  let end = 0;
  return allLeaks
    .toSorted((a, b) => a.start - b.start)
    .filter((leak) => {
      if (leak.start < end) return false;
      ({ end } = leak);
      return true;
    });
};

export interface Cleaned {
  readonly text: string;
  /** The kinds of the removed keys, each once. */
  readonly kinds: readonly string[];
}

export const withoutLeaks = (text: string): Cleaned => {
  const leaks = findLeaks(text);
  let cleaned = "";
  let from = 0;
  for (const { kind, start, end } of leaks) {
    cleaned += `${text.slice(from, start)}[left out: ${kind}]`;
    from = end;
  }
  return { text: cleaned + text.slice(from), kinds: [...new Set(leaks.map(({ kind }) => kind))] };
};
