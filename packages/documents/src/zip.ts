/** Reads members of a zip file. Checks the declared size of a member before it unpacks the member. */
import { unzipSync } from "fflate";
import { LIMITS } from "./limits.ts";
import { refuse } from "./refusal.ts";

export interface ZipMember {
  readonly name: string;
  readonly sizeBytes: number;
  readonly packedBytes: number;
}

export interface Zip {
  readonly members: readonly ZipMember[];
  has(name: string): boolean;
  /** Unpacks one member. Returns undefined if no member has this name, or if the member is damaged. */
  read(name: string): Uint8Array | undefined;
  /** Unpacks one member as text. */
  text(name: string): string | undefined;
}

export const openZip = (bytes: Uint8Array): Zip => {
  const members = listMembers(bytes);
  const names = new Set(members.map(({ name }) => name));
  let leftBytes: number = LIMITS.unpackedBytes;

  const read: Zip["read"] = (name) => {
    if (!names.has(name)) return undefined;
    let isTaken = false;
    const filter = (member: { name: string; size: number; originalSize: number }): boolean => {
      // Only the first member of a name is read, because programs disagree about further ones.
      if (member.name !== name || isTaken) return false;
      isTaken = true;
      checkMember({ name, sizeBytes: member.originalSize, packedBytes: member.size });
      leftBytes -= member.originalSize;
      if (leftBytes < 0) refuse(`Its members have more than ${LIMITS.unpackedBytes >> 20} MiB when they are unpacked.`);
      return true;
    };
    // The library writes into a buffer of the declared size, so a longer member is truncated.
    return refuseIfDamaged(() => unzipSync(bytes, { filter })[name]);
  };

  return {
    members,
    has: (name) => names.has(name),
    read,
    text(name) {
      const found = read(name);
      return found === undefined ? undefined : decodeXml(found);
    },
  };
};

const listMembers = (bytes: Uint8Array): readonly ZipMember[] => {
  const members: ZipMember[] = [];
  const filter = (member: { name: string; size: number; originalSize: number }): boolean => {
    members.push({ name: member.name, sizeBytes: member.originalSize, packedBytes: member.size });
    if (members.length > LIMITS.members) refuse(`It has more than ${LIMITS.members} members.`);
    return false;
  };
  refuseIfDamaged(() => unzipSync(bytes, { filter }));
  return members;
};

const checkMember = ({ name, sizeBytes, packedBytes }: ZipMember): void => {
  const quoted = JSON.stringify(name.slice(0, 80));
  if (sizeBytes > LIMITS.memberBytes)
    refuse(`Its member ${quoted} has more than ${LIMITS.memberBytes >> 20} MiB when it is unpacked.`);
  if (sizeBytes > LIMITS.ratioFromBytes && sizeBytes > packedBytes * LIMITS.ratio)
    refuse(`Its member ${quoted} grows more than ${LIMITS.ratio} times when it is unpacked.`);
};

const refuseIfDamaged = <Value>(run: () => Value): Value => {
  try {
    return run();
  } catch (error) {
    if (error instanceof Error && "code" in error) return refuse("The file is cut off or damaged.");
    throw error;
  }
};

/** Decodes XML of Office files, which is UTF-8 or, rarely, UTF-16 with a byte order mark. */
const decodeXml = (bytes: Uint8Array): string => {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder().decode(bytes);
};
