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

const terminal = createTerminal();
const code = await run(process.argv.slice(2), terminal);
// What was written must arrive, and what is still open must not keep us.
await terminal.taken();
process.exit(code);
