/** The entry in a cell: frames on stdin and stdout, the workspace as its only argument. Ends when stdin does. */
import { createByteLink, type InmateFrame } from "@hearth/protocol";
import { bootInmate } from "./boot.ts";
import { createBunClock } from "./clock.ts";

const workspace = process.argv[2];
if (workspace === undefined) throw new Error("usage: main.ts WORKSPACE");

const stdout = Bun.stdout.writer();
const deliver = async (bytes: Uint8Array): Promise<void> => {
  try {
    const written = stdout.write(bytes);
    await stdout.flush();
    await written;
  } catch {
    // The warden is gone; stdin ends next, and the inmate with it.
  }
};
const link = createByteLink<InmateFrame>({
  bytes: Bun.stdin.stream(),
  write: (bytes) => void deliver(bytes),
  close: () => void stdout.end(),
});

try {
  await bootInmate({ link, clock: createBunClock(), workspace });
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
