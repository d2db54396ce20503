/**
 * The entry point in a cell: frames on stdin and stdout, the workspace as the first argument. An
 * isolated cell passes a second one, the folder for temporary files. Exits when stdin ends. With
 * `document` instead, the process converts documents. With `picture`, it scales one picture down.
 */
import { type BytePipe, createByteLink, type InmateFrame } from "@hearth/protocol";
import { bootInmate } from "./boot.ts";
import { createBunClock } from "./clock.ts";
import { protectOwnMemory } from "./own-memory.ts";

/** The command that converts one document. It runs this program again. */
const DOCUMENT = [process.execPath, "--no-install", "--no-env-file", "--smol", Bun.main, "document"];

/** The command that scales one picture down. */
const PICTURE = [...DOCUMENT.slice(0, -1), "picture"];

const stdout = Bun.stdout.writer();
const writeStdout = async (bytes: Uint8Array): Promise<void> => {
  try {
    const written = stdout.write(bytes);
    await stdout.flush();
    await written;
  } catch {
    // The warden no longer exists. The end of stdin then stops the inmate.
  }
};

const pipe: BytePipe = {
  bytes: Bun.stdin.stream(),
  write: writeStdout,
  close: () => {
    // This fails only when the warden no longer exists.
    Promise.resolve(stdout.end()).catch(() => undefined);
  },
};

/** Converts the file at a path, or the document that the warden sends. */
const convert = async (path: string | undefined): Promise<void> => {
  const { convertFile, serveDocument } = await import("./document.ts");
  return path === undefined ? serveDocument(pipe) : convertFile(path);
};

// Starts the inmate. It is a function, because precompiled code has no top-level await.
const main = async (): Promise<void> => {
  const [workspace, temporaryFolder, limits] = process.argv.slice(2);
  if (workspace === "document") return convert(temporaryFolder);
  if (workspace === "picture" && temporaryFolder !== undefined)
    return (await import("./document.ts")).scaleFile(temporaryFolder, limits ?? "");
  if (workspace === undefined) throw new Error("usage: main.ts WORKSPACE [TEMPORARY]");
  if (temporaryFolder !== undefined) await protectOwnMemory();
  // Lets a write beyond the file size limit fail with an error, instead of killing the inmate.
  process.on("SIGXFSZ", () => undefined);
  const link = createByteLink<InmateFrame>(pipe, "inmate");
  const options = { link, clock: createBunClock(), workspace };
  await bootInmate(
    temporaryFolder === undefined
      ? options
      : Object.assign(options, { temporaryFolder, document: DOCUMENT, picture: PICTURE }),
  );
};

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
