/** The tables `[channels.NAME]`: a chat platform, the account there, and the agent that answers. */
import { Admission, ChannelMode, isHandle, nameToHandle } from "@hearth/protocol";
import { z } from "zod";
import type { SecretReference } from "../reference.ts";
import { Reference, createIssue, WebUrl } from "../values.ts";

export interface ChannelConfig {
  readonly kind: string;
  readonly token: SecretReference;
  readonly mode: ChannelMode;
  /** The handle of the agent that answers. */
  readonly agent: string;
  readonly baseUrl?: string;
  /** The URL at which the platform calls this house. Only in mode `webhook`. */
  readonly webhookUrl?: string;
  /**
   * The secret that authenticates webhook calls of the platform. Absent if it is derived from the
   * token.
   */
  readonly webhookSecret?: SecretReference;
  /** Which senders are admitted. Absent for paired senders. */
  readonly admission?: Admission;
}

const ChannelName = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{0,63}$/,
    "is not a valid channel name: use lower-case letters, digits and hyphens, beginning with a letter",
  );

const Agent = z.string().check(({ value, issues }) => {
  if (isHandle(value)) return;
  const handle = nameToHandle(value);
  issues.push(
    createIssue(
      value,
      "is not a valid agent handle",
      handle === "" ? "Use letters and digits." : `Write agent = "${handle}".`,
    ),
  );
});

const HookUrl = z.url({ protocol: /^https$/, error: "must be a URL that begins with https://" });

const { mode, allow, block, directOnly, mentionRequired, wake } = Admission.shape;
const AdmissionText = z.strictObject({
  mode,
  allow,
  block,
  direct_only: directOnly,
  mention_required: mentionRequired,
  wake,
});

const Fields = z.strictObject({
  kind: z.string(),
  token: Reference,
  mode: ChannelMode.default("poll"),
  agent: Agent.default("main"),
  base_url: WebUrl.optional(),
  webhook_url: HookUrl.optional(),
  webhook_secret: Reference.optional(),
  admission: AdmissionText.optional(),
});
type Fields = z.infer<typeof Fields>;

export const Channels = z.record(
  ChannelName,
  Fields.check(({ value, issues }) => {
    if (value.mode === "webhook" && value.webhook_url === undefined) {
      const hint = 'Write webhook_url = "https://YOUR-HOST/hooks/NAME", or mode = "poll", which needs no URL.';
      issues.push(
        createIssue(value, 'must be the URL where the platform reaches this house, because mode is "webhook"', hint, [
          "webhook_url",
        ]),
      );
    }
    for (const key of ["webhook_url", "webhook_secret"] as const) {
      if (value.mode === "webhook" || value[key] === undefined) continue;
      issues.push(
        createIssue(value, 'is only valid with mode = "webhook"', "Change the mode, or remove the key.", [key]),
      );
    }
  }),
);

const toAdmission = ({
  direct_only: isDirectOnly,
  mention_required: isMentionRequired,
  ...rest
}: z.infer<typeof AdmissionText>): Admission => ({
  ...rest,
  ...(isDirectOnly === undefined ? {} : { directOnly: isDirectOnly }),
  ...(isMentionRequired === undefined ? {} : { mentionRequired: isMentionRequired }),
});

export const toChannel = (text: Fields): ChannelConfig => ({
  kind: text.kind,
  token: text.token,
  mode: text.mode,
  agent: text.agent,
  ...(text.base_url === undefined ? {} : { baseUrl: text.base_url }),
  ...(text.webhook_url === undefined ? {} : { webhookUrl: text.webhook_url }),
  ...(text.webhook_secret === undefined ? {} : { webhookSecret: text.webhook_secret }),
  ...(text.admission === undefined ? {} : { admission: toAdmission(text.admission) }),
});
