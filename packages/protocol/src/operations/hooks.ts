/** Webhooks of chat platforms and jobs. */
import { z } from "zod";
import { UpdateTaken } from "../house/channel.ts";
import { JobHookTaken, MAX_HOOK_BODY } from "../agents/job.ts";
import { declareOperations } from "./operation.ts";

const BODY_ERRORS = ["request.too-large", "request.timeout"] as const;

export const channelHookOperations = declareOperations("Channels", {
  receive: {
    id: "receiveWebhook",
    method: "POST",
    path: "/hooks/{channel}",
    needs: "nothing",
    summary: "Takes an update of a chat platform",
    description:
      "The update is durable when this answers with success. After any other answer the platform may send it again.",
    params: { channel: z.string().min(1).max(64) },
    answers: { status: 200, schema: UpdateTaken },
    errors: ["channel.unknown", "channel.unverified", "channel.failed", ...BODY_ERRORS],
  },
});

export const jobHookOperations = declareOperations("Jobs", {
  call: {
    id: "callJobHook",
    method: "POST",
    path: "/hooks/jobs/{id}",
    needs: "nothing",
    summary: "Fires a job by its webhook",
    description: `The caller signs the request as in Standard Webhooks, with \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\`. The body is JSON or text of at most ${MAX_HOOK_BODY / 1024} KiB; the agent reads it as data below the job's prompt. A repeated \`webhook-id\` returns the first answer and does not fire the job again.`,
    params: { id: z.string().min(1).max(64) },
    answers: { status: 202, schema: JobHookTaken },
    errors: [
      "job.unverified",
      "job.paused",
      "job.busy",
      "secret.locked",
      "auth.limited",
      "request.unsupported",
      ...BODY_ERRORS,
    ],
  },
});
