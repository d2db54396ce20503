/** The audio part of the OpenAI wire, for journeys. */
import { toWave } from "./wave.ts";

export const VOICE_KEY = "voice-key";

export interface VoiceServer extends Disposable {
  readonly baseUrl: string;
  /** The files that it transcribed. */
  readonly heard: Uint8Array[];
  /** The requests for speech. */
  readonly spoken: unknown[];
  /** The type of the speech. The bytes are always WAV. */
  speechType: string;
  fails: boolean;
}

export const createVoiceServer = (): VoiceServer => {
  const heard: Uint8Array[] = [];
  const spoken: unknown[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      if (request.headers.get("authorization") !== `Bearer ${VOICE_KEY}`) return new Response(null, { status: 401 });
      if (new URL(request.url).pathname === "/v1/audio/speech") {
        spoken.push(await request.json());
        if (voice.fails) return Response.json({ error: { message: "no such voice" } }, { status: 404 });
        return new Response(toWave(8000), { headers: { "content-type": voice.speechType } });
      }
      const file = (await request.formData()).get("file");
      if (file instanceof File) heard.push(await file.bytes());
      if (voice.fails) return Response.json({ error: { message: "no such model" } }, { status: 404 });
      return Response.json({ text: "Please water the tomatoes.", language: "english", duration: 1, segments: [] });
    },
  });
  const voice: VoiceServer = {
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    heard,
    spoken,
    speechType: "audio/wav",
    fails: false,
    [Symbol.dispose]: () => void server.stop(true),
  };
  return voice;
};

/** The table `[voice]` for this server. Its key is in `VOICE_KEY`. */
export const voiceTable = ({ baseUrl }: VoiceServer): string => {
  const wire = `kind = "openai", base_url = "${baseUrl}", api_key = "env:VOICE_KEY"`;
  return `[voice]\ntranscribe = { ${wire}, model = "whisper-1" }\nspeak = { ${wire} }\n`;
};
