import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import {
  type ByteStream,
  createLinkPair,
  DEFAULT_CELL_LIMITS,
  HearthError,
  MAX_INBOX_FILE_BYTES,
  type FilePart,
  type FrameScope,
  inboxPath,
  kindOfType,
  type ModelMessage,
  type Part,
  UploadId,
  type WardenFrameBody,
} from "@hearth/protocol";
import { createTurnInbox, type OpenFile, STALL_TIMEOUT_MS } from "./turn-inbox.ts";

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

const MIB = 1024 * 1024;

interface CellOfTest {
  readonly diskMiB?: number;
  readonly fileMiB?: number;
  /** The inmate's side of each stream. Default: it takes all and ends it. */
  readonly take?: (stream: ByteStream) => Promise<void>;
  readonly openFile?: OpenFile;
}

const setUp = (
  history: readonly ModelMessage[],
  { diskMiB = 400, fileMiB = 1024, take, openFile }: CellOfTest = {},
) => {
  const events: string[] = [];
  const world = createFakeWorld({ hash: () => "" });
  const stopper = new AbortController();
  const [link, inmate] = createLinkPair<WardenFrameBody, unknown>();
  inmate.handleStreams((stream) => {
    const taken =
      take?.(stream) ??
      (async () => {
        let length = 0;
        for await (const piece of stream.bytes) length += piece.length;
        events.push(`${stream.label} ${length}`);
        stream.end();
      })();
    taken.catch((error: unknown) => void events.push(String(error)));
  });
  const inbox = createTurnInbox({
    clock: world.clock,
    scope,
    history,
    signal: stopper.signal,
    cellLease: {
      send(frame: WardenFrameBody) {
        if (frame.type === "file-piece")
          events.push(`${frame.path} ${frame.data.length}${frame.isLast ? "" : "+"}${frame.stays ? " stays" : ""}`);
      },
      openStream: link.openStream,
      limits: { ...DEFAULT_CELL_LIMITS, diskMiB, fileMiB },
      reportViolation(why) {
        events.push(why);
        link.close();
      },
    },
    readFile: async ({ name, sizeBytes }) => (name === "f.csv" ? undefined : new Uint8Array(sizeBytes)),
    openFile:
      openFile ??
      (async ({ name, sizeBytes }) =>
        name === "f.csv"
          ? undefined
          : (async function* () {
              for (let at = 0; at < sizeBytes; at += MIB) yield new Uint8Array(Math.min(MIB, sizeBytes - at));
            })()),
    labelReceived: async (paths) => void events.push(`label ${paths.join()}`),
    labelPermanent: async (paths) => void events.push(`label kept ${paths.join()}`),
  });
  return { inbox, world, stopper, take: () => events.splice(0) };
};

test("files are labelled, then sent, the newest first and each once, and the larger ones in streams", async () => {
  const text: Part = { kind: "text", text: "the beginning", file: file("2") };
  const { upload: _, ...ofTool } = file("9");
  const { inbox, take } = setUp([user(file("1", 1_500_000)), user(text), user(ofTool)]);
  await inbox.sendReceived();
  expect(take()).toEqual([
    "label inbox/2222222222222222-2.csv,inbox/1111111111111111-1.csv",
    "inbox/2222222222222222-2.csv 4",
    "inbox t inbox/1111111111111111-1.csv 1500000",
  ]);
  inbox.addMessages([user(file("1", 1_500_000), file("f"), file("f", 2_000_000), file("3"))]);
  await inbox.sendReceived();
  expect(take()).toEqual([
    "label inbox/ffffffffffffffff-f.csv,inbox/3333333333333333-3.csv",
    "inbox/3333333333333333-3.csv 4",
  ]);
  await inbox.sendReceived();
  expect(take()).toEqual([]);
});

test("files use a quarter of the cell's disk, and none is larger than a file that the cell may write", async () => {
  const large = (digit: string): ModelMessage => user(file(digit, 10 * MIB));
  const history = [
    large("1"),
    large("2"),
    large("3"),
    large("4"),
    user(file("5", 31 * MIB)),
    user(file("6", 21 * MIB)),
  ];
  const { inbox, take } = setUp(history, { diskMiB: 120, fileMiB: 20 });
  await inbox.sendReceived();
  expect(take()[0]).toBe(`label ${["4", "3", "2"].map((digit) => inboxPath(file(digit))).join()}`);
  const none = setUp([user(file("1", MAX_INBOX_FILE_BYTES + 1))], { diskMiB: 40_000, fileMiB: 4096 });
  await none.inbox.sendReceived();
  expect(none.take()).toEqual([]);
});

test("small files beyond 32 MB are sent in streams, because frames do not wait for the cell", async () => {
  const history = Array.from({ length: 34 }, (_, index) =>
    user({ ...file("1", MIB), hash: index.toString(16).padStart(64, "0").split("").reverse().join("") }),
  );
  const { inbox, take } = setUp(history);
  await inbox.sendReceived();
  const [, ...sent] = take();
  expect(sent.filter((one) => one.startsWith("inbox t "))).toHaveLength(2);
  expect(sent).toHaveLength(34);
});

test("a cell that refuses a file does not end the turn, and one that takes nothing is closed", async () => {
  const refusing = setUp([user(file("1", 2 * MIB))], { take: async (stream) => stream.reset() });
  await refusing.inbox.sendReceived();
  expect(refusing.take()).toEqual(["label inbox/1111111111111111-1.csv"]);
  const idle = setUp([user(file("1", 2 * MIB))], { take: () => new Promise(() => {}) });
  const sending = idle.inbox.sendReceived();
  for (let turn = 0; turn < 20; turn += 1) await idle.world.advance(0);
  await idle.world.advance(STALL_TIMEOUT_MS);
  await sending;
  expect(idle.take().at(-1)).toBe("it did not take a file of a message");
});

test("a stop or a damaged file breaks the stream off", async () => {
  const stopped = setUp([user(file("1", 2 * MIB))], { take: () => new Promise(() => {}) });
  const sending = stopped.inbox.sendReceived();
  for (let turn = 0; turn < 20; turn += 1) await stopped.world.advance(0);
  stopped.stopper.abort();
  await sending;
  expect(stopped.take()).toEqual(["label inbox/1111111111111111-1.csv"]);
  const damaged = setUp([user(file("1", 2 * MIB))], {
    openFile: async () =>
      (async function* () {
        yield new Uint8Array(10);
        throw new HearthError("store.damaged", "A part is gone.");
      })(),
  });
  await damaged.inbox.sendReceived();
  await damaged.world.advance(0);
  expect(damaged.take().at(-1)).toStartWith("HearthError");
});

test("files that a tool made are labelled, then sent as files that stay", async () => {
  const { inbox, take } = setUp([]);
  await inbox.sendPermanent([{ path: "pictures/a.png", bytes: new Uint8Array(1_500_000) }]);
  expect(take()).toEqual(["label kept pictures/a.png", "pictures/a.png 1398104+ stays", "pictures/a.png 601900 stays"]);
  await inbox.sendPermanent([]);
  expect(take()).toEqual([]);
});
