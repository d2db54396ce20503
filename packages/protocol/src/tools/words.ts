/**
 * The texts and risks that people see of each tool and its calls. Separate from the declarations, so
 * that a browser loads no schemas for them.
 */
import type { ToolInput, ToolName } from "./index.ts";

/** The section of an agent's settings that lists the tool. */
export type ToolGroup = "web" | "files" | "memory" | "messages" | "agents" | "automations" | "house";

/** A risk that people see before they allow a tool. */
export type ToolRisk = "private" | "strangers" | "leaves" | "files" | "people" | "cost";

/** What people read about a call of the tool. */
export interface CallWords<Field extends string = string> {
  /** While the call runs. */
  readonly doing: string;
  /** After the call. */
  readonly done: string;
  /** The input field that completes the sentence: "Reading notes.md". */
  readonly object?: Field;
  /** The input field that describes a call whose sentence is complete. */
  readonly detail?: Field;
  /** The input field with a command, which is shown as typed. */
  readonly command?: Field;
  /** How the input holds the change of a file. */
  readonly change?: "whole" | "replacement" | "patch";
}

/** What people read about the tool in the settings of an agent. */
export interface SettingWords {
  /** What the tool does, in two or three words. */
  readonly title: string;
  /** The same as a sentence. */
  readonly summary: string;
  readonly group: ToolGroup;
  readonly risks: readonly ToolRisk[];
}

type WordsOf<Name extends ToolName> = CallWords<Extract<keyof ToolInput<Name>, string>> & SettingWords;

