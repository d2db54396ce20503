/**
 * Describes the contents of a message that are not text, one line each, so that no message is lost
 * without a trace. Places, contacts, polls and stickers are complete. Files are named; the house
 * does not fetch them.
 */
import { showSize } from "@hearth/protocol";
import { asFields, asText, clean, type Fields } from "./fields.ts";

/** Lines in brackets. Empty for a message with nothing but text. */
export const describeContents = (message: Fields): readonly string[] =>
  Object.entries(contents).flatMap(([field, describe]) => {
    // An animation is also a document, for older programs.
    if (!(field in message) || (field === "document" && "animation" in message)) return [];
    // A venue has its place in both fields.
    if (field === "location" && "venue" in message) return [];
    return [`[${describe(message[field])}]`];
  });

const NOT_RECEIVED = "not received, because files from Telegram are not supported yet";

const contents: Readonly<Record<string, (value: unknown) => string>> = {
  photo: (value) => {
    const sizes = Array.isArray(value) ? value.map(asFields) : [];
    // The largest one is last.
    return describeFile("photo", sizes.at(-1) ?? {});
  },
  document: (value) => describeFile("file", asFields(value)),
  animation: (value) => describeFile("animation", asFields(value)),
  video: (value) => describeFile("video", asFields(value)),
  video_note: (value) => describeFile("video message", asFields(value)),
  voice: (value) => describeFile("voice message", asFields(value)),
  audio: (value) => describeFile("audio", asFields(value)),
  sticker: (value) => `sticker ${clean(asText(asFields(value)["emoji"]))}`.trim(),
  dice: (value) => `${clean(asText(asFields(value)["emoji"]))} ${showNumber(asFields(value)["value"])}`.trim(),
  location: (value) => `location ${showPlace(asFields(value))}`,
  venue: (value) => {
    const venue = asFields(value);
    const words = [clean(asText(venue["title"])), clean(asText(venue["address"]))].filter((word) => word !== "");
    return `place ${[...words, showPlace(asFields(venue["location"]))].join(", ")}`;
  },
  contact: (value) => {
    const contact = asFields(value);
    const name = clean(`${asText(contact["first_name"])} ${asText(contact["last_name"])}`);
    return `contact ${[name, clean(asText(contact["phone_number"]))].filter((word) => word !== "").join(", ")}`;
  },
  poll: (value) => {
    const poll = asFields(value);
    const options = Array.isArray(poll["options"]) ? poll["options"] : [];
    const words = options.map((option) => clean(asText(asFields(option)["text"])));
    return `poll ${clean(asText(poll["question"]))}: ${words.join(" / ")}`;
  },
};

const describeFile = (what: string, file: Fields): string => {
  const { width, height, duration, file_size: size } = file;
  const facts = [
    ...[clean(asText(file["file_name"])), clean(asText(file["mime_type"]))].filter((fact) => fact !== ""),
    ...(isCount(width) && isCount(height) ? [`${width} × ${height}`] : []),
    ...(isCount(duration) ? [`${duration} s`] : []),
    ...(isCount(size) ? [showSize(size)] : []),
  ];
  return `${[what, ...facts].join(", ")}; ${NOT_RECEIVED}`;
};

const showPlace = ({ latitude, longitude }: Fields): string => `${showNumber(latitude)}, ${showNumber(longitude)}`;
const showNumber = (value: unknown): string => (typeof value === "number" && Number.isFinite(value) ? `${value}` : "?");
const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
