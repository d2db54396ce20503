/** What is open wider than it has to be, at a daemon or in the files of a home, and in words. */
import { isHearthError, type SecurityReport, type Severity, tellMend } from "@hearth/protocol";
import type { Context } from "./command.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { safeLine } from "./safe-text.ts";

/** Ends with 1 where something is high. */
export const showSecurity = async (context: Context): Promise<ExitCode> => {
  const { json, output } = context;
  const report = await look(context);
  const { findings, unseen } = report;
  if (json) output.json(report);
  else {
    for (const { id, severity, what, where, mend, instead } of findings) {
      output.line(`${paint(context, severity)} ${safeLine(id)}, ${safeLine(where)}: ${safeLine(what)}`);
      output.line(`       ${safeLine(tellMend(mend))}`);
      if (instead !== undefined) output.line(`       ${safeLine(instead)}`);
    }
    if (findings.length === 0) output.line("Nothing is open wider than it has to be, as far as could be seen.");
    for (const what of unseen) output.note(`Not seen: ${safeLine(what)}`);
  }
  return findings.some(({ severity }) => severity === "high") ? exitCodes.failed : exitCodes.done;
};

const paint = ({ output }: Pick<Context, "output">, severity: Severity): string => {
  const word = severity.padEnd(6);
  return severity === "high" ? output.style.red(word) : word;
};

const look = async ({ connect, elsewhere, home }: Context): Promise<SecurityReport> => {
  try {
    return await (await connect()).security();
  } catch (error) {
    if (!isHearthError(error, "house.unreachable") || elsewhere !== undefined) throw error;
    const { examineAtRest } = await import("./security-at-rest.ts");
    return examineAtRest(home);
  }
};
