import { expect, test } from "bun:test";
import {
  ActivationId,
  type ByteStream,
  type FrameScope,
  HearthError,
  inboxStreamLabel,
  type WardenFrame,
} from "@hearth/protocol";
import { createInbox } from "./inbox.ts";

const turn = (digit: string): ActivationId => ActivationId.parse(`act_${digit.repeat(26)}`);
const piece = (activation: ActivationId, path: string, text: string, isLast = true, stays?: true) =>
  ({
    ...({ type: "file-piece", id: 1, at: 0 } as const),
    ...({ agent: "a", room: "r", person: "p", session: "s", activation } as unknown as FrameScope),
    ...{ path, data: btoa(text), isLast, ...(stays === undefined ? {} : { stays }) },
  }) satisfies Extract<WardenFrame, { type: "file-piece" }>;

const textOf = async (bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<string> => {
  if (bytes instanceof Uint8Array) return new TextDecoder().decode(bytes);
  let text = "";
  for await (const piece of bytes) text += new TextDecoder().decode(piece);
  return text;
};

/** A stream of these texts, and how the inmate ended it. An error breaks it off. */
const streamOf = (label: string, ...pieces: readonly (string | Error)[]) => {
  const ended = Promise.withResolvers<"ended" | "reset">();
  const stream: ByteStream = {
    label,
    bytes: (async function* () {
      for (const piece of pieces) {
        if (typeof piece !== "string") throw piece;
        yield new TextEncoder().encode(piece);
      }
    })(),
    write: async () => {},
    end: () => ended.resolve("ended"),
    reset: () => ended.resolve("reset"),
  };
  return { stream, ended: ended.promise };
};

const setUp = (left: readonly string[] = []) => {
  const files = new Map<string, string>(left.map((path) => [path, "old"]));
  const inbox = createInbox({
    inbox: {
      async writeReceived(path, bytes) {
        if (path.endsWith("full")) throw new HearthError("tool.failed", "The disk is full.");
        files.set(path, await textOf(bytes));
      },
      async writePermanent(path, bytes) {
        files.set(path, `${new TextDecoder().decode(bytes)} (own)`);
      },
      async remove(path) {
        if (!files.delete(path)) throw new HearthError("tool.not-found", "It is gone.");
      },
      async clear() {
        files.clear();
      },
    },
  });
  ["1", "2"].map(turn).forEach(inbox.open);
  return { inbox, files: () => Object.fromEntries(files) };
};

test("the pieces of a file are one file, in place before the call and gone after the turn", async () => {
  const { inbox, files } = setUp(["inbox/left"]);
  inbox.addPiece(piece(turn("1"), "inbox/a", "one ", false));
  inbox.addPiece(piece(turn("1"), "inbox/b", "other"));
  inbox.addPiece(piece(turn("1"), "inbox/a", "two"));
  expect(await inbox.whenReady(turn("1"))).toBeUndefined();
  expect(files()).toEqual({ "inbox/a": "one two", "inbox/b": "other" });
  await inbox.drop(turn("1"));
  expect(files()).toEqual({});
});

test("a file of two turns stays until the last one ends", async () => {
  const { inbox, files } = setUp();
  inbox.addPiece(piece(turn("1"), "inbox/a", "x"));
  inbox.addPiece(piece(turn("2"), "inbox/a", "x"));
  await Promise.all([inbox.whenReady(turn("1")), inbox.whenReady(turn("2"))]);
  await inbox.drop(turn("1"));
  expect(files()).toEqual({ "inbox/a": "x" });
  await inbox.drop(turn("2"));
  expect(files()).toEqual({});
});

test("a file that cannot be placed fails one call, and a file that a command has moved fails nothing", async () => {
  const { inbox, files } = setUp();
  inbox.addPiece(piece(turn("1"), "inbox/full", "x"));
  expect(await inbox.whenReady(turn("1"))).toBe("A file is not in your workspace: The disk is full.");
  expect(await inbox.whenReady(turn("1"))).toBeUndefined();
  inbox.addPiece(piece(turn("1"), "inbox/a", "x"));
  await inbox.whenReady(turn("1"));
  await setUp().inbox.drop(turn("1"));
  await inbox.drop(turn("1"));
  await inbox.drop(turn("1"));
  expect(files()).toEqual({});
});

test("a file that stays is in place before the next call and after the turn", async () => {
  const { inbox, files } = setUp();
  inbox.addPiece(piece(turn("1"), "pictures/a.png", "one ", false, true));
  inbox.addPiece(piece(turn("1"), "pictures/a.png", "two", true, true));
  expect(await inbox.whenReady(turn("1"))).toBeUndefined();
  await inbox.drop(turn("1"));
  expect(files()).toEqual({ "pictures/a.png": "one two (own)" });
});

test("files that an earlier cell left are gone before the first call, also of a turn without files", async () => {
  const { inbox, files } = setUp(["inbox/left"]);
  await inbox.drop(turn("1"));
  expect(files()).toEqual({});
});

test("a piece for a turn that has ended leaves no file", async () => {
  const { inbox, files } = setUp();
  await inbox.drop(turn("1"));
  inbox.addPiece(piece(turn("1"), "inbox/a", "x"));
  expect(await inbox.whenReady(turn("1"))).toBeUndefined();
  expect(files()).toEqual({});
});

test("a file that one turn drops while another takes it is in place for the other", async () => {
  const { inbox, files } = setUp();
  inbox.addPiece(piece(turn("1"), "inbox/a", "x"));
  await inbox.whenReady(turn("1"));
  const dropped = inbox.drop(turn("1"));
  inbox.addPiece(piece(turn("2"), "inbox/a", "x"));
  await Promise.all([dropped, inbox.whenReady(turn("2"))]);
  expect(files()).toEqual({ "inbox/a": "x" });
});

test("a file of a stream is in place when the inmate ends the stream, and gone after the turn", async () => {
  const { inbox, files } = setUp();
  const { stream, ended } = streamOf(inboxStreamLabel(turn("1"), "inbox/a b"), "one ", "two");
  inbox.takeStream(stream);
  expect(await ended).toBe("ended");
  expect(files()).toEqual({ "inbox/a b": "one two" });
  const again = streamOf(inboxStreamLabel(turn("2"), "inbox/a b"), "one ", "two");
  inbox.takeStream(again.stream);
  expect(await again.ended).toBe("reset");
  await inbox.drop(turn("1"));
  expect(files()).toEqual({ "inbox/a b": "one two" });
  await inbox.drop(turn("2"));
  expect(files()).toEqual({});
});

test("a stream that breaks off or cannot be stored fails one call", async () => {
  const { inbox, files } = setUp();
  const broken = streamOf(inboxStreamLabel(turn("1"), "inbox/a"), "one ", new Error("the link broke"));
  inbox.takeStream(broken.stream);
  expect(await broken.ended).toBe("reset");
  expect(await inbox.whenReady(turn("1"))).toBe(
    'A file is not in your workspace: "inbox/a" did not arrive completely.',
  );
  expect(await inbox.whenReady(turn("1"))).toBeUndefined();
  const full = streamOf(inboxStreamLabel(turn("1"), "inbox/full"), "x");
  inbox.takeStream(full.stream);
  expect(await full.ended).toBe("reset");
  expect(await inbox.whenReady(turn("1"))).toContain("The disk is full.");
  expect(files()).toEqual({});
});

test("a stream of another kind, outside of the folder, or for a turn that has ended, is reset", async () => {
  const { inbox, files } = setUp();
  await inbox.drop(turn("2"));
  const labels = ["egress", `inbox ${turn("1")} ../a`, inboxStreamLabel(turn("2"), "inbox/a")];
  for (const label of labels) {
    const { stream, ended } = streamOf(label, "x");
    inbox.takeStream(stream);
    expect([label, await ended]).toEqual([label, "reset"]);
  }
  expect(files()).toEqual({});
});
