/**
 * Seals reveal changes of a stream. Each event's seal covers the event and the previous seal with a
 * key that is outside the store. Without the key, no event can be changed, removed, reordered or
 * inserted undetected.
 */
import type { AuditRow } from "@hearth/protocol";

/** Seals the events of some streams. */
export interface Sealer {
  covers(stream: string): boolean;
  /** Returns the seal. `previousSeal` is that of the previous event, or null for the first event. */
  seal(previousSeal: string | null, event: Omit<AuditRow, "seal">): string;
}

/** Returns the HMAC-SHA-256 of a text in UTF-8 as lower-case hex. The function holds the key. */
export type Hmac = (text: string) => string;

/** A key of seals. `id` is derived from the key and does not reveal it. */
export interface SealKey {
  readonly id: string;
  readonly hmac: Hmac;
}

/** The keys of the seals. Each key but the first replaced the one before it. */
export interface SealKeys {
  /** The keys in use so far, oldest first. The last one is the present key. */
  confirmed(): readonly SealKey[];
  /** Returns the key that replaces the present one. Rows may have been sealed with it. */
  next(): SealKey | undefined;
}

export const createSealKeys = (confirmed: readonly Hmac[], nextHmac?: Hmac): SealKeys => {
  const keys = confirmed.map(toKey);
  const nextKey = nextHmac === undefined ? undefined : toKey(nextHmac);
  return { confirmed: () => keys, next: () => nextKey };
};

const ID_LENGTH = 16;
const toKey = (hmac: Hmac): SealKey => ({ id: hmac(toFields(["key"])).slice(0, ID_LENGTH), hmac });

/** Seal keys with rotation: `prepare` creates the next key, and `confirm` makes it the present one. */
export interface ReplaceableKeys extends SealKeys {
  /** Returns the next key, which it creates if necessary. Durable when the promise resolves. */
  prepare(): Promise<SealKey>;
  /** Makes the next key the present one. Durable when the promise resolves. Idempotent. */
  confirm(): Promise<void>;
}

/** Stores the keys outside of the sealed store. */
export interface KeyDisk {
  /** Creates the next key, in place of an unused one. Durable when the promise resolves. */
  add(): Promise<Hmac>;
  /** Records that the next key is the present one. Durable when the promise resolves. */
  confirm(): Promise<void>;
}

/** Creates keys that can be replaced. `keys` is the content of the disk. */
export const createReplaceableKeys = (keys: SealKeys, disk: KeyDisk): ReplaceableKeys => {
  let confirmed = keys.confirmed();
  let nextKey = keys.next();
  return {
    confirmed: () => confirmed,
    next: () => nextKey,
    prepare: async () => (nextKey ??= toKey(await disk.add())),
    async confirm() {
      if (nextKey === undefined) return;
      await disk.confirm();
      confirmed = [...confirmed, nextKey];
      nextKey = undefined;
    },
  };
};

/** Creates a sealer. `covers` is the prefix of the names of sealed streams. */
export const createSealer = (options: { readonly covers: string; readonly keys: SealKeys }): Sealer => ({
  covers: (stream) => stream.startsWith(options.covers),
  seal(previousSeal, event) {
    const { keys } = options;
    return sealWith(keys, keyPositionFor(keys, previousSeal, event), previousSeal, event);
  },
});

type UnsealedRow = Omit<AuditRow, "seal">;

/**
 * The fact of the row that records a new key. The new key seals this row, and all rows after it in
 * the stream.
 */
export const KEY_ROTATED = "key-rotated";

/**
 * Returns the position of the key for a new row. A stream changes to the next key with the row that
 * records this key. A new stream begins with the next key.
 */
const keyPositionFor = (keys: SealKeys, previousSeal: string | null, event: UnsealedRow): number => {
  const keyPosition = currentKeyPosition(keys);
  const nextKey = keys.next();
  if (nextKey === undefined) return keyPosition;
  const hasChanged =
    previousSeal === null || positionOf(keys, previousSeal) > keyPosition || keyRecordedIn(event) === nextKey.id;
  return hasChanged ? keyPosition + 1 : keyPosition;
};

/** Whether the row has the seal of the key that may seal it after the row with the seal `previousSeal`. */
export const isSealed = (keys: SealKeys, previousSeal: string | null, row: AuditRow): boolean => {
  if (row.seal === null) return false;
  const position = positionOf(keys, row.seal);
  const key = keyAt(keys, position);
  if (key === undefined || row.seal !== sealWith(keys, position, previousSeal, row)) return false;
  if (previousSeal === null) return true;
  const previous = positionOf(keys, previousSeal);
  return position === previous || (position === previous + 1 && keyRecordedIn(row) === key.id);
};

/** Returns the position of the present key. */
export const currentKeyPosition = (keys: SealKeys): number => keys.confirmed().length - 1;

/** Whether the seal was made with the key at this position, or with a later one. */
export const isSealedSince = (keys: SealKeys, seal: string, position: number): boolean =>
  positionOf(keys, seal) >= position;

/** Returns the HMAC with the key that made this seal, or undefined for an unknown key. */
export const hmacOf = (keys: SealKeys, seal: string): Hmac | undefined => keyAt(keys, positionOf(keys, seal))?.hmac;

const keyAt = (keys: SealKeys, position: number): SealKey | undefined => {
  const confirmed = keys.confirmed();
  return position === confirmed.length ? keys.next() : confirmed[position];
};

/** Matches a seal that names its key. The seals of the first key are the HMAC alone. */
const NAMED_SEAL = /^([0-9a-f]{16})\.[0-9a-f]{64}$/;

/** Returns the position of the key of this seal, from 0 for the oldest, or -1 for an unknown key. */
const positionOf = (keys: SealKeys, seal: string): number => {
  const id = NAMED_SEAL.exec(seal)?.[1];
  if (id === undefined) return 0;
  const confirmed = keys.confirmed();
  return keys.next()?.id === id ? confirmed.length : confirmed.findIndex((key) => key.id === id);
};

const sealWith = (keys: SealKeys, position: number, previousSeal: string | null, event: UnsealedRow): string => {
  const key = keyAt(keys, position);
  if (key === undefined) throw new TypeError(`there is no key ${position}`);
  const { stream, offset, id, type, at, body, blob, labels } = event;
  const mac = key.hmac(
    toFields(["event", previousSeal ?? "", stream, String(offset), id, type, String(at), body, blob, labels]),
  );
  return position === 0 ? mac : `${key.id}.${mac}`;
};

/** Returns the id of the new key that the row records. */
const keyRecordedIn = ({ type, body }: UnsealedRow): string | undefined => {
  if (type !== "log" || body === null) return undefined;
  try {
    const facts: { readonly change?: unknown; readonly audit_key?: unknown } = JSON.parse(body);
    return facts.change === KEY_ROTATED && typeof facts.audit_key === "string" ? facts.audit_key : undefined;
  } catch {
    // A holder of a replaced key can seal any text.
    return undefined;
  }
};

/**
 * Encodes fields unambiguously as netstrings: length in UTF-8 bytes, a colon, the field and a
 * comma; `-,` for null.
 */
export const toFields = (fields: readonly (string | null)[]): string =>
  fields.map((field) => (field === null ? "-," : `${sizeOf(field)}:${field},`)).join("");

const encoder = new TextEncoder();
const sizeOf = (text: string): number => encoder.encode(text).length;
