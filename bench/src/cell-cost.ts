/** Measures a frame and a command in a warm cell. A separate program opens the cell as the daemon does. */
import { fileURLToPath } from "node:url";
import type { Figure, Finding, Target } from "./bench.ts";
import type { MeasuredKind } from "./cell-kinds.ts";
import { startChild } from "./child.ts";
import { type Site, temporaryFolder } from "./site.ts";
import { median, percentile } from "./statistics.ts";
import { show } from "./table.ts";

const PROGRAM = fileURLToPath(new URL("../../packages/warden/src/adapter/bun/cells/cost.ts", import.meta.url));

/** The output of the program, in milliseconds. */
interface Cost {
  readonly echo: readonly number[];
  readonly shell: readonly number[];
  readonly bare: readonly number[];
}

export const measureFrames = async (
  site: Site,
  kind: MeasuredKind,
  target: Target | undefined,
): Promise<readonly Finding[]> => {
  await using folder = await temporaryFolder(site);
  await using child = startChild(site, {
    command: [process.execPath, "--no-install", PROGRAM, kind, folder.path],
    cwd: site.root,
  });
  const cost = JSON.parse((await child.line("{")).text) as Cost | { readonly skipped: string };
  if ("skipped" in cost) return [{ what: `${kind}: a frame, a command`, skipped: cost.skipped }];
  const { echo, shell, bare } = cost;
  const over = shell.map((time, index) => time - (bare[index] ?? 0));
  return [
    toFigure(`${kind}: a frame there and back`, echo),
    toFigure(`${kind}: the shell's \`true\``, shell),
    {
      ...toFigure(`${kind}: the same over bare`, over, `; bare ${show(median(bare))}`),
      ...(target === undefined ? {} : { target }),
    },
  ];
};

const toFigure = (what: string, times: readonly number[], more = ""): Figure => ({
  ...({ what, value: median(times), unit: "ms", samples: times.length } as const),
  note: `median; p99 ${show(percentile(times, 99))}${more}`,
});
