/** The command line of this process, from its words to its end. */
import { run } from "./run.ts";
import { createTerminal } from "./terminal.ts";

export const runCommandLine = async (): Promise<never> => {
  const terminal = createTerminal();
  const code = await run(process.argv.slice(2), terminal);
  // What was written must arrive, and what is still open must not keep us.
  await terminal.taken();
  process.exit(code);
};
