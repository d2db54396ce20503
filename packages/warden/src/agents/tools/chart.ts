/**
 * Draws a chart and attaches it to the turn's reply, like a file with `attach`. The data comes from
 * the specification or from a file of the workspace. The chart is drawn in a separate cell.
 */
import { HearthError } from "@hearth/protocol";
import { MAX_CHART_DATA_BYTES } from "@hearth/protocol/charts";
import { attachToReply, type NewFile, openInWorkspace } from "./attach.ts";
import type { HostCall } from "./call.ts";
import type { HostParts, RunHostTool } from "./tool.ts";

export const chart: RunHostTool<"chart"> = ({ spec, path, name, caption }, call, parts) => {
  const produce = async (): Promise<NewFile> => {
    const table = path === undefined ? {} : { table: await readTable(path, call, parts) };
    const result = await parts.documents.draw({ spec, ...table });
    if (result.kind === "refused") throw refused(result.why);
    return toFile(nameOf(name, path), result.svg);
  };
  return attachToReply({ caption, produce }, call, parts);
};

const readTable = async (path: string, call: HostCall, parts: HostParts): Promise<string> => {
  const file = await openInWorkspace(path, call, parts);
  if (file.sizeBytes > MAX_CHART_DATA_BYTES)
    throw refused(
      `${JSON.stringify(path)} has more than ${MAX_CHART_DATA_BYTES >> 20} MiB. Aggregate it in the workspace first.`,
    );
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  try {
    for await (const piece of file.read(0, file.sizeBytes)) text += decoder.decode(piece, { stream: true });
    return text + decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw refused(`${JSON.stringify(path)} is not a text in UTF-8. Save it as CSV or JSON.`);
  }
};

const refused = (why: string): HearthError => new HearthError("tool.denied", `The chart was not drawn. ${why}`);

/** "sales.csv" gives "sales.svg". Clients recognise the picture by its extension. */
const nameOf = (name: string | undefined, path: string | undefined): string => {
  const whole = name ?? path?.slice(path.lastIndexOf("/") + 1) ?? "chart";
  return `${whole.replace(/\.(svg|csv|tsv|json)$/iu, "")}.svg`;
};

const toFile = (name: string, svg: string): NewFile => {
  const bytes = new TextEncoder().encode(svg);
  return {
    name,
    sizeBytes: bytes.length,
    async *read(from, to) {
      yield bytes.subarray(from, to);
    },
  };
};
