import { expect, test } from "bun:test";
import {
  type FilePart,
  type FrameScope,
  inboxPath,
  kindOfType,
  MAX_INBOX_BYTES,
  type ModelMessage,
  type Part,
  UploadId,
  type WardenFrameBody,
} from "@hearth/protocol";
import { createTurnInbox } from "./turn-inbox.ts";

const scope = { agent: "a", room: "r", person: "p", session: "s", activation: "t" } as unknown as FrameScope;
const upload = UploadId.parse(`upl_${"0".repeat(26)}`);
const file = (digit: string, sizeBytes = 3): FilePart => ({
  ...{
    kind: kindOfType("text/csv"),
    type: "text/csv",
    name: `${digit}.csv`,
    sizeBytes,
    hash: digit.repeat(64),
    upload,
  },
});
const user = (...parts: Part[]): ModelMessage => ({ role: "user", text: "see", parts });

const setUp = (history: readonly ModelMessage[]) => {
  const events: string[] = [];
  const inbox = createTurnInbox({
    scope,
    history,
    cellLease: {
      send(frame: WardenFrameBody) {
        if (frame.type === "file-piece")
          events.push(`${frame.path} ${frame.data.length}${frame.isLast ? "" : "+"}${frame.stays ? " stays" : ""}`);
      },
    },
    readFile: async ({ name, sizeBytes }) => (name === "f.csv" ? undefined : new Uint8Array(sizeBytes)),
    labelReceived: async (paths) => void events.push(`label ${paths.join()}`),
    labelPermanent: async (paths) => void events.push(`label kept ${paths.join()}`),
  });
  return { inbox, take: () => events.splice(0) };
};

test("files are labelled, then sent in pieces, the newest first and each once", async () => {
  const text: Part = { kind: "text", text: "the beginning", file: file("2") };
  const { upload: _, ...ofTool } = file("9");
  const { inbox, take } = setUp([user(file("1", 1_500_000)), user(text), user(ofTool)]);
  await inbox.sendReceived();
  expect(take()).toEqual([
    "label inbox/2222222222222222-2.csv,inbox/1111111111111111-1.csv",
    "inbox/2222222222222222-2.csv 4",
    "inbox/1111111111111111-1.csv 1398104+",
    "inbox/1111111111111111-1.csv 601900",
  ]);
  inbox.addMessages([user(file("1", 1_500_000), file("f"), file("3"))]);
  await inbox.sendReceived();
  expect(take()).toEqual([
    "label inbox/ffffffffffffffff-f.csv,inbox/3333333333333333-3.csv",
    "inbox/3333333333333333-3.csv 4",
  ]);
  await inbox.sendReceived();
  expect(take()).toEqual([]);
});

test("a file that is too large for tools is not sent, and neither are the oldest beyond the limit", async () => {
  const large = (digit: string): ModelMessage => user(file(digit, 10 * 1024 * 1024));
  const { inbox, take } = setUp([large("1"), large("2"), large("3"), large("4"), user(file("5", MAX_INBOX_BYTES))]);
  await inbox.sendReceived();
  expect(take()[0]).toBe(`label ${["4", "3", "2"].map((digit) => inboxPath(file(digit))).join()}`);
});

test("files that a tool made are labelled, then sent as files that stay", async () => {
  const { inbox, take } = setUp([]);
  await inbox.sendPermanent([{ path: "pictures/a.png", bytes: new Uint8Array(1_500_000) }]);
  expect(take()).toEqual(["label kept pictures/a.png", "pictures/a.png 1398104+ stays", "pictures/a.png 601900 stays"]);
  await inbox.sendPermanent([]);
  expect(take()).toEqual([]);
});
