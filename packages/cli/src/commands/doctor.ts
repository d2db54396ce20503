/** Every check that the house makes of itself, with what to do about those that fail. */
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { safeLine } from "../safe-text.ts";

export const doctor = defineCommand({
  summary: "Checks everything the house needs",
  flags: {},
  details: "Ends with 1 when a check fails.",
  examples: ["hearth doctor", "hearth doctor --json"],
  async run({ connect, json, output }) {
    const checks = await (await connect()).doctor();
    if (json) output.json(checks);
    else {
      for (const { name, ok, detail, fix } of checks) {
        output.line(`${ok ? "ok  " : output.style.red("FAIL")}  ${safeLine(name)}: ${safeLine(detail)}`);
        if (!ok && fix !== undefined) output.line(`      ${safeLine(fix)}`);
      }
    }
    return checks.every(({ ok }) => ok) ? exitCodes.done : exitCodes.failed;
  },
});
