/** Declares the tools that put something into a room: a message elsewhere, or a file or chart with the answer. */
import { z } from "zod";
import { MAX_CAPTION, MAX_FILE_NAME } from "../events/attachment.ts";
import { MAX_MESSAGE_LENGTH } from "../events/event.ts";
import { declareTool, MAX_CONTENT_BYTES } from "./tool.ts";

export const sendMessage = declareTool({
  name: "send_message",
  description: "Say something in another room. Here you just answer.",
  input: z.strictObject({ room: z.string().min(1).max(200), text: z.string().min(1).max(MAX_MESSAGE_LENGTH) }),
  // The message's id is derived from the step.
  effect: "keyed",
  traits: { readsUntrusted: false, readsPrivate: false, acts: true, destroys: false },
  sinks: ["room"],
  speaksIn: "room",
  runs: "host",
  workspace: "none",
  level: "w",
  needs: "person",
  discovery: "onDemand",
  timeoutMs: 10_000,
  words: {
    doing: "Sending a message",
    done: "Sent a message",
    detail: "room",
    title: "Write in other rooms",
    summary: "Sends messages to rooms where it is a member.",
    group: "messages",
    risks: ["people"],
  },
});

export const attach = declareTool({
  name: "attach",
  description: "Send a file of your workspace with your answer.",
  input: z.strictObject({
    path: z.string().min(1).max(4096),
    name: z.string().min(1).max(MAX_FILE_NAME).exactOptional(),
    caption: z.string().min(1).max(MAX_CAPTION).exactOptional(),
  }),
  // The upload's id is derived from the step, and the file joins the reply in the commit of the step.
  effect: "keyed",
  traits: { readsUntrusted: true, readsPrivate: true, acts: true, destroys: false },
  // The file goes to the readers of the answer, so no argument chooses the receivers. The owner must
  // have asked for this file.
  sinks: ["path"],
  staysInRoom: true,
  runs: "host",
  workspace: "reads",
  level: "w",
  needs: "nothing",
  discovery: "onDemand",
  timeoutMs: 120_000,
  words: {
    doing: "Attaching",
    done: "Attached",
    object: "path",
    title: "Attach files",
    summary: "Sends files of its workspace with its answer.",
    group: "messages",
    risks: ["private"],
  },
});

export const chart = declareTool({
  name: "chart",
  description: "Send a chart with your answer: a Vega-Lite spec with inline data, or of a CSV or JSON file at path.",
  input: z.strictObject({
    spec: z.record(z.string(), z.unknown()),
    path: z.string().min(1).max(4096).exactOptional(),
    name: z.string().min(1).max(MAX_FILE_NAME).exactOptional(),
    caption: z.string().min(1).max(MAX_CAPTION).exactOptional(),
  }),
  // As `attach`: the upload's id is derived from the step.
  effect: "keyed",
  traits: { readsUntrusted: true, readsPrivate: true, acts: true, destroys: false },
  sinks: ["path"],
  staysInRoom: true,
  runs: "host",
  workspace: "reads",
  level: "w",
  needs: "nothing",
  discovery: "onDemand",
  timeoutMs: 120_000,
  maxArgumentBytes: MAX_CONTENT_BYTES,
  words: {
    doing: "Drawing a chart",
    done: "Drew a chart",
    detail: "path",
    title: "Draw charts",
    summary: "Sends a chart with its answer.",
    group: "messages",
    risks: ["private", "files"],
  },
});
