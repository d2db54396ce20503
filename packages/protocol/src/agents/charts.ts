/** Charts: the request and the result of the process that draws them, with their limits. */
import { z } from "zod";

/** The folder of a workspace with the copies of the charts that were drawn. */
export const CHARTS = "charts";
/** Maximum size of the table of a chart. */
export const MAX_CHART_DATA_BYTES = 8 * 1024 * 1024;
/** Maximum size of the picture of a chart. */
export const MAX_CHART_BYTES = 1024 * 1024;

/** `table`: the text of a CSV, TSV or JSON file, which becomes the data of the chart. */
export const ChartRequest = z.object({ spec: z.record(z.string(), z.unknown()), table: z.string().exactOptional() });
export type ChartRequest = z.infer<typeof ChartRequest>;

/** `why` of a refusal is one sentence for the model. */
export const ChartResult = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("chart"), svg: z.string().max(MAX_CHART_BYTES) }),
  z.object({ kind: z.literal("refused"), why: z.string().max(2000) }),
]);
export type ChartResult = z.infer<typeof ChartResult>;