const words: { readonly [Name in ToolName]: WordsOf<Name> } = {
  read: {
    doing: "Reading",
    done: "Read",
    object: "path",
    title: "Read files",
    summary: "Reads text files and documents of its workspace.",
    group: "files",
    risks: ["strangers"],
  },
  write: {
    doing: "Writing",
    done: "Wrote",
    object: "path",
    change: "whole",
    title: "Write files",
    summary: "Creates and replaces files in its workspace.",
    group: "files",
    risks: ["files"],
  },
  edit: {
    doing: "Changing",
    done: "Changed",
    object: "path",
    change: "replacement",
    title: "Edit files",
    summary: "Replaces text in files of its workspace.",
    group: "files",
    risks: ["files"],
  },
  apply_patch: {
    doing: "Changing files",
    done: "Changed files",
    change: "patch",
    title: "Apply patches",
    summary: "Changes several files of its workspace at once.",
    group: "files",
    risks: ["files"],
  },
  list: {
    doing: "Listing files",
    done: "Listed files",
    detail: "path",
    title: "List folders",
    summary: "Lists folders of its workspace.",
    group: "files",
    risks: ["strangers"],
  },
  glob: {
    doing: "Looking for files",
    done: "Looked for files",
    detail: "pattern",
    title: "Find files",
    summary: "Finds files of its workspace by name.",
    group: "files",
    risks: ["strangers"],
  },
  grep: {
    doing: "Searching for",
    done: "Searched for",
    object: "pattern",
    title: "Search in files",
    summary: "Searches the text of files in its workspace.",
    group: "files",
    risks: ["strangers"],
  },
  shell: {
    doing: "Running a command",
    done: "Ran a command",
    detail: "command",
    command: "command",
    title: "Run commands",
    summary: "Runs commands in its sandbox, which reach the hosts below.",
    group: "files",
    risks: ["private", "strangers", "files", "leaves"],
  },
  processes: {
    doing: "Checking commands",
    done: "Checked commands",
    title: "Watch commands",
    summary: "Lists and stops commands that still run.",
    group: "files",
    risks: ["private", "strangers"],
  },
  git: {
    doing: "Running git",
    done: "Ran git",
    title: "Use git",
    summary: "Runs git in its workspace.",
    group: "files",
    risks: ["private", "strangers", "files", "leaves"],
  },
  image: {
    doing: "Looking at",
    done: "Looked at",
    object: "path",
    title: "Look at pictures",
    summary: "Looks at picture files of its workspace.",
    group: "files",
    risks: ["private", "strangers"],
  },
  image_generate: {
    doing: "Making a picture",
    done: "Made a picture",
    detail: "prompt",
    title: "Make pictures",
    summary: "Sends a prompt to the picture provider of this house.",
    group: "messages",
    risks: ["leaves", "cost"],
  },
  image_edit: {
    doing: "Changing the picture",
    done: "Changed the picture",
    object: "path",
    title: "Change pictures",
    summary: "Sends a picture and a prompt to the picture provider of this house.",
    group: "messages",
    risks: ["private", "leaves", "cost"],
  },
  hardware_info: {
    doing: "Checking the hardware",
    done: "Checked the hardware",
    title: "Read the hardware",
    summary: "Reads on which hardware its commands run.",
    group: "house",
    risks: [],
  },
  time: {
    doing: "Checking the time",
    done: "Checked the time",
    detail: "zone",
    title: "Read the clock",
    summary: "Reads the date and time.",
    group: "house",
    risks: [],
  },
  house_query: {
    doing: "Looking up",
    done: "Looked up",
    object: "about",
    title: "Read its settings",
    summary: "Reads its own settings, rooms, runs, hosts and budget.",
    group: "house",
    risks: ["private"],
  },
  http_fetch: {
    doing: "Reading",
    done: "Read",
    object: "url",
    title: "Read web pages",
    summary: "Reads a page of a host that it may reach.",
    group: "web",
    risks: ["leaves", "strangers"],
  },
  web_search: {
    doing: "Searching the web for",
    done: "Searched the web for",
    object: "query",
    title: "Search the web",
    summary: "Sends a query to the search engine of this house.",
    group: "web",
    risks: ["leaves", "strangers"],
  },
  ask_source: {
    doing: "Asking",
    done: "Asked",
    object: "from",
    title: "Ask a page",
    summary: "Learns one fact from a page or tool, without reading its text.",
    group: "web",
    risks: ["leaves"],
  },
  send_message: {
    doing: "Sending a message",
    done: "Sent a message",
    detail: "room",
    title: "Write in other rooms",
    summary: "Sends messages to rooms where it is a member.",
    group: "messages",
    risks: ["people"],
  },
  attach: {
    doing: "Attaching",
    done: "Attached",
    object: "path",
    title: "Attach files",
    summary: "Sends files of its workspace with its answer.",
    group: "messages",
    risks: ["private"],
  },
  chart: {
    doing: "Drawing a chart",
    done: "Drew a chart",
    detail: "path",
    title: "Draw charts",
    summary: "Sends a chart with its answer.",
    group: "messages",
    risks: ["private", "files"],
  },
  send_to_agent: {
    doing: "Sending a message",
    done: "Sent a message",
    detail: "agent",
    title: "Leave notes",
    summary: "Leaves a note that another agent reads later.",
    group: "agents",
    risks: ["people"],
  },
  ask_agent: {
    doing: "Asking",
    done: "Asked",
    object: "agent",
    title: "Ask agents",
    summary: "Asks another agent and waits for its answer.",
    group: "agents",
    risks: ["private", "strangers", "people", "cost"],
  },
  delegate: {
    doing: "Delegating work",
    done: "Delegated work",
    detail: "task",
    title: "Delegate",
    summary: "Has work done in a separate run, which costs tokens too.",
    group: "agents",
    risks: ["private", "strangers", "cost"],
  },
  read_brain: {
    doing: "Looking up",
    done: "Looked up",
    object: "path",
    title: "Read brain files",
    summary: "Reads its own notes and instructions.",
    group: "memory",
    risks: ["private", "strangers"],
  },
  write_brain: {
    doing: "Saving",
    done: "Saved",
    object: "path",
    title: "Change brain files",
    summary: "Changes its own notes.",
    group: "memory",
    risks: ["files"],
  },
  remember: {
    doing: "Saving",
    done: "Saved",
    object: "text",
    title: "Remember",
    summary: "Keeps facts for later.",
    group: "memory",
    risks: ["files"],
  },
  recall: {
    doing: "Searching memory for",
    done: "Searched memory for",
    object: "query",
    title: "Search memory",
    summary: "Searches what it remembers.",
    group: "memory",
    risks: ["private", "strangers"],
  },
  forget: {
    doing: "Forgetting",
    done: "Forgot",
    object: "source",
    title: "Forget",
    summary: "Erases a message, file or note from its memory.",
    group: "memory",
    risks: ["files"],
  },
  schedule_task: {
    doing: "Scheduling",
    done: "Scheduled",
    object: "prompt",
    title: "Schedule tasks",
    summary: "Sets reminders and regular tasks for itself.",
    group: "automations",
    risks: ["cost"],
  },
  list_tasks: {
    doing: "Listing scheduled tasks",
    done: "Listed scheduled tasks",
    title: "List tasks",
    summary: "Lists its scheduled tasks.",
    group: "automations",
    risks: ["private"],
  },
  pause_task: {
    doing: "Pausing",
    done: "Paused",
    object: "name",
    title: "Pause tasks",
    summary: "Pauses its scheduled tasks.",
    group: "automations",
    risks: [],
  },
  resume_task: {
    doing: "Resuming",
    done: "Resumed",
    object: "name",
    title: "Resume tasks",
    summary: "Resumes its scheduled tasks.",
    group: "automations",
    risks: ["cost"],
  },
  cancel_task: {
    doing: "Cancelling",
    done: "Cancelled",
    object: "name",
    title: "Cancel tasks",
    summary: "Cancels its scheduled tasks.",
    group: "automations",
    risks: [],
  },
  find_tools: {
    doing: "Looking for a tool",
    done: "Looked for a tool",
    detail: "query",
    title: "Find tools",
    summary: "Looks up the tools that it rarely needs. Without it, every run lists all of them and costs more.",
    group: "house",
    risks: [],
  },
};

/** The words of built-in tools by name. People know an external tool by its name. */
export type WordTable<Words> = Readonly<Record<string, Words>>;

/** A macro: the build of the UI evaluates it, so that a page loads only these words. */
export const callWords = (): WordTable<CallWords> =>
  mapWords(({ title: _title, summary: _summary, group: _group, risks: _risks, ...call }) => call);

/** A macro, like `callWords`. */
export const settingWords = (): WordTable<SettingWords> =>
  mapWords(({ title, summary, group, risks }) => ({ title, summary, group, risks }));

const mapWords = <Words>(map: (row: CallWords & SettingWords) => Words): WordTable<Words> =>
  Object.fromEntries(Object.entries<CallWords & SettingWords>(words).map(([name, row]) => [name, map(row)]));
