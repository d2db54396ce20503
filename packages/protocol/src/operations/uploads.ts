/** Operations on uploads, in the form of the tus protocol 1.0, and on the attachments of a room. */
import { z } from "zod";
import { UploadId } from "../base/ids.ts";
import {
  AttachedDescription,
  AttachedDescriptionList,
  AttachmentText,
  AttachmentTextQuery,
  RoomFileList,
  RoomFilesQuery,
  TranscriptsQuery,
  Upload,
} from "../events/attachment.ts";
import { IdOrHandle } from "./parameters.ts";
import { declareOperations } from "./operation.ts";

export const uploadOperations = declareOperations("Attachments", {
  begin: {
    id: "beginUpload",
    method: "POST",
    path: "/api/uploads",
    needs: "credential",
    summary: "Begins an upload",
    description:
      "The tus protocol 1.0 with the extensions creation, checksum, expiration and termination. `Upload-Length` has the size in bytes, and `Upload-Metadata` the `filename` in base64. `Location` has the address for the parts. " +
      "The caller needs `w` somewhere. The size counts against the quotas of the caller and its house until the upload or its last message is removed.",
    answers: { status: 201, schema: Upload, text: "The upload, without any bytes." },
    errors: ["upload.too-large", "upload.quota", "upload.limit", "upload.version"],
  },
  show: {
    id: "showUpload",
    method: "GET",
    path: "/api/uploads/{upload}",
    needs: "credential",
    summary: "Shows one of your uploads",
    description: "`HEAD` returns `Upload-Offset`: the bytes before it are durable, and the next part begins there.",
    params: { upload: UploadId },
    answers: { status: 200, schema: Upload },
    errors: ["upload.not-found", "upload.metadata", "upload.version"],
  },
  append: {
    id: "appendToUpload",
    method: "PATCH",
    path: "/api/uploads/{upload}",
    needs: "credential",
    summary: "Adds bytes to one of your uploads",
    description:
      "The body has the bytes from `Upload-Offset` on, as `application/offset+octet-stream`. They are durable when this answers. If the connection is cut, bytes before the cut may be durable: ask with `HEAD`. " +
      "A body with `Upload-Checksum` (`sha256`) is stored as a whole or not at all, and has at most 4 MiB. " +
      "A client may send the next two parts before this one is answered: a request with `Prefer: wait=SECONDS` waits until the bytes before `Upload-Offset` are stored, instead of being refused at once.",
    params: { upload: UploadId },
    answers: { status: 204, text: "Stored. `Upload-Offset` has the new offset." },
    errors: [
      "upload.not-found",
      "upload.offset",
      "upload.checksum",
      "upload.metadata",
      "upload.busy",
      "upload.version",
      "request.too-large",
      "request.unsupported",
      "request.timeout",
    ],
  },
  cancel: {
    id: "cancelUpload",
    method: "DELETE",
    path: "/api/uploads/{upload}",
    needs: "credential",
    summary: "Removes one of your uploads",
    description: "An upload that a message names stays: delete the message instead.",
    params: { upload: UploadId },
    answers: { status: 204 },
    errors: ["upload.not-found", "upload.version"],
  },
});

export const attachmentOperations = declareOperations("Attachments", {
  descriptions: {
    id: "listDescriptions",
    method: "GET",
    path: "/api/rooms/{room}/descriptions",
    needs: "r on room {room}",
    summary: "Lists the descriptions of the named pictures",
    description:
      "A turn of an agent whose model does not see makes the description. It exists as long as a message names the picture. An attachment that has none, or that no message of the room names, is left out.",
    params: { room: IdOrHandle },
    query: TranscriptsQuery,
    answers: { status: 200, schema: AttachedDescriptionList },
    errors: ["record.not-found"],
  },
  describe: {
    id: "describePicture",
    method: "POST",
    path: "/api/rooms/{room}/attachments/{attachment}/description",
    needs: "w on room {room}",
    summary: "Describes an attached picture",
    description:
      "Returns the description that there is. Without one, or after a failure, the picture goes to the model of `[descriptions]`, and the house pays.",
    params: { room: IdOrHandle, attachment: UploadId },
    answers: { status: 200, schema: AttachedDescription },
    errors: ["record.not-found", "attachment.not-found", "attachment.no-picture", "description.off"],
  },
  list: {
    id: "listAttachments",
    method: "GET",
    path: "/api/rooms/{room}/attachments",
    needs: "r on room {room}",
    summary: "Lists the files of a room",
    description:
      "The newest 500 files of messages, with author and time, also those that agents made and sent. Without files of deleted messages. `by` selects one author.",
    params: { room: IdOrHandle },
    query: RoomFilesQuery,
    answers: { status: 200, schema: RoomFileList },
    errors: ["record.not-found"],
  },
  read: {
    id: "readAttachment",
    method: "GET",
    path: "/api/rooms/{room}/attachments/{attachment}",
    needs: "r on room {room}",
    summary: "Downloads an attachment of a message",
    description:
      "Takes one `Range`. The response is a download with the detected type; headers keep a browser from running it. An attachment of a deleted message is `attachment.not-found`.",
    params: { room: IdOrHandle, attachment: UploadId },
    answers: { status: 200, schema: z.string(), type: "application/octet-stream", text: "The bytes." },
    otherwise: { status: 206, schema: z.string(), type: "application/octet-stream", text: "The requested range." },
    errors: ["record.not-found", "attachment.not-found", "attachment.range"],
  },
  picture: {
    id: "readSmallPicture",
    method: "GET",
    path: "/api/rooms/{room}/attachments/{attachment}/picture",
    needs: "r on room {room}",
    summary: "Downloads a small version of an attached picture",
    description:
      "JPEG or WebP, at most 640 pixels wide and high, in the orientation of the picture and without its metadata. Made at the first request, in a cell without network, and kept as long as the attachment.",
    params: { room: IdOrHandle, attachment: UploadId },
    answers: { status: 200, schema: z.string(), type: "application/octet-stream", text: "The bytes." },
    otherwise: { status: 206, schema: z.string(), type: "application/octet-stream", text: "The requested range." },
    errors: ["record.not-found", "attachment.not-found", "attachment.no-picture", "attachment.range"],
  },
  text: {
    id: "readAttachmentText",
    method: "GET",
    path: "/api/rooms/{room}/attachments/{attachment}/text",
    needs: "r on room {room}",
    summary: "Shows a part of an attached document as Markdown",
    description:
      "For text files and documents such as PDF, DOCX, XLSX or PPTX: one page, sheet, slide or chapter, at most its first 100,000 characters. " +
      "The document is converted once, in a cell without network. `why` says why there is no text.",
    params: { room: IdOrHandle, attachment: UploadId },
    query: AttachmentTextQuery,
    answers: { status: 200, schema: AttachmentText },
    errors: ["record.not-found", "attachment.not-found"],
  },
});
