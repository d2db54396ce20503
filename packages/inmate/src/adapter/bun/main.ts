/**
 * The entry in a cell: frames on stdin and stdout, the workspace as its argument. In a cell with walls there is another one, the folder for
 * what is temporary. Ends when stdin does.
 */
import { createByteLink, type InmateFrame } from "@hearth/protocol";
import { bootInmate } from "./boot.ts";
import { createBunClock } from "./clock.ts";
import { closeOwnMemory } from "./own-memory.ts";

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

// Not awaited at the top: what is compiled ahead knows no await there.
const main = async (): Promise<void> => {
  const [workspace, temporary] = process.argv.slice(2);
  if (workspace === undefined) throw new Error("usage: main.ts WORKSPACE [TEMPORARY]");
  if (temporary !== undefined) await closeOwnMemory();
  // A file that would grow beyond what the cell may write is then an error of that write, and not the inmate's end.
  process.on("SIGXFSZ", () => undefined);
  const link = createByteLink<InmateFrame>(
    {
      bytes: Bun.stdin.stream(),
      write: deliver,
      close: () => {
        // A pipe that fails says that the warden has gone.
        Promise.resolve(stdout.end()).catch(() => undefined);
      },
    },
    "inmate",
  );
  await bootInmate({ link, clock: createBunClock(), workspace, ...(temporary === undefined ? {} : { temporary }) });
};

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
