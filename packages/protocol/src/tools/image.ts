/** Declares the tools for pictures: to look at one of the workspace, to make new ones, and to change one. */
import { z } from "zod";
import { declareTool } from "./tool.ts";

export const image = declareTool({
  name: "image",
  description: "Look at a picture file.",
  input: z.strictObject({ path: z.string() }),
  effect: "pure",
  // An image can contain text that a stranger wrote.
  traits: { readsUntrusted: true, readsPrivate: true, acts: false, destroys: false },
  sinks: [],
  runs: "cell",
  workspace: "reads",
  level: "r",
  // Useful only for models with vision.
  needs: "person",
  discovery: "onDemand",
  timeoutMs: 10_000,
  words: {
    doing: "Looking at",
    done: "Looked at",
    object: "path",
    title: "Look at pictures",
    summary: "Looks at picture files of its workspace.",
    group: "files",
    risks: ["private", "strangers"],
  },
});

/** Maximum number of pictures of one call. */
export const MAX_PICTURES = 4;
/** Maximum length of a prompt, in UTF-16 code units. */
const MAX_PROMPT_LENGTH = 8_000;

export const PICTURE_SIZES = ["square", "wide", "tall"] as const;
export type PictureSize = (typeof PICTURE_SIZES)[number];

/**
 * The folder of a workspace with copies of the pictures that its agent had made. A name there ends
 * in a part of the content's hash.
 */
export const PICTURES = "pictures";

const inputFields = {
  prompt: z.string().min(1).max(MAX_PROMPT_LENGTH),
  size: z.enum(PICTURE_SIZES).exactOptional(),
  n: z.int().min(1).max(MAX_PICTURES).exactOptional(),
};

/** A provider charges for each call, so a call with an unknown outcome is never repeated. */
const generationTraits = {
  effect: "plain",
  // The prompt leaves the house, so it is what the owner has to have asked for.
  runs: "host",
  level: "w",
  needs: "nothing",
  part: "pictures",
  discovery: "onDemand",
  timeoutMs: 600_000,
} as const;

export const imageGenerate = declareTool({
  ...generationTraits,
  name: "image_generate",
  description: "Make pictures from a prompt and send them with your answer. Each one costs money.",
  input: z.strictObject(inputFields),
  traits: { readsUntrusted: false, readsPrivate: false, acts: true, destroys: false },
  sinks: ["prompt"],
  workspace: "none",
  words: {
    doing: "Making a picture",
    done: "Made a picture",
    detail: "prompt",
    title: "Make pictures",
    summary: "Sends a prompt to the picture provider of this house.",
    group: "messages",
    risks: ["leaves", "cost"],
  },
});

export const imageEdit = declareTool({
  ...generationTraits,
  name: "image_edit",
  description:
    "Make a changed copy of a picture and send it with your answer. path: a workspace file or the name of a picture of this room. mask: a picture whose transparent parts change.",
  input: z.strictObject({
    path: z.string().min(1).max(4096),
    ...inputFields,
    mask: z.string().min(1).max(4096).exactOptional(),
  }),
  traits: { readsUntrusted: true, readsPrivate: true, acts: true, destroys: false },
  sinks: ["prompt", "path", "mask"],
  workspace: "reads",
  words: {
    doing: "Changing the picture",
    done: "Changed the picture",
    object: "path",
    title: "Change pictures",
    summary: "Sends a picture and a prompt to the picture provider of this house.",
    group: "messages",
    risks: ["private", "leaves", "cost"],
  },
});
