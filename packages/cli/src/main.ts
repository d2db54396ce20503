/** The `hearth` command. */
import { run } from "./run.ts";
import { createTerminal } from "./terminal.ts";

// The launcher starts us in its own folder, so that the runtime reads no settings from wherever the person stands.
const from = process.env["HEARTH_CWD"];
if (from !== undefined) {
  delete process.env["HEARTH_CWD"];
  try {
    process.chdir(from);
  } catch {
    // It may be gone. Only relative paths would need it, and they say so.
  }
}

const code = await run(process.argv.slice(2), createTerminal());
// What was written must arrive, and what is still open must not keep us.
await new Promise<void>((resolve) => process.stdout.write("", () => resolve()));
process.exit(code);
