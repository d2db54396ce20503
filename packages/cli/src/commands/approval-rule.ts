/** `hearth approval rule`: lists and removes standing approvals. */
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { readId } from "../args/ids.ts";
import { createNames } from "../show/names.ts";
import { safeLine } from "../show/safe-text.ts";
import { formatAge } from "../show/time.ts";
import { UsageError } from "../args/usage-error.ts";

export const rule = defineCommand({
  summary: "Lists standing approvals, or removes one",
  needs: "a credential",
  args: [{ name: "list|remove" }, { name: "ID", optional: true }],
  flags: {},
  details: "To create a rule: hearth approval allow ID --rule. An approval for a session ends with the session.",
  examples: ["hearth approval rule list"],
  async run({ connect, json, output, terminal }, _flags, [verb = "", id]) {
    const client = await connect();
    const calls = await client.approvals();
    if (verb === "remove" && id !== undefined) {
      await calls.removeRule(readId("rule", id, "hearth approval rule list"));
      if (json) output.json({ removed: id });
      else output.line(`removed ${safeLine(id)}: such calls need an approval again`);
      return exitCodes.done;
    }
    if (verb !== "list" || id !== undefined)
      throw new UsageError(
        "Unknown action: use list, or remove with the id of a rule.",
        "To list rules: hearth approval rule list",
      );
    const rules = await calls.rules();
    if (json) output.json(rules);
    else {
      const names = await createNames(client);
      const now = terminal.now();
      output.table(
        ["ID", "BY", "CREATED", "ALLOWS"],
        await Promise.all(
          rules.map(async (rule) => [rule.id, await names.get(rule.by), formatAge(rule.at, now), rule.text]),
        ),
        "There are no standing approvals.",
      );
    }
    return exitCodes.done;
  },
});
