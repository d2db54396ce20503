/** Agents' brains: their files, and what became of them. */
import type { BrainChange, BrainText } from "@hearth/protocol";
import { defineCommand, type Group } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { readId } from "../ids.ts";
import { createNames, type Names } from "../names.ts";
import { safeLine, safeText } from "../safe-text.ts";
import { ago } from "../time.ts";
import { UsageError } from "../usage-error.ts";
import { clearLabels, labels } from "./brain-labels.ts";
import { approve, deny, proposals } from "./brain-proposals.ts";
import { erase, undo } from "./brain-undo.ts";

const LOOKS = "x on the agent's house, or to be it";
const DECIDES = "x on the agent's house";
/** A hash is told from others by its beginning. */
const SHORT = 12;

const files = defineCommand({
  summary: "Lists the files of an agent's brain",
  needs: LOOKS,
  args: [{ name: "AGENT" }],
  flags: {},
  details:
    "What is guarded is what the agent is or obeys: a turn that holds a stranger's text can only propose a change of it.",
  examples: ["hearth brain files main", "hearth brain files main --json"],
  async run({ connect, json, output }, _flags, [agent = ""]) {
    const found = await (await (await connect()).brains()).files(agent);
    if (json) output.json(found);
    else {
      output.table(
        ["PATH", "BYTES", "GUARDED", "HASH"],
        found.files.map(({ path, sizeBytes, isGuarded, hash }) => [
          ...[path, String(sizeBytes), isGuarded ? "yes" : ""],
          hash.slice(0, SHORT),
        ]),
        "Its brain is empty.",
      );
      for (const { path, why } of found.notes) output.note(`${safeLine(path)}: ${safeLine(why)}`);
    }
    return exitCodes.done;
  },
});

const show = defineCommand({
  summary: "Prints a file; lines that others wrote are marked",
  needs: LOOKS,
  args: [{ name: "AGENT" }, { name: "PATH" }],
  flags: {},
  details: "A line that somebody else than the owner wrote begins with `?`, and where it came from is said on stderr.",
  examples: ["hearth brain show main SOUL.md", "hearth brain show main MEMORY.md --json"],
  async run({ connect, json, output }, _flags, [agent = "", path = ""]) {
    const file = await (await (await connect()).brains()).read(agent, path);
    if (json) output.json(file);
    else if (file.text === undefined)
      output.note(`${safeLine(path)} is no text that can be shown: ${file.sizeBytes} bytes.`);
    else {
      for (const line of marked(file.text, file.spans)) output.line(safeText(line));
      for (const { from, to, label } of file.spans)
        output.note(`lines ${from} to ${to}: ${label.integrity}${safeLine(sourcesOf(label.sources))}`);
    }
    return exitCodes.done;
  },
});

const write = defineCommand({
  summary: "Replaces a file by what stdin holds, or makes it",
  needs: DECIDES,
  args: [{ name: "AGENT" }, { name: "PATH" }],
  flags: { hash: { kind: "text", value: "HASH", summary: "only if the file holds this: see `brain files --json`" } },
  details: "Any editor does as well: a file in the brain's folder that you change is a version of yours.",
  examples: ["hearth brain write main instructions/tea.md < tea.md"],
  async run({ connect, json, output, terminal }, { hash }, [agent = "", path = ""]) {
    if (terminal.stdinIsTerminal)
      throw new UsageError("There is no text on stdin.", `hearth brain write ${agent} ${path} < FILE`);
    const text = await terminal.readInput();
    const written = await (await (await connect()).brains()).write(agent, path, text, hash);
    if (json) output.json(written);
    else output.line(written.change === undefined ? `${safeText(path)} says so already` : `written: ${written.change}`);
    return exitCodes.done;
  },
});

const remove = defineCommand({
  summary: "Removes a file; its versions stay",
  needs: DECIDES,
  args: [{ name: "AGENT" }, { name: "PATH" }],
  flags: {},
  examples: ["hearth brain remove main memory/2026-01-31.md"],
  async run({ connect, json, output }, _flags, [agent = "", path = ""]) {
    const written = await (await (await connect()).brains()).remove(agent, path);
    if (json) output.json(written);
    else output.line(written.change === undefined ? `there is no ${safeText(path)}` : `removed: ${written.change}`);
    return exitCodes.done;
  },
});

const log = defineCommand({
  summary: "Lists what changed in a brain, newest first",
  needs: LOOKS,
  args: [{ name: "AGENT" }],
  flags: {
    path: { kind: "text", value: "PATH", summary: "changes of this file" },
    activation: { kind: "text", value: "ID", summary: "what this activation changed" },
    limit: { kind: "number", value: "COUNT", min: 1, max: 1000, summary: "how many (50)" },
  },
  examples: ["hearth brain log main", "hearth brain log main --path SOUL.md --json"],
  async run({ connect, json, output, terminal }, { path, activation, limit }, [agent = ""]) {
    const client = await connect();
    const changes = await (
      await client.brains()
    ).log(agent, {
      ...(path === undefined ? {} : { path }),
      ...(activation === undefined ? {} : { activation: readId("act", activation, `hearth activation list ${agent}`) }),
      ...(limit === undefined ? {} : { limit }),
    });
    if (json) output.json(changes);
    else {
      const names = await createNames(client);
      const now = terminal.now();
      output.table(
        ["CHANGE", "WHEN", "KIND", "BY", "FILES"],
        await Promise.all(changes.map((change) => toRow(change, names, now))),
        "Nothing has changed.",
      );
    }
    return exitCodes.done;
  },
});

const diff = defineCommand({
  summary: "Shows what a change changed",
  needs: LOOKS,
  args: [{ name: "AGENT" }, { name: "CHANGE" }],
  flags: {},
  examples: ["hearth brain diff main chg_01m80gjhbw6h6gx4tc8bhchw80"],
  async run({ connect, json, output }, _flags, [agent = "", change = ""]) {
    const diffs = await (
      await (await connect()).brains()
    ).diff(agent, readId("chg", change, `hearth brain log ${agent}`));
    if (json) output.json(diffs);
    else
      for (const { path, diff: text } of diffs) {
        output.line(`--- ${safeText(path)}`);
        for (const line of (text ?? "It is no text.").split("\n").filter((one) => one !== ""))
          output.line(safeText(line));
      }
    return exitCodes.done;
  },
});

const marked = (text: string, spans: BrainText["spans"]): readonly string[] => {
  const isOthers = (line: number): boolean => spans.some(({ from, to }) => from <= line && line <= to);
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return spans.length === 0 ? lines : lines.map((line, index) => `${isOthers(index + 1) ? "?" : " "} ${line}`);
};

const sourcesOf = (sources: readonly string[]): string => (sources.length === 0 ? "" : `, from ${sources.join(", ")}`);

const toRow = async ({ id, at, kind, by, versions }: BrainChange, names: Names, now: number): Promise<string[]> => {
  const [first] = versions;
  const more = versions.length > 1 ? ` and ${versions.length - 1} more` : "";
  const who = by === undefined ? "by hand" : await names.of(by);
  const erased = versions.some(({ isErased }) => isErased) ? " (in part erased)" : "";
  return [id, ago(at, now), kind, who, `${first?.path ?? ""}${more}${erased}`];
};

export const brain: Group = {
  kind: "group",
  summary: "What agents are and know: files, versions, and undoing them",
  verbs: {
    files,
    show,
    write,
    remove,
    log,
    diff,
    undo,
    erase,
    labels,
    "clear-labels": clearLabels,
    proposals,
    approve,
    deny,
  },
};
