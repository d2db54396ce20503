/** Creates an archive in the format that a kernel unpacks into its initial file system ("newc"). */

export interface CpioFile {
  readonly path: string;
  /** A folder has no bytes. */
  readonly bytes?: Uint8Array;
}

const FILE = 0o100755;
const FOLDER = 0o040755;

/** A folder must precede its files. */
export const createCpio = (files: readonly CpioFile[]): Uint8Array => {
  const parts: Uint8Array[] = [];
  const append = (bytes: Uint8Array): void => {
    parts.push(bytes, new Uint8Array(-bytes.length & 3));
  };
  for (const [index, { path, bytes }] of [...files, { path: "TRAILER!!!", bytes: new Uint8Array(0) }].entries()) {
    const name = Buffer.from(`${path}\0`);
    const fields = [
      ...[index + 1, bytes === undefined ? FOLDER : FILE, 0, 0, 1, 0],
      ...[bytes?.length ?? 0, 0, 0, 0, 0, name.length, 0],
    ];
    const head = `070701${fields.map((field) => field.toString(16).padStart(8, "0")).join("")}`;
    append(Buffer.concat([Buffer.from(head), name]));
    append(bytes ?? new Uint8Array(0));
  }
  return Buffer.concat(parts);
};
