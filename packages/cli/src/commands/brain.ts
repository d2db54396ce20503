/** `hearth brain`: manages the files of agents' brains and their versions. */
import type { BrainChange, BrainText } from "@hearth/protocol";
import { defineCommand, type Group } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { readId } from "../args/ids.ts";
import { createNames, type Names } from "../show/names.ts";
import { safeLine, safeText } from "../show/safe-text.ts";
import { formatAge } from "../show/time.ts";
import { UsageError } from "../args/usage-error.ts";
import { clearLabels, labels } from "./brain-labels.ts";
import { approve, deny, proposals } from "./brain-proposals.ts";
import { erase, undo } from "./brain-undo.ts";

const READ_NEEDS = "x on the agent's house, or the agent itself";
const ADMIN_NEEDS = "x on the agent's house";
/** Number of characters that are shown of a hash. */
const SHORT_HASH_LENGTH = 12;

const files = defineCommand({
  summary: "Lists the files of an agent's brain",
  needs: READ_NEEDS,
  args: [{ name: "AGENT" }],
  flags: {},
  details:
    "Guarded files define the agent's identity and instructions. A turn that has read untrusted text can only propose changes to them.",
  examples: ["hearth brain files main", "hearth brain files main --json"],
  async run({ connect, json, output }, _flags, [agent = ""]) {
    const brainFiles = await (await (await connect()).brains()).files(agent);
    if (json) output.json(brainFiles);
    else {
      output.table(
        ["PATH", "BYTES", "GUARDED", "HASH"],
        brainFiles.files.map(({ path, sizeBytes, isGuarded, hash }) => [
          path,
          String(sizeBytes),
          isGuarded ? "yes" : "",
          hash.slice(0, SHORT_HASH_LENGTH),
        ]),
        "The brain has no files.",
      );
      for (const { path, why } of brainFiles.notes) output.note(`${safeLine(path)}: ${safeLine(why)}`);
    }
    return exitCodes.done;
  },
});

const show = defineCommand({
  summary: "Prints a file of a brain and marks lines from other sources",
  needs: READ_NEEDS,
  args: [{ name: "AGENT" }, { name: "PATH" }],
  flags: {},
  details: "A line that does not come from the owner begins with `?`. Its sources are printed on stderr.",
  examples: ["hearth brain show main SOUL.md", "hearth brain show main MEMORY.md --json"],
  async run({ connect, json, output }, _flags, [agent = "", path = ""]) {
    const file = await (await (await connect()).brains()).read(agent, path);
    if (json) output.json(file);
    else if (file.text === undefined) output.note(`${safeLine(path)} is not a text file: ${file.sizeBytes} bytes.`);
    else {
      for (const line of markLines(file.text, file.spans)) output.line(safeText(line));
      for (const { from, to, label } of file.spans)
        output.note(`lines ${from} to ${to}: ${label.integrity}${safeLine(sourcesOf(label.sources))}`);
    }
    return exitCodes.done;
  },
});

const write = defineCommand({
  summary: "Writes a file of a brain from stdin",
  needs: ADMIN_NEEDS,
  args: [{ name: "AGENT" }, { name: "PATH" }],
  flags: {
    hash: { kind: "text", value: "HASH", summary: "write only if the file has this hash; see `brain files --json`" },
  },
  details: "You can also edit files in the brain's folder directly: Hearth records the edit as your version.",
  examples: ["hearth brain write main instructions/tea.md < tea.md"],
  async run({ connect, json, output, terminal }, { hash }, [agent = "", path = ""]) {
    if (terminal.stdinIsTerminal)
      throw new UsageError("No text on stdin.", `Redirect a file: hearth brain write ${agent} ${path} < FILE`);
    const text = await terminal.readInput();
    const writeResult = await (await (await connect()).brains()).write(agent, path, text, hash);
    if (json) output.json(writeResult);
    else
      output.line(
        writeResult.change === undefined
          ? `${safeText(path)} already has this content`
          : `written: ${writeResult.change}`,
      );
    return exitCodes.done;
  },
});

const remove = defineCommand({
  summary: "Removes a file of a brain; its versions are kept",
  needs: ADMIN_NEEDS,
  args: [{ name: "AGENT" }, { name: "PATH" }],
  flags: {},
  examples: ["hearth brain remove main memory/2026-01-31.md"],
  async run({ connect, json, output }, _flags, [agent = "", path = ""]) {
    const writeResult = await (await (await connect()).brains()).remove(agent, path);
    if (json) output.json(writeResult);
    else
      output.line(
        writeResult.change === undefined ? `${safeText(path)} does not exist` : `removed: ${writeResult.change}`,
      );
    return exitCodes.done;
  },
});

const log = defineCommand({
  summary: "Lists changes of a brain, newest first",
  needs: READ_NEEDS,
  args: [{ name: "AGENT" }],
  flags: {
    path: { kind: "text", value: "PATH", summary: "only changes of this file" },
    activation: { kind: "text", value: "ID", summary: "only changes of this activation" },
    limit: { kind: "number", value: "COUNT", min: 1, max: 1000, summary: "at most this many (default: 50)" },
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
        "No changes.",
      );
    }
    return exitCodes.done;
  },
});

const diff = defineCommand({
  summary: "Shows a change as a diff",
  needs: READ_NEEDS,
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
        for (const line of (text ?? "Not a text file.").split("\n").filter((line) => line !== ""))
          output.line(safeText(line));
      }
    return exitCodes.done;
  },
});

const markLines = (text: string, spans: BrainText["spans"]): readonly string[] => {
  const isMarked = (line: number): boolean => spans.some(({ from, to }) => from <= line && line <= to);
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return spans.length === 0 ? lines : lines.map((line, index) => `${isMarked(index + 1) ? "?" : " "} ${line}`);
};

const sourcesOf = (sources: readonly string[]): string => (sources.length === 0 ? "" : `, from ${sources.join(", ")}`);

const toRow = async ({ id, at, kind, by, versions }: BrainChange, names: Names, now: number): Promise<string[]> => {
  const [firstVersion] = versions;
  const moreText = versions.length > 1 ? ` and ${versions.length - 1} more` : "";
  const authorName = by === undefined ? "edited on disk" : await names.get(by);
  const erasedText = versions.some(({ isErased }) => isErased) ? " (partly erased)" : "";
  return [id, formatAge(at, now), kind, authorName, `${firstVersion?.path ?? ""}${moreText}${erasedText}`];
};

export const brain: Group = {
  kind: "group",
  summary: "Manages agents' brain files and their versions",
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
