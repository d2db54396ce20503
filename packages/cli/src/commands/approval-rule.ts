/** What agents do unasked because a person said so: looking at it, and taking it back. */
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { readId } from "../ids.ts";
import { createNames } from "../names.ts";
import { safeLine } from "../safe-text.ts";
import { ago } from "../time.ts";
import { UsageError } from "../usage-error.ts";

export const rule = defineCommand({
  summary: "Lists what passes unasked because a person said so, or takes it back",
  needs: "a credential",
  args: [{ name: "list|remove" }, { name: "ID", optional: true }],
  flags: {},
  details: "A rule is made with: hearth approval allow ID --rule. One of a session ends with it by itself.",
  examples: ["hearth approval rule list"],
  async run({ connect, json, output, terminal }, _flags, [verb = "", id]) {
    const client = await connect();
    const calls = await client.approvals();
    if (verb === "remove" && id !== undefined) {
      await calls.removeRule(readId("rule", id, "hearth approval rule list"));
      if (json) output.json({ removed: id });
      else output.line(`removed ${safeLine(id)}: such calls are asked about again`);
      return exitCodes.done;
    }
    if (verb !== "list" || id !== undefined)
      throw new UsageError("It is: list, or remove with the id of a rule.", "See them: hearth approval rule list");
    const rules = await calls.rules();
    if (json) output.json(rules);
    else {
      const names = await createNames(client);
      const now = terminal.now();
      output.table(
        ["ID", "BY", "MADE", "WHAT IT LETS PASS"],
        await Promise.all(rules.map(async (one) => [one.id, await names.of(one.by), ago(one.at, now), one.text])),
        "There are no rules: whatever takes a word is asked about.",
      );
    }
    return exitCodes.done;
  },
});
