import { expect, test } from "bun:test";
import type { ChartRequest, ChartResult } from "@hearth/protocol/charts";
import type { HostCall } from "../call.ts";
import { chart } from "./chart.ts";
import type { ReplyFileParts } from "../parts.ts";

/** The parts that the tool uses: a workspace with one file, and a store that keeps what it is sent. */
const open = (result: ChartResult, bytes: Uint8Array, sizeBytes = bytes.length) => {
  const seen: { request?: ChartRequest; opened?: string; name?: string; stored?: string } = {};
  const parts = {
    world: {
      ids: { derive: (kind: string) => `${kind}_1` },
      hasher: () => ({ update: () => {}, digest: () => "0123456789abcdef" }),
    },
    documents: {
      draw: async (request: ChartRequest) => {
        seen.request = request;
        return result;
      },
    },
    brains: {
      open: async () => ({
        workspace: {
          open: async (path: string) => {
            seen.opened = path;
            return {
              path,
              sizeBytes,
              read: async function* () {
                yield bytes;
              },
            };
          },
        },
      }),
    },
    leakScan: { scanFile: () => ({ hasSecret: (piece: Uint8Array) => textOf(piece).includes("hush") }) },
    uploads: {
      attachmentsOf: async () => [],
      storeFile: async (_owner: unknown, file: { name: string; read(): AsyncIterable<Uint8Array> }) => {
        seen.name = file.name;
        for await (const piece of file.read()) seen.stored = textOf(piece);
        return { hash: "h" };
      },
      planMessage: async () => ({ attachments: [], guards: [], writes: [] }),
    },
  };
  const call = {
    activation: { id: "act_1", parent: null, room: "room_1" },
    agent: {},
    step: 3,
    workspaceRoot: "rooms/1",
  };
  return {
    seen,
    run: (input: Parameters<typeof chart>[0]) =>
      chart(input, call as never as HostCall, parts as never as ReplyFileParts),
  };
};

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const DRAWN: ChartResult = { kind: "chart", svg: "<svg>ä</svg>" };

test("the file of the room's workspace is the data, and the picture has its name", async () => {
  const { seen, run } = open(DRAWN, bytesOf("a,b\n1,2\n"));
  expect((await run({ spec: { mark: "bar" }, path: "reports/may.csv" })).failed).toBe(false);
  expect(seen).toEqual({
    request: { spec: { mark: "bar" }, table: "a,b\n1,2\n" },
    opened: "rooms/1/reports/may.csv",
    name: "may.svg",
    stored: "<svg>ä</svg>",
  });
});

test("without a path no file is read, and the picture has a name with the extension of a picture", async () => {
  const { seen, run } = open(DRAWN, bytesOf(""));
  await run({ spec: {} });
  expect([seen.request, seen.opened, seen.name]).toEqual([{ spec: {} }, undefined, "chart.svg"]);
  await run({ spec: {}, name: "Mai" });
  expect(seen.name).toBe("Mai.svg");
});

test("a copy of the chart is for the workspace, with a name of its content", async () => {
  const { run } = open(DRAWN, bytesOf("a,b\n1,2\n"));
  const bytes = bytesOf("<svg>ä</svg>");
  const { text, files } = await run({ spec: {}, name: "Mai / Juni.svg" });
  expect(files).toEqual([{ path: "charts/Mai-Juni-01234567.svg", bytes }]);
  expect(text).toEndWith("A copy is in your workspace: charts/Mai-Juni-01234567.svg");
  expect((await run({ spec: {}, name: "!" })).files).toEqual([{ path: "charts/chart-01234567.svg", bytes }]);
});

test("a refusal is the outcome, and nothing is stored", async () => {
  const { seen, run } = open({ kind: "refused", why: "It is too large." }, bytesOf(""));
  expect(await run({ spec: {} })).toEqual({ text: "The chart was not drawn. It is too large.", failed: true });
  expect(seen.name).toBeUndefined();
});

test("a file that is too large, not a text, or outside the workspace is not drawn", async () => {
  const large = open(DRAWN, bytesOf("a"), 8 * 1024 * 1024 + 1);
  expect((await large.run({ spec: {}, path: "a.csv" })).text).toBe(
    'The chart was not drawn. "a.csv" has more than 8 MiB. Aggregate it in the workspace first.',
  );
  const binary = open(DRAWN, Uint8Array.of(0xff, 0xfe));
  expect((await binary.run({ spec: {}, path: "a.csv" })).text).toBe(
    'The chart was not drawn. "a.csv" is not a text in UTF-8. Save it as CSV or JSON.',
  );
  expect((await binary.run({ spec: {}, path: "../a.csv" })).text).toContain("is not a path in your workspace");
  expect([large.seen.request, binary.seen.request]).toEqual([undefined, undefined]);
});

test("A55: a picture with a secret of the house is not stored", async () => {
  const { seen, run } = open({ kind: "chart", svg: "<svg>hush</svg>" }, bytesOf(""));
  const { text, failed } = await run({ spec: {} });
  expect([failed, seen.stored]).toEqual([true, undefined]);
  expect(text).toContain("contains a secret of this house");
});
