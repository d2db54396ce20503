/** Delivers a row that is spoken: makes the audio of its text, and sends it as a voice message. */
import { type ErrorBody, isHearthError, showSize, toErrorBody } from "@hearth/protocol";
import type { OutboxRow } from "../../kernel/index.ts";
import type { Channel, SendResult } from "../channel.ts";
import type { KeptSpeech, Speeches } from "../speech/speeches.ts";

export type SpeechSource = Pick<Speeches, "of">;

/**
 * Returns the audio of the row, the reason why it cannot be made, or `aborted` if the house ends. A
 * failure is never retried, because the text has arrived and later messages wait for this row.
 */
export const makeSpeech = async (
  speeches: SpeechSource,
  { room, event, body }: OutboxRow,
): Promise<KeptSpeech | "aborted" | { readonly refused: ErrorBody }> => {
  try {
    // A row that is spoken always has the room and the event of its message.
    const speech = await speeches.of(room as NonNullable<typeof room>, {
      id: event as NonNullable<typeof event>,
      text: body,
    });
    return speech ?? { refused: offError };
  } catch (error) {
    if (isHearthError(error, "provider.aborted")) return "aborted";
    if (!isHearthError(error)) return { refused: unmadeError };
    return { refused: { ...toErrorBody(error), message: `The reply was not spoken: ${error.message}` } };
  }
};

/** Sends the audio. Never throws. */
export const sendSpeech = async (
  channel: Channel,
  row: OutboxRow,
  { bytes, type }: KeptSpeech,
  signal: AbortSignal,
): Promise<SendResult> => {
  const maxBytes = channel.traits.files?.maxBytes ?? 0;
  if (channel.sendFile === undefined || bytes.length > maxBytes)
    return { kind: "refused", error: tooLargeError(bytes.length) };
  const { conversation, reply_to: replyTo, id: key } = row;
  return channel.sendFile(
    {
      conversation,
      name: type === "audio/wav" ? "reply.wav" : "reply.mp3",
      type,
      isVoice: true,
      bytes: new Uint8Array(bytes),
      key,
      ...(replyTo === null ? {} : { replyTo }),
    },
    signal,
  );
};

/** The text contains a secret that the house learned after the reply, so its audio may contain it too. */
export const secretError: ErrorBody = {
  code: "channel.refused",
  message: "The reply was not spoken, because its text contains a secret of the house.",
};

const offError: ErrorBody = {
  code: "voice.off",
  message: "The reply was not spoken, because this house has no provider of speech.",
  hint: "An administrator can set a provider in the settings, on the page Models, or with: hearth voice set speak",
};

const unmadeError: ErrorBody = {
  code: "channel.failed",
  message: "The reply was not spoken, because its audio could not be stored.",
  hint: "Check the disk: hearth doctor",
};

const tooLargeError = (sizeBytes: number): ErrorBody => ({
  code: "channel.refused",
  message: `The reply was not spoken, because the channel does not take audio of ${showSize(sizeBytes)}.`,
  hint: "Its reader can listen to it in the room, in the house.",
});
