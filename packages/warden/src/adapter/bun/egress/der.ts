/** Writes the part of ASN.1 in DER that certificates need. */

export type Der = Uint8Array;

const encode = (tag: number, body: Uint8Array): Der => {
  const length = body.length;
  const bytes = length < 128 ? [length] : toBytes(length);
  const header = length < 128 ? [tag, ...bytes] : [tag, 128 | bytes.length, ...bytes];
  return join([Uint8Array.from(header), body]);
};

const toBytes = (value: number): readonly number[] =>
  value === 0 ? [] : [...toBytes(Math.floor(value / 256)), value % 256];

export const join = (parts: readonly Uint8Array[]): Uint8Array => {
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
};

export const sequence = (...parts: readonly Der[]): Der => encode(0x30, join(parts));
export const set = (...parts: readonly Der[]): Der => encode(0x31, join(parts));
export const trueValue: Der = Uint8Array.of(0x01, 0x01, 0xff);
export const octets = (bytes: Uint8Array): Der => encode(0x04, bytes);
export const text = (value: string): Der => encode(0x0c, new TextEncoder().encode(value));
/** A bit string that fills its bytes, except `unused` bits at the end. */
export const bits = (bytes: Uint8Array, unused = 0): Der => encode(0x03, join([Uint8Array.of(unused), bytes]));
/** `[number]` in a schema. `constructed`: it contains values. */
export const context = (number: number, body: Uint8Array, constructed: boolean): Der =>
  encode((constructed ? 0xa0 : 0x80) | number, body);

/** A non-negative integer from its bytes, highest first. */
export const integer = (bytes: Uint8Array): Der => {
  const start = bytes.findIndex((byte) => byte !== 0);
  const digits = start === -1 ? Uint8Array.of(0) : bytes.subarray(start);
  return encode(0x02, (digits[0] ?? 0) > 127 ? join([Uint8Array.of(0), digits]) : digits);
};

export const oid = (dotted: string): Der => {
  const [first = 0, second = 0, ...others] = dotted.split(".").map(Number);
  const base128 = (value: number): readonly number[] => {
    const digits = [value % 128];
    for (let remainder = Math.floor(value / 128); remainder > 0; remainder = Math.floor(remainder / 128))
      digits.unshift(128 | (remainder % 128));
    return digits;
  };
  return encode(0x06, Uint8Array.from([first * 40 + second, ...others].flatMap(base128)));
};

/** UTC. Years before 2050 have two digits, as X.509 requires. */
export const instant = (at: number): Der => {
  const digits = new Date(at).toISOString().replace(/[-:T]|\.\d+/g, "");
  const isShort = Number(digits.slice(0, 4)) < 2050;
  return encode(isShort ? 0x17 : 0x18, new TextEncoder().encode(isShort ? digits.slice(2) : digits));
};
