import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isHearthError } from "@hearth/protocol";
import { saveDownload } from "./save-download.ts";

test("a download that is cut leaves no file, and its error does not claim that the house is stopped", async () => {
  const folder = await mkdtemp(join(tmpdir(), "hearth-download-"));
  let count = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      count += 1;
      if (count === 1) controller.enqueue(new Uint8Array(10));
      else controller.error(new Error("the connection was closed"));
    },
  });
  const path = join(folder, "saved");
  const error: unknown = await saveDownload(new Response(body), path).catch((thrown: unknown) => thrown);
  expect([isHearthError(error, "request.invalid"), existsSync(path)]).toEqual([true, false]);
  await rm(folder, { recursive: true });
});
