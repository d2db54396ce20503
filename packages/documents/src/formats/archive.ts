/**
 * Lists the members of an archive, and shows the text of small text members. Lists archives in
 * archives without opening them. Writes no file to a disk.
 */
import { LIMITS } from "../limits.ts";
import { anchor, toSingleLine } from "../markdown.ts";
import { refuse } from "../refusal.ts";
import { decodeText } from "../text.ts";
import type { Zip } from "../zip.ts";

interface Member {
  readonly name: string;
  readonly sizeBytes: number;
  read(): Uint8Array | undefined;
}

export const readZip = (zip: Zip): Generator<string> =>
  showMembers(zip.members.map(({ name, sizeBytes }) => ({ name, sizeBytes, read: () => zip.read(name) })));

function* showMembers(members: readonly Member[]): Generator<string> {
  const lines = members.map(({ name, sizeBytes }) => `- ${toSingleLine(name)} (${sizeBytes} bytes)`);
  yield [`${members.length} members:`, ...lines].join("\n");
  let shown = 0;
  for (const { name, sizeBytes, read } of members) {
    if (shown >= LIMITS.textMembers) break;
    if (sizeBytes === 0 || sizeBytes > LIMITS.textMemberBytes) continue;
    const text = decodeText(read() ?? new Uint8Array());
    if (text === undefined) continue;
    shown += 1;
    yield `${anchor("member", name)}\n${text}`;
  }
}

const BLOCK = 512;

export const isTar = (bytes: Uint8Array): boolean => textAt(bytes, 257, 5) === "ustar";

export const readTar = (bytes: Uint8Array): Generator<string> => showMembers(tarMembers(bytes));

const tarMembers = (bytes: Uint8Array): readonly Member[] => {
  const members: Member[] = [];
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0;) {
    const sizeBytes = Number.parseInt(textAt(bytes, at + 124, 12).trim() || "0", 8);
    if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0) return refuse("The file is cut off or damaged.");
    const start = at + BLOCK;
    const prefix = textAt(bytes, at + 345, 155);
    const name = `${prefix === "" ? "" : `${prefix}/`}${textAt(bytes, at, 100)}`;
    const type = textAt(bytes, at + 156, 1);
    if (type === "" || type === "0")
      members.push({ name, sizeBytes, read: () => bytes.subarray(start, start + sizeBytes) });
    if (members.length > LIMITS.members) refuse(`It has more than ${LIMITS.members} members.`);
    at = start + Math.ceil(sizeBytes / BLOCK) * BLOCK;
  }
  return members;
};

/** Reads a text that ends at the first NUL. */
const textAt = (bytes: Uint8Array, at: number, length: number): string => {
  const field = bytes.subarray(at, at + length);
  const end = field.indexOf(0);
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end));
};
