/**
 * What people read about the calls of each tool. Separate from the declarations, so that a browser
 * loads no schemas for it.
 */
import type { ToolInput, ToolName } from "./index.ts";

export interface ToolWords<Field extends string = string> {
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

type WordsOf<Name extends ToolName> = ToolWords<Extract<keyof ToolInput<Name>, string>>;

const words: { readonly [Name in ToolName]: WordsOf<Name> } = {
  read: { doing: "Reading", done: "Read", object: "path" },
  write: { doing: "Writing", done: "Wrote", object: "path", change: "whole" },
  edit: { doing: "Changing", done: "Changed", object: "path", change: "replacement" },
  apply_patch: { doing: "Changing files", done: "Changed files", change: "patch" },
  list: { doing: "Listing files", done: "Listed files", detail: "path" },
  glob: { doing: "Looking for files", done: "Looked for files", detail: "pattern" },
  grep: { doing: "Searching for", done: "Searched for", object: "pattern" },
  shell: { doing: "Running a command", done: "Ran a command", detail: "command", command: "command" },
  processes: { doing: "Checking commands", done: "Checked commands" },
  git: { doing: "Running git", done: "Ran git" },
  image: { doing: "Looking at", done: "Looked at", object: "path" },
  image_generate: { doing: "Making a picture", done: "Made a picture", detail: "prompt" },
  image_edit: { doing: "Changing the picture", done: "Changed the picture", object: "path" },
  hardware_info: { doing: "Checking the hardware", done: "Checked the hardware" },
  time: { doing: "Checking the time", done: "Checked the time", detail: "zone" },
  house_query: { doing: "Looking up", done: "Looked up", object: "about" },
  http_fetch: { doing: "Reading", done: "Read", object: "url" },
  web_search: { doing: "Searching the web for", done: "Searched the web for", object: "query" },
  ask_source: { doing: "Asking", done: "Asked", object: "from" },
  send_message: { doing: "Sending a message", done: "Sent a message", detail: "room" },
  attach: { doing: "Attaching", done: "Attached", object: "path" },
  chart: { doing: "Drawing a chart", done: "Drew a chart", detail: "path" },
  send_to_agent: { doing: "Sending a message", done: "Sent a message", detail: "agent" },
  ask_agent: { doing: "Asking", done: "Asked", object: "agent" },
  delegate: { doing: "Delegating work", done: "Delegated work", detail: "task" },
  read_brain: { doing: "Looking up", done: "Looked up", object: "path" },
  write_brain: { doing: "Saving", done: "Saved", object: "path" },
  remember: { doing: "Saving", done: "Saved", object: "text" },
  recall: { doing: "Searching memory for", done: "Searched memory for", object: "query" },
  forget: { doing: "Forgetting", done: "Forgot", object: "source" },
  schedule_task: { doing: "Scheduling", done: "Scheduled", object: "prompt" },
  list_tasks: { doing: "Listing scheduled tasks", done: "Listed scheduled tasks" },
  pause_task: { doing: "Pausing", done: "Paused", object: "name" },
  resume_task: { doing: "Resuming", done: "Resumed", object: "name" },
  cancel_task: { doing: "Cancelling", done: "Cancelled", object: "name" },
  find_tools: { doing: "Looking for a tool", done: "Looked for a tool", detail: "query" },
};

/** Undefined for an external tool, which people know by its name. */
export const toolWords = (name: string): ToolWords | undefined =>
  Object.hasOwn(words, name) ? words[name as ToolName] : undefined;
