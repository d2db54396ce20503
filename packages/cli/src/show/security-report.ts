/** Shows the security report of a daemon or of a home's files. */
import { isHearthError, type SecurityReport, type Severity } from "@hearth/protocol";
import { describeFix } from "@hearth/protocol/api";
import type { Context } from "../command.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { safeLine } from "./safe-text.ts";

/** Prints the report. Fails when a finding has high severity. */
export const showSecurity = async (context: Context): Promise<ExitCode> => {
  const { json, output } = context;
  const report = await loadReport(context);
  const { findings, unseen } = report;
  if (json) output.json(report);
  else {
    for (const { id, severity, what: text, where, fix, instead } of findings) {
      output.line(`${paint(context, severity)} ${safeLine(id)}, ${safeLine(where)}: ${safeLine(text)}`);
      output.line(`       ${safeLine(describeFix(fix))}`);
      if (instead !== undefined) output.line(`       ${safeLine(instead)}`);
    }
    if (findings.length === 0) output.line("No findings: no checked setting is wider than necessary.");
    for (const check of unseen) output.note(`Not checked: ${safeLine(check)}`);
  }
  return findings.some(({ severity }) => severity === "high") ? exitCodes.failed : exitCodes.done;
};

const paint = ({ output }: Pick<Context, "output">, severity: Severity): string => {
  const word = severity.padEnd(6);
  return severity === "high" ? output.style.red(word) : word;
};

const loadReport = async ({ connect, elsewhere, home }: Context): Promise<SecurityReport> => {
  try {
    return await (await (await connect()).security()).report();
  } catch (error) {
    if (!isHearthError(error, "house.unreachable") || elsewhere !== undefined) throw error;
    const { checkSecurity } = await import("../at-rest/security-at-rest.ts");
    return checkSecurity(home);
  }
};
