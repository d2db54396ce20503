/** `hearth files`: lists and downloads the files that agents make in their workspaces. */
import { basename, resolve } from "node:path";
import { showSize } from "@hearth/protocol";
import { copyDownload, saveDownload } from "../args/save-download.ts";
import { UsageError } from "../args/usage-error.ts";
import { defineCommand, type Group } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { filesOf } from "./room-files.ts";
import { safeLine, safeText } from "../show/safe-text.ts";
import { localTime } from "../show/time.ts";

const NEEDS = "x on the agent's house, or the agent itself";
const STDOUT = "-";

const list = defineCommand({
  summary: "Lists a folder of an agent's workspace",
  needs: NEEDS,
  args: [{ name: "AGENT" }, { name: "FOLDER", optional: true }],
  flags: {},
  details: "Without FOLDER, lists the workspace itself. Files from rooms with other readers are in rooms/ROOM-ID.",
  examples: ["hearth files list main", "hearth files list main reports --json"],
  async run({ connect, json, output }, _flags, [agent = "", folder]) {
    const folderContent = await (await (await connect()).workspaces()).list(agent, folder);
    if (json) output.json(folderContent);
    else {
      output.table(
        ["NAME", "SIZE", "CHANGED"],
        folderContent.entries.map(({ name, kind, sizeBytes, changedAt, why }) => [
          `${safeLine(name)}${kind === "folder" ? "/" : ""}`,
          why === undefined ? (sizeBytes === undefined ? "" : showSize(sizeBytes)) : safeLine(why),
          localTime(changedAt),
        ]),
        "No files.",
      );
      if (!folderContent.isComplete)
        output.note(`The folder has more than these ${folderContent.entries.length} entries.`);
    }
    return exitCodes.done;
  },
});

const get = defineCommand({
  summary: "Downloads a file of an agent's workspace, or a folder as a zip file",
  needs: NEEDS,
  args: [{ name: "AGENT" }, { name: "PATH", optional: true }],
  flags: {
    zip: { kind: "switch", summary: "download the folder PATH as a zip file; without PATH, the workspace" },
    to: {
      kind: "text",
      value: "PATH",
      summary: "where to save it, `-` for stdout (default: its name, in this folder)",
    },
  },
  details: "An existing file is never overwritten. Links are not followed.",
  examples: ["hearth files get main reports/may.csv", "hearth files get main reports --zip --to reports.zip"],
  async run({ connect, json, output, terminal }, { zip, to }, [agent = "", path]) {
    if (path === undefined && !zip)
      throw new UsageError("PATH is missing.", `Name a file, or download all: hearth files get ${agent} --zip`);
    if (to === STDOUT && (terminal.stdoutIsTerminal || json))
      throw new UsageError("A file is not written to a terminal or as JSON.", "Redirect it: ... --to - > FILE");
    const calls = await (await connect()).workspaces();
    const response = zip || path === undefined ? await calls.archive(agent, path) : await calls.read(agent, path);
    if (to === STDOUT) await copyDownload(response, terminal.outBytes);
    else {
      const savePath = resolve(terminal.cwd, to ?? nameOf(agent, path, zip));
      const sizeBytes = await saveDownload(response, savePath);
      if (json) output.json({ path: savePath, sizeBytes });
      else output.line(`Saved ${safeLine(savePath)}, ${showSize(sizeBytes)}.`);
    }
    return exitCodes.done;
  },
});

const room = defineCommand({
  summary: "Lists the files that agents sent to a room",
  needs: "r on the room",
  args: [{ name: "ROOM" }],
  flags: {},
  details: "The newest 500 files of all agents in the room. To download one: hearth room files ROOM FILE",
  examples: ["hearth files room den", "hearth files room den --json"],
  async run({ connect, json, output }, _flags, [roomName = ""]) {
    const client = await connect();
    const agents = await client.agents.list();
    const bots = new Map(agents.flatMap(({ id, handle, content }) => (content.kind === "bot" ? [[id, handle]] : [])));
    const roomFiles = (await filesOf(client, (await client.rooms.get(roomName)).id)).filter(({ by }) => bots.has(by));
    if (json) output.json(roomFiles);
    else
      output.table(
        ["FILE", "NAME", "TYPE", "SIZE", "AGENT", "AT"],
        roomFiles.map(({ id, name, type, sizeBytes, by, at }) => [
          id,
          safeLine(name),
          type,
          showSize(sizeBytes),
          bots.get(by) ?? "",
          localTime(at),
        ]),
        "No agent has sent a file to this room.",
      );
    return exitCodes.done;
  },
});

const text = defineCommand({
  summary: "Shows a document of an agent's workspace as Markdown",
  needs: NEEDS,
  args: [{ name: "AGENT" }, { name: "PATH" }],
  flags: {},
  details:
    "For PDF, DOCX, XLSX, PPTX, EPUB, RTF and archives: at most the first 100,000 characters. The house converts the document in a cell without network.",
  examples: ["hearth files text main reports/may.pdf"],
  async run({ connect, json, output }, _flags, [agent = "", path = ""]) {
    const document = await (await (await connect()).workspaces()).text(agent, path);
    if (json) output.json(document);
    else if (document.text !== undefined) output.line(safeText(document.text));
    if (document.text === undefined) {
      if (!json) output.note(`The document has no text. ${safeLine(document.why ?? "")}`);
      return exitCodes.failed;
    }
    if (document.isCut && !json) output.note("The document is longer. To download it: hearth files get AGENT PATH");
    return exitCodes.done;
  },
});

const nameOf = (agent: string, path: string | undefined, zip: boolean): string => {
  const name = path === undefined ? `${agent}-workspace` : basename(path);
  return zip ? `${name}.zip` : name;
};

export const files: Group = {
  kind: "group",
  summary: "Lists and downloads files that agents made",
  verbs: { list, get, text, room },
};
