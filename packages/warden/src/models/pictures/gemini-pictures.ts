/**
 * The Gemini wire, `POST /models/MODEL:generateContent` with pictures as inline data. It makes one
 * picture per request. https://ai.google.dev/gemini-api/docs/image-generation
 */
import { HearthError } from "@hearth/protocol";
import type { PictureSize } from "@hearth/protocol/tools";
import { malformedError } from "../resilience/failure.ts";
import { asArray, asObject, asText, parseJson } from "../wires/json.ts";
import { type VendorAnswer, callVendor } from "../wires/vendor-call.ts";
import { fromBase64 } from "./openai-pictures.ts";
import { checkPictures } from "./picture-bytes.ts";
import {
  MAX_PICTURE_ANSWER_BYTES,
  type Picture,
  PICTURE_LIMIT_MS,
  type PictureOrder,
  type PictureProviderFactory,
} from "./picture-provider.ts";

export const GEMINI_URL = "https://generativelanguage.googleapis.com/v1beta";
export const GEMINI_PICTURE_MODEL = "gemini-3.1-flash-image";

const RATIOS: Readonly<Record<PictureSize, string>> = { square: "1:1", wide: "3:2", tall: "2:3" };

export const createGeminiPictures: PictureProviderFactory = (options) => {
  const makeOne = async (order: PictureOrder, signal: AbortSignal): Promise<readonly Picture[]> => {
    const { baseUrl = GEMINI_URL, apiKey, model = GEMINI_PICTURE_MODEL } = options;
    const pictureBytes = await callVendor(
      options,
      {
        url: `${baseUrl}/models/${encodeURIComponent(model)}:generateContent`,
        headers: {
          "content-type": "application/json",
          ...(apiKey === undefined ? {} : { "x-goog-api-key": apiKey }),
        },
        body: JSON.stringify(toBody(order)),
        maxBytes: MAX_PICTURE_ANSWER_BYTES,
        limitMs: PICTURE_LIMIT_MS,
      },
      signal,
      readPicture,
    );
    return checkPictures([pictureBytes], 1, options.clock);
  };
  return {
    async make(order, signal) {
      const pictures: Picture[] = [];
      while (pictures.length < order.count) {
        try {
          pictures.push(...(await makeOne(order, signal)));
        } catch (error) {
          // The pictures before are paid for. A stopped call returns nothing.
          if (pictures.length === 0 || signal.aborted) throw error;
          return pictures;
        }
      }
      return pictures;
    },
  };
};

const toBody = ({ prompt, size, source }: PictureOrder): object => ({
  contents: [
    {
      role: "user",
      parts: [
        { text: prompt },
        ...(source === undefined ? [] : [{ inlineData: { mimeType: source.type, data: source.bytes.toBase64() } }]),
      ],
    },
  ],
  generationConfig: {
    responseModalities: ["IMAGE"],
    ...(size === undefined ? {} : { imageConfig: { aspectRatio: RATIOS[size] } }),
  },
});

/** Ends that are not a decision about the content. */
const PLAIN_ENDS: ReadonlySet<string> = new Set(["STOP", "MAX_TOKENS", "FINISH_REASON_UNSPECIFIED"]);

const readPicture = ({ bytes }: VendorAnswer): Uint8Array => {
  const answer = asObject(parseJson(new TextDecoder().decode(bytes))) ?? {};
  const [candidate] = asArray(answer["candidates"]).map((item) => asObject(item) ?? {});
  const data = asArray(asObject(candidate?.["content"])?.["parts"])
    .map((part) => asObject(part) ?? {})
    // Sketches of a model that thinks are not the answer.
    .filter(({ thought }) => thought !== true)
    .map(({ inlineData }) => asText(asObject(inlineData)?.["data"]))
    .find((text) => text !== undefined);
  if (data !== undefined) return fromBase64(data);
  const reason = asText(asObject(answer["promptFeedback"])?.["blockReason"]) ?? asText(candidate?.["finishReason"]);
  if (reason === undefined || PLAIN_ENDS.has(reason)) throw malformedError("The answer contains no picture.");
  throw new HearthError("provider.refused", `No picture was made: ${reason.slice(0, 60)}.`);
};
