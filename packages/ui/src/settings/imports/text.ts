/** User-facing texts of this folder, in the order of its files. */
import type { ImportKind, ImportPart } from "@hearth/protocol";
import type { GroupKind } from "./groups.ts";

// import-page.tsx
export const agents = "Agents";
export const importAgent = "Import agent";
export const introduction =
  "Imports an agent of another program from a folder on the machine of the house. The folder is not changed. First log in with a login link or a passkey. You can then import for 15 minutes.";
export const program = "Program";
export const programs: Readonly<Record<ImportKind, string>> = {
  openclaw: "OpenClaw",
  hermes: "Hermes Agent",
  "claude-code": "Claude Code",
};
export const folder = "Folder";
export const folderHint = (example: string): string => `An absolute path, such as /home/ada/${example}.`;
export const examples: Readonly<Record<ImportKind, string>> = {
  openclaw: ".openclaw",
  hermes: ".hermes",
  "claude-code": ".claude",
};
export const receiver = "Agent that receives it";
export const showPreview = "Show preview";
export const previewShown = (count: number): string => `${parts(count)} found.`;
export const noAgent = "This house has no agent yet. Add one first.";

// preview-section.tsx
export const preview = "Preview";
export const previewIntroduction = "Nothing was changed yet. Choose the parts to import.";
export const nothingFound = "The folder has nothing that can be imported. Check the program and the folder.";
export const secretsRemoved = (count: number): string =>
  `Secrets are removed from ${parts(count)}, and are not imported. Enter the keys that the agent needs under Web & secrets, Models or Channels.`;
export const importChosen = (count: number): string => `Import ${parts(count)}`;
export const importStarted = "Import started.";
export const groups: Readonly<Record<GroupKind, string>> = {
  persona: "Persona and instructions",
  memory: "Memory",
  skills: "Skills",
  history: "Conversations and history",
  jobs: "Automations",
  channels: "Channels",
  same: "Already there",
  left: "Left out",
};
export const groupTitle = (kind: GroupKind, count: number): string => `${groups[kind]}: ${parts(count)}`;
export const showGroup = (kind: GroupKind): string =>
  kind === "same" || kind === "left"
    ? `Show parts that are ${groups[kind].toLowerCase()}`
    : `Show ${groups[kind].toLowerCase()}`;
export const replacement = (from: string, to: string): string => `${from} → ${to}`;
export const replaces = "Replaces the present text, which stays in the history.";
export const withoutSecrets = "Without secrets.";

// report-section.tsx
export const running = (kind: ImportKind): string => `Importing from ${programs[kind]}`;
export const progress = (done: number, total: number): string => `${done} of ${parts(total)}`;
export const report = "Last import";
export const done = (count: number): string => `${parts(count)} imported.`;
export const failed = "The import ended early";
export const failedHint = "Parts that were imported stay. Show the preview again to import the rest.";
export const refused = (count: number): string => `The house refused ${parts(count)}.`;
export const fates: Readonly<Record<ImportPart["fate"], string>> = {
  new: "Imported",
  replaces: "Replaced",
  same: "Already there",
  left: "Left out",
  failed: "Refused",
};
export const fateTitle = (fate: ImportPart["fate"], count: number): string => `${fates[fate]}: ${parts(count)}`;
export const viewAgent = "View agent";

const parts = (count: number): string => (count === 1 ? "1 part" : `${count} parts`);
