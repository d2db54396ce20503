/**
 * The OpenAI wire, `POST /images/generations` and `/images/edits`, also of compatible servers.
 * https://platform.openai.com/docs/api-reference/images
 */
import type { PictureSize } from "@hearth/protocol/tools";
import { OPENAI_URL } from "../catalog/known.ts";
import { malformedError } from "../resilience/failure.ts";
import { asArray, asObject, asText, parseJson } from "../wires/json.ts";
import { type VendorAnswer, callVendor, type VendorCall } from "../wires/vendor-call.ts";
import { checkPictures } from "./picture-bytes.ts";
import {
  MAX_PICTURE_ANSWER_BYTES,
  type Picture,
  PICTURE_LIMIT_MS,
  type PictureOrder,
  type PictureProviderFactory,
} from "./picture-provider.ts";

export const OPENAI_PICTURE_MODEL = "gpt-image-2";

const SIZES: Readonly<Record<PictureSize, string>> = { square: "1024x1024", wide: "1536x1024", tall: "1024x1536" };

export const createOpenAIPictures: PictureProviderFactory = (options) => ({
  async make(order, signal) {
    const { baseUrl = OPENAI_URL, apiKey, model = OPENAI_PICTURE_MODEL } = options;
    const fields = toFields(order, model);
    const key: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
    const { source, mask } = order;
    const request: Pick<VendorCall, "url" | "headers" | "body"> =
      source === undefined
        ? {
            url: `${baseUrl}/images/generations`,
            headers: { "content-type": "application/json", ...key },
            body: JSON.stringify(fields),
          }
        : { url: `${baseUrl}/images/edits`, headers: key, body: toForm(fields, source, mask) };
    const limits = { maxBytes: MAX_PICTURE_ANSWER_BYTES, limitMs: PICTURE_LIMIT_MS };
    const pictures = await callVendor(options, { ...request, ...limits }, signal, readPictures);
    return checkPictures(pictures, order.count, options.clock);
  },
});

/**
 * Whether this is one of the vendor's own models, which always answer with base64, and refuse the
 * field that asks for it.
 */
const isVendorModel = (model: string): boolean => /^(gpt-image|chatgpt-image)/.test(model);

const toFields = ({ prompt, count, size }: PictureOrder, model: string): Readonly<Record<string, string | number>> => ({
  model,
  prompt,
  n: count,
  ...(size === undefined ? {} : { size: SIZES[size] }),
  ...(isVendorModel(model) ? { quality: "medium", output_format: "png" } : { response_format: "b64_json" }),
});

/** Creates the form. Its files have no names that a person gave them. */
const toForm = (
  fields: Readonly<Record<string, string | number>>,
  source: Picture,
  mask: Picture | undefined,
): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  form.set("image", toFile(source), `picture.${extensionOf(source)}`);
  if (mask !== undefined) form.set("mask", toFile(mask), `mask.${extensionOf(mask)}`);
  return form;
};

const toFile = ({ bytes, type }: Picture): Blob => new Blob([bytes], { type });

const extensionOf = ({ type }: Picture): string => type.slice("image/".length);

const readPictures = ({ bytes }: VendorAnswer): readonly Uint8Array[] => {
  const answer = asObject(parseJson(new TextDecoder().decode(bytes)));
  const items = asArray(answer?.["data"]).map((item) => asObject(item) ?? {});
  if (items.length === 0) throw malformedError("The answer contains no picture.");
  return items.map(({ b64_json: data, url }) => {
    const text = asText(data);
    if (text !== undefined) return fromBase64(text);
    throw malformedError(
      asText(url) === undefined
        ? "The answer contains no picture."
        : "The answer has the address of a picture, which is not requested, instead of the picture as b64_json.",
    );
  });
};

/** Throws `provider.malformed`. */
export const fromBase64 = (text: string): Uint8Array => {
  try {
    return Uint8Array.fromBase64(text);
  } catch (error) {
    throw malformedError("The picture in the answer is not base64.", error);
  }
};
