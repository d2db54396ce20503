/** Keeps the beginning and the end of an output of any length in bounded memory. */

export interface OutputWindow {
  push(bytes: Uint8Array): void;
  /** Number of bytes that were pushed, including dropped ones. */
  readonly total: number;
  /** Returns the output as text. Bytes that are not UTF-8 become U+FFFD. A note replaces the dropped middle. */
  text(): string;
}

export const createOutputWindow = (maxSize: number): OutputWindow => {
  const headSize = Math.ceil(maxSize / 2);
  const tailSize = maxSize - headSize;
  const head = new Uint8Array(headSize);
  /** A ring buffer: the byte at `total` goes to `(total - headSize) % tailSize`. */
  const tail = new Uint8Array(tailSize);
  let total = 0;

  const pushTail = (bytes: Uint8Array): void => {
    // Only the last bytes fit. Their position in the ring depends on the number of bytes before them.
    const keptBytes = bytes.subarray(Math.max(0, bytes.length - tailSize));
    const position = tailSize === 0 ? 0 : (total - headSize + bytes.length - keptBytes.length) % tailSize;
    const beforeWrap = keptBytes.subarray(0, tailSize - position);
    tail.set(beforeWrap, position);
    tail.set(keptBytes.subarray(beforeWrap.length), 0);
    total += bytes.length;
  };

  return {
    get total() {
      return total;
    },
    push(bytes) {
      const forHead = bytes.subarray(0, Math.max(0, headSize - total));
      head.set(forHead, Math.min(total, headSize));
      total += forHead.length;
      if (forHead.length < bytes.length) pushTail(bytes.subarray(forHead.length));
    },
    text() {
      if (total <= headSize) return decode(head.subarray(0, total));
      const tailBytes = total - headSize;
      if (tailBytes <= tailSize) return decode(join(head, tail.subarray(0, tailBytes)));
      const position = tailBytes % tailSize;
      const end = withoutHalfCharacter(join(tail.subarray(position), tail.subarray(0, position)));
      const begin = new TextDecoder().decode(head, { stream: true });
      return `${begin}\n[cut: ${total - maxSize} bytes]\n${decode(end)}`;
    },
  };
};

const decode = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

const join = (a: Uint8Array, b: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
};

/** Drops the bytes of a character whose beginning was cut off. */
const withoutHalfCharacter = (bytes: Uint8Array): Uint8Array => {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start);
};
