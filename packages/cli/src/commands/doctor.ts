/** `hearth doctor`: runs all checks of the house and prints fixes for those that fail. */
import { type Check, isHearthError } from "@hearth/protocol";
import { type Context, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { safeLine } from "../show/safe-text.ts";
import { showSecurity } from "../show/security-report.ts";

export const doctor = defineCommand({
  summary: "Checks the house and its environment",
  needs: "x on the first house",
  flags: {
    deep: {
      kind: "switch",
      summary: "also check every database page, every blob and the audit log; may take minutes",
    },
    security: {
      kind: "switch",
      summary: "list security settings that are wider than necessary, with the command to fix each",
    },
  },
  details: [
    "Exits with 1 when a check fails, or with --security when a finding has high severity.",
    "While the house is not running, runs the checks that work without it and exits with 3; --security and --deep work in full.",
  ].join("\n"),
  examples: ["hearth doctor", "hearth doctor --json", "hearth doctor --deep", "hearth doctor --security"],
  async run(context, { deep, security }) {
    if (security) return showSecurity(context);
    const { json, output } = context;
    const { checks, isRunning } = await runChecks(context, deep);
    if (json) output.json(checks);
    else {
      for (const { name, ok, absent, detail, fix } of checks) {
        const sign = !ok ? output.style.red("FAIL") : absent ? "none" : "ok  ";
        output.line(`${sign}  ${safeLine(name)}: ${safeLine(detail)}`);
        if (!ok && fix !== undefined) output.line(`      ${safeLine(fix)}`);
      }
    }
    if (!isRunning && !deep) return exitCodes.notRunning;
    return checks.every(({ ok }) => ok) ? exitCodes.done : exitCodes.failed;
  },
});

const runChecks = async (
  { connect, elsewhere, home, terminal }: Context,
  deep: boolean,
): Promise<{ readonly checks: readonly Check[]; readonly isRunning: boolean }> => {
  try {
    return { checks: await (await connect()).doctor({ deep }), isRunning: true };
  } catch (error) {
    if (!isHearthError(error, "house.unreachable") || elsewhere !== undefined) throw error;
    if (deep)
      return { checks: await (await import("../at-rest/storage-at-rest.ts")).checkStorage(home), isRunning: false };
    const { checkStoppedHouse } = await import("../at-rest/outside-checks.ts");
    return { checks: await checkStoppedHouse(home, terminal), isRunning: false };
  }
};
