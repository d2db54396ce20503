/** Taking back what became of a brain, and taking something out of it for good. */
import type { EraseBrain, UndoBrain } from "@hearth/protocol";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { readId } from "../ids.ts";
import { safeText } from "../safe-text.ts";
import { UsageError } from "../usage-error.ts";
import { readWhen } from "../when.ts";

const DECIDES = "x on the agent's house";

export const undo = defineCommand({
  summary: "Takes back a change, what an activation changed, or all since a time",
  needs: DECIDES,
  args: [{ name: "AGENT" }, { name: "CHANGE", optional: true }],
  flags: {
    activation: { kind: "text", value: "ID", summary: "all that this activation changed" },
    since: { kind: "text", value: "WHEN", summary: "all since then: 2h, 2026-01-31, 2026-01-31T08:30" },
  },
  details: "It is all of it or nothing, and a change itself: undo that one, and it is as if nothing had been undone.",
  examples: [
    "hearth brain undo main chg_01m80gjhbw6h6gx4tc8bhchw80",
    "hearth brain undo main --activation act_01m80gjhbw6h6gx4tc8bhchw80",
    "hearth brain undo main --since 2h",
  ],
  async run({ connect, json, output, terminal }, { activation, since }, [agent = "", change]) {
    const asked: UndoBrain[] = [
      ...(change === undefined ? [] : [{ change: readId("chg", change, `hearth brain log ${agent}`) }]),
      ...(activation === undefined
        ? []
        : [{ activation: readId("act", activation, `hearth activation list ${agent}`) }]),
      ...(since === undefined ? [] : [{ since: readWhen("--since", since, terminal.now()) }]),
    ];
    const [what] = asked;
    if (what === undefined || asked.length > 1)
      throw new UsageError("Say one thing to undo: a change, --activation or --since.", "hearth brain log AGENT");
    const undone = await (await (await connect()).brains()).undo(agent, what);
    if (json) output.json(undone);
    else {
      const { change: made, erased } = undone;
      if (made === undefined) output.note("Everything is so already.");
      else output.line(`undone: ${made.id} (${made.versions.map(({ path }) => safeText(path)).join(", ")})`);
      for (const path of erased) output.note(`Something that was in ${safeText(path)} has been erased and stays so.`);
    }
    return exitCodes.done;
  },
});

export const erase = defineCommand({
  summary: "Takes something out for good: of the files, and of every version",
  needs: DECIDES,
  args: [{ name: "AGENT" }],
  flags: {
    source: { kind: "text", value: "SOURCE", summary: "all lines that came from there: see `brain show`" },
    path: { kind: "text", value: "PATH", summary: "a file, with all that it ever held" },
    line: { kind: "text", value: "TEXT", summary: "a line, wherever it stands" },
  },
  details: "Nothing brings it back. What was said in rooms stays there.",
  examples: [
    "hearth brain erase main --source https://example.org/page",
    "hearth brain erase main --path memory/2026-01-31.md",
    'hearth brain erase main --line "Ana lives in Rome."',
  ],
  async run({ connect, json, output }, { source, path, line }, [agent = ""]) {
    const asked: EraseBrain[] = [
      ...(source === undefined ? [] : [{ source }]),
      ...(path === undefined ? [] : [{ path }]),
      ...(line === undefined ? [] : [{ lines: [line] }]),
    ];
    const [what] = asked;
    if (what === undefined || asked.length > 1)
      throw new UsageError("Say one thing to erase: --source, --path or --line.", "hearth brain erase --help");
    const erased = await (await (await connect()).brains()).erase(agent, what);
    if (json) output.json(erased);
    else if (erased.change === undefined) output.note("There was nothing of it.");
    else output.line(`erased, in ${erased.files.length} files and ${erased.versions} versions: ${erased.change.id}`);
    return exitCodes.done;
  },
});
