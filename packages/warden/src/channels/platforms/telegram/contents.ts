/**
 * The contents of a message that are not text: files, and lines that describe the rest, so that no
 * message is lost without a trace.
 */
import { showSize } from "@hearth/protocol";
import type { InboundFile } from "../../channel.ts";
import { asFields, asText, cleanField, type Fields } from "./fields.ts";

/** Describes places, contacts, polls and stickers, each in one line in brackets. */
export const describeContents = (message: Fields): readonly string[] =>
  Object.entries(contents).flatMap(([field, describe]) => {
    if (!(field in message)) return [];
    // A venue has its place in both fields.
    if (field === "location" && "venue" in message) return [];
    return [`[${describe(message[field])}]`];
  });

/** Returns the files. Telegram does not give bots a file with an empty id. */
export const readFiles = (message: Fields): readonly InboundFile[] =>
  Object.entries(files).flatMap(([field, { what, name }]) => {
    // An animation is also a document, for older programs.
    if (!(field in message) || (field === "document" && "animation" in message)) return [];
    const value = message[field];
    const file = Array.isArray(value) ? findLargest(value.map(asFields)) : asFields(value);
    const { file_size: sizeBytes } = file;
    return {
      id: asText(file["file_id"]),
      name: cleanField(asText(file["file_name"])) || name,
      summary: describeFile(what, file),
      ...(isCount(sizeBytes) ? { sizeBytes } : {}),
    };
  });

/**
 * Describes a message without text, file or known content: returns its fields of an unknown kind as
 * a file that bots do not get. Returns no file for a service message, such as a new member.
 */
export const readUnknown = (message: Fields): readonly InboundFile[] => {
  const names = Object.keys(message).filter((name) => !ENVELOPE.has(name));
  if (names.length === 0 || names.some((name) => SERVICE.test(name))) return [];
  const kinds = names.map((name) => cleanField(name.replaceAll("_", " ")).slice(0, MAX_KIND_LENGTH)).join(", ");
  return [{ id: "", name: "the message", summary: `content of an unknown kind: ${kinds}` }];
};

const MAX_KIND_LENGTH = 40;

/** The fields of `Message` that are not its content. */
const ENVELOPE: ReadonlySet<string> = new Set([
  ...["message_id", "message_thread_id", "direct_messages_topic", "from", "sender_chat", "sender_boost_count"],
  ...["sender_business_bot", "sender_tag", "date", "edit_date", "business_connection_id", "chat", "author_signature"],
  ...["forward_origin", "forward_from", "forward_from_chat", "forward_from_message_id", "forward_signature"],
  ...["forward_sender_name", "forward_date", "is_topic_message", "is_automatic_forward", "is_from_offline"],
  ...["is_paid_post", "has_protected_content", "has_media_spoiler", "reply_to_message", "external_reply", "quote"],
  ...["reply_to_story", "reply_to_checklist_task_id", "via_bot", "media_group_id", "paid_star_count", "effect_id"],
  ...["text", "entities", "link_preview_options", "caption", "caption_entities", "show_caption_above_media"],
  ...["suggested_post_info", "reply_markup"],
]);

/** The fields of messages that report an event of the chat, and that no person wrote. */
const SERVICE =
  /^(?:new_chat_|left_chat_|delete_chat_photo$|group_chat_created$|supergroup_chat_created$|channel_chat_created$|message_auto_delete_timer_changed$|migrate_|pinned_message$|(?:successful|refunded)_payment$|users?_shared$|chat_|gift|unique_gift|connected_website$|write_access_allowed$|passport_data$|proximity_alert_triggered$|boost_added$|checklist_tasks_|direct_message_price_changed$|paid_message_price_changed$|forum_topic_|general_forum_topic_|giveaway_|suggested_post_|video_chat_|voice_chat_|web_app_data$)/;

/** Returns the largest size of a photo, which comes in several sizes. */
const findLargest = (sizes: readonly Fields[]): Fields =>
  sizes.reduce((best, size) => (areaOf(size) >= areaOf(best) ? size : best), {});
const areaOf = ({ width, height }: Fields): number => (isCount(width) && isCount(height) ? width * height : 0);

/** The kinds of files by field: the word for people, and the file name if Telegram gives none. */
const files: Readonly<Record<string, { readonly what: string; readonly name: string }>> = {
  photo: { what: "photo", name: "photo.jpg" },
  document: { what: "file", name: "file" },
  animation: { what: "animation", name: "animation.mp4" },
  video: { what: "video", name: "video.mp4" },
  video_note: { what: "video message", name: "video-message.mp4" },
  voice: { what: "voice message", name: "voice-message.ogg" },
  audio: { what: "audio", name: "audio.mp3" },
  story: { what: "story", name: "the story" },
  paid_media: { what: "paid media", name: "the paid media" },
  game: { what: "game", name: "the game" },
  invoice: { what: "invoice", name: "the invoice" },
  checklist: { what: "checklist", name: "the checklist" },
  giveaway: { what: "giveaway", name: "the giveaway" },
};

const contents: Readonly<Record<string, (value: unknown) => string>> = {
  sticker: (value) => `sticker ${cleanField(asText(asFields(value)["emoji"]))}`.trim(),
  dice: (value) => `${cleanField(asText(asFields(value)["emoji"]))} ${showNumber(asFields(value)["value"])}`.trim(),
  location: (value) => `location ${showPlace(asFields(value))}`,
  venue: (value) => {
    const venue = asFields(value);
    const words = [cleanField(asText(venue["title"])), cleanField(asText(venue["address"]))].filter(
      (word) => word !== "",
    );
    return `place ${[...words, showPlace(asFields(venue["location"]))].join(", ")}`;
  },
  contact: (value) => {
    const contact = asFields(value);
    const name = cleanField(`${asText(contact["first_name"])} ${asText(contact["last_name"])}`);
    return `contact ${[name, cleanField(asText(contact["phone_number"]))].filter((word) => word !== "").join(", ")}`;
  },
  poll: (value) => {
    const poll = asFields(value);
    const options = Array.isArray(poll["options"]) ? poll["options"] : [];
    const answers = options.map((option) => cleanField(asText(asFields(option)["text"])));
    return `poll ${cleanField(asText(poll["question"]))}: ${answers.join(" / ")}`;
  },
};

const describeFile = (kind: string, file: Fields): string => {
  const { width, height, duration, file_size: size } = file;
  const facts = [
    ...[cleanField(asText(file["file_name"])), cleanField(asText(file["mime_type"]))].filter((fact) => fact !== ""),
    ...(isCount(width) && isCount(height) ? [`${width} × ${height}`] : []),
    ...(isCount(duration) ? [`${duration} s`] : []),
    ...(isCount(size) ? [showSize(size)] : []),
  ];
  return [kind, ...facts].join(", ");
};

const showPlace = ({ latitude, longitude }: Fields): string => `${showNumber(latitude)}, ${showNumber(longitude)}`;
const showNumber = (value: unknown): string => (typeof value === "number" && Number.isFinite(value) ? `${value}` : "?");
const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
