import { expect, test } from "bun:test";
import { describeAsk } from "./ask-words.ts";

test.each([
  [
    "shell does more than read, and this agent asks before such calls.",
    "This agent asks before each call that does more than read.",
  ],
  ["forget is destructive: it cannot be undone.", "The call cannot be undone."],
  ["http_fetch contains a link that you did not write.", "The call contains a link that you did not write."],
  [
    "http_fetch contains a link that you did not write, after reading https://a.example, b.md and 2 more.",
    "The call contains a link that you did not write. The agent has read text from https://a.example, b.md and 2 more.",
  ],
  [
    "send_message has a destination that you did not write, after reading b\u202e.md.",
    "The call sends data to a place that you did not name. The agent has read text from b‹U+202E›.md.",
  ],
  [
    "shell does not say where it sends data, and this turn has read untrusted text.",
    "The call does not say where it sends data, and the agent has read text by strangers.",
  ],
  ["The limit of today is used\u202e up.", "The limit of today is used‹U+202E› up."],
])("the reason %s", (text, words) => expect(describeAsk({ text })).toBe(words));
