/** Previews when a job would be due: the interpreted schedule and its first slots. */
import type { JobPreview, PreviewJob } from "@hearth/protocol";
import { readTerms } from "./jobs-file.ts";
import type { PhraseTimes } from "./time/phrase.ts";
import type { createSlotsOf } from "./time/slots.ts";
import { describe } from "./terms.ts";

const MAX_SLOTS = 3;

/** Returns the preview. `zone` is the default time zone. Throws `job.invalid`. */
export const previewJob = (
  { until }: Pick<PreviewJob, "until">,
  times: PhraseTimes,
  zone: string,
  slotsOf: ReturnType<typeof createSlotsOf>,
  now: number,
): JobPreview => {
  const from = times.every === undefined ? {} : { from: new Date(now).toISOString() };
  const fields = { prompt: "?", ...times, ...from, zone, ...(until === undefined ? {} : { until }) };
  const { schedule, until: end } = readTerms("preview", fields, zone);
  const slots = slotsOf(schedule, end);
  const nextSlots: number[] = [];
  for (let slot = slots.next(now); slot !== undefined && nextSlots.length < MAX_SLOTS; slot = slots.next(slot))
    nextSlots.push(slot);
  return { schedule, understood: describe(schedule, zone), next: nextSlots };
};
