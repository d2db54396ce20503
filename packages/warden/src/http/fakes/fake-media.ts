/** Providers of speech and pictures that a test can set. Their settings are kept in memory. */
import type { MediaInfo, MediaPart } from "@hearth/protocol";
import type { Media } from "../../models/media/media.ts";

export const createFakeMedia = (): Media => {
  const infos = new Map<MediaPart, MediaInfo>(
    (["transcribe", "speak", "pictures", "describe"] as const).map((part) => [part, createOffInfo(part)]),
  );
  return {
    list: async () => [...infos.values()],
    async set(part, { key, ...settings }) {
      const apiKey = key === undefined ? settings.apiKey : `file:keys/media.${part}`;
      const info: MediaInfo = {
        part,
        state: "ready",
        detail: settings.kind,
        kinds: [],
        settings: apiKey === undefined ? settings : { ...settings, apiKey },
      };
      infos.set(part, info);
      return info;
    },
    async remove(part) {
      infos.set(part, createOffInfo(part));
    },
    async test(part, { admit }) {
      const isOn = infos.get(part)?.state === "ready";
      const admission = await admit({ costAtMost: 1, model: "test/model", kind: "voice" });
      if (admission.kind === "allowed") admission.settle(1);
      return { ok: isOn, detail: isOn ? "it answers" : "it is off", durationMs: 1 };
    },
    testNew: async (_part, { kind }) => ({ ok: true, detail: `${kind} answers`, durationMs: 1 }),
  };
};

const createOffInfo = (part: MediaPart): MediaInfo => ({ part, state: "off", detail: `${part} is off`, kinds: [] });
