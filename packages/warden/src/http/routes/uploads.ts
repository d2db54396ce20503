/** Uploads, by the tus protocol 1.0, and downloads of the attachments of a room. */
import type { Principal } from "../../people/index.ts";
import {
  HearthError,
  includesLevel,
  isHearthError,
  PARTS_AT_ONCE,
  type RoomId,
  type Upload,
  UPLOAD_PART_BYTES,
  UploadId,
} from "@hearth/protocol";
import { attachmentOperations, uploadOperations } from "@hearth/protocol/operations";
import { answer, emptyAnswer } from "../answer.ts";
import { requireReady } from "../require-ready.ts";
import { downloadAnswer } from "../uploads/download-answer.ts";
import { storeBody } from "../uploads/part-body.ts";
import {
  checkVersion,
  readNewUpload,
  readPartHeaders,
  stateHeaders,
  supportHeaders,
  toVerifiedHash,
  tusHeaders,
} from "../uploads/tus-headers.ts";
import { type App, bind, type OperationRequest, type RouteOptions } from "./route.ts";

/**
 * Maximum number of bodies that are read at once. Each takes memory for one part. Parts that arrive
 * early take at most half of them, so that other uploads are received, too.
 */
const MAX_BODIES = 16;
/** Maximum number of missing bytes between the stored bytes and a part that arrives early. */
const MAX_AHEAD_BYTES = (PARTS_AT_ONCE - 1) * UPLOAD_PART_BYTES;
const RETRY_MS = 1000;
/** Maximum number of files in a list. */
const MAX_LISTED_FILES = 500;

export const uploadRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { uploads } = areas.people;
  const append = createAppend(options);

  const requireWriter = async (principal: Principal): Promise<void> => {
    const permissions = await access.permissions(principal);
    if (permissions.some(({ level }) => includesLevel(level, "w"))) return;
    throw new HearthError("auth.denied", "You may not write in any room, so you may not upload files.", {
      hint: "Ask an administrator of a room: hearth grant add NAME w --on ROOM",
    });
  };

  app.options("/api/uploads", async () => emptyAnswer(204, supportHeaders((await uploads.limits()).fileBytes)));

  bind(app, options, uploadOperations, {
    begin: async ({ principal, request }) => {
      checkVersion(request.headers);
      await requireReady(areas.daemon.ready);
      await requireWriter(principal);
      const { id, house } = await access.self(principal);
      const upload = await uploads.begin({ agent: id, house }, readNewUpload(request.headers));
      return answer(upload, 201, { ...stateHeaders(upload), location: `/api/uploads/${upload.id}` });
    },

    show: async ({ principal, request, params }) => {
      checkVersion(request.headers);
      const upload = await uploads.show(principal.agent, params.upload);
      return answer(upload, 200, stateHeaders(upload));
    },

    append: async (request) => {
      checkVersion(request.request.headers);
      return emptyAnswer(204, stateHeaders(await append(request)));
    },

    cancel: async ({ principal, request, params }) => {
      checkVersion(request.headers);
      await uploads.cancel(principal.agent, params.upload);
      return emptyAnswer(204, tusHeaders);
    },
  });

  attachmentRoutes(app, options);
};

const attachmentRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { uploads } = areas.people;

  bind(app, options, attachmentOperations, {
    list: async ({ principal, params, query }) => {
      const { id } = await access.find(principal, "room", params.room);
      const attachments = await uploads.listRoom(id, { by: query.by, limit: MAX_LISTED_FILES + 1 });
      const messages = await Promise.all(
        attachments.slice(0, MAX_LISTED_FILES).map(async ({ attachment, event }) => {
          const message = await areas.kernel.streams.find(`room:${id}`, event);
          // A reply that is still being written has no message yet.
          if (message?.type !== "message") return [];
          return { ...attachment, by: message.author, at: message.at, message: event, offset: message.offset };
        }),
      );
      return { files: messages.flat(), isComplete: attachments.length <= MAX_LISTED_FILES };
    },

    read: async ({ principal, request, params }) => {
      const { id } = await access.find(principal, "room", params.room);
      const { attachment, read } = await uploads.open(id, params.attachment);
      return downloadAnswer(request, { ...attachment, version: attachment.hash, isImmutable: true, read });
    },

    picture: async ({ principal, request, params }) => {
      await requireReady(areas.daemon.ready);
      const { id } = await access.find(principal, "room", params.room);
      const { bytes, type, hash } = await areas.agents.pictures.showSmall(id, params.attachment);
      return downloadAnswer(request, {
        version: hash,
        sizeBytes: bytes.length,
        type,
        name: type === "image/jpeg" ? "picture.jpg" : "picture.webp",
        isImmutable: true,
        async *read(from, to) {
          yield bytes.subarray(from, to);
        },
      });
    },

    descriptions: async ({ principal, params, query }) => {
      const { id } = await access.find(principal, "room", params.room);
      const ids = [...new Set(query.attachments.split(","))];
      const descriptions = await Promise.all(
        ids.map((attachment) => findDescription(areas.agents.descriptions, id, attachment)),
      );
      return descriptions.filter((description) => description !== undefined);
    },

    describe: async ({ principal, params }) => {
      await requireReady(areas.daemon.ready);
      const { id } = await access.find(principal, "room", params.room);
      const description = await areas.agents.descriptions.make(id, params.attachment, "retry");
      if (description === undefined) throw descriptionOffError();
      return description;
    },

    text: async ({ principal, params, query }) => {
      const { id } = await access.find(principal, "room", params.room);
      return areas.agents.passages.show(id, params.attachment, query.place);
    },
  });
};

/** Returns undefined if the attachment has no description, or if no message of the room names it. */
const findDescription = async (
  descriptions: RouteOptions["areas"]["agents"]["descriptions"],
  room: RoomId,
  name: string,
) => {
  const attachment = UploadId.safeParse(name);
  if (!attachment.success) return undefined;
  try {
    const description = await descriptions.find(room, attachment.data);
    return description === undefined ? undefined : { attachment: attachment.data, description };
  } catch (error) {
    if (isHearthError(error, "attachment.not-found")) return undefined;
    throw error;
  }
};

const descriptionOffError = (): HearthError =>
  new HearthError("description.off", "This house does not describe pictures.", {
    hint: "An administrator can set a model in the settings, on the page Models, or with: hearth descriptions set --model PROVIDER/MODEL",
  });

type AppendRequest = Pick<
  OperationRequest<typeof uploadOperations.append>,
  "principal" | "caller" | "request" | "params"
>;

/** Stores the body of a request, part by part. */
const createAppend = ({ areas, lifetimes }: RouteOptions) => {
  const { uploads } = areas.people;
  const { world } = areas.kernel;
  let activeBodies = 0;

  return async ({ principal, caller, request, params }: AppendRequest): Promise<Upload> => {
    const owner = principal.agent;
    const { offset, length, checksum, waitMs } = readPartHeaders(request.headers);
    let upload = await uploads.show(owner, params.upload);
    const aheadBytes = offset - upload.offset;
    const isEarly = waitMs !== undefined && aheadBytes > 0 && aheadBytes <= MAX_AHEAD_BYTES;
    // Also refuses a wrong offset before the body is read.
    if (aheadBytes !== 0 && !isEarly)
      upload = await uploads.append(owner, upload.id, { offset, bytes: new Uint8Array() });
    const missingBytes = upload.sizeBytes - offset;
    if (length !== undefined && length > missingBytes)
      throw new HearthError(
        "request.too-large",
        `The upload needs only ${missingBytes} more bytes, and the body has ${length}.`,
        { hint: "Ask for the offset with HEAD, and send the bytes of the file from there." },
      );
    if (activeBodies >= (isEarly ? MAX_BODIES / 2 : MAX_BODIES)) throw busyError();
    activeBodies += 1;
    const lifetime = lifetimes.begin(caller, { peer: request.signal });
    let nextOffset = offset;
    try {
      await storeBody({
        body: request.body,
        missingBytes,
        clock: world.clock,
        signal: lifetime.signal,
        storesPartial: checksum === undefined,
        async store(bytes) {
          const hash = checksum === undefined ? {} : { hash: toVerifiedHash(world.hash, bytes, checksum) };
          const wait = isEarly && nextOffset === offset ? { ms: waitMs, signal: lifetime.signal } : undefined;
          upload = await uploads.append(owner, upload.id, { offset: nextOffset, bytes, wait, ...hash });
          nextOffset += bytes.length;
        },
      });
    } finally {
      lifetime.end();
      activeBodies -= 1;
    }
    return upload;
  };
};

const busyError = (): HearthError =>
  new HearthError("upload.busy", `The house receives parts of files in at most ${MAX_BODIES} requests at a time.`, {
    hint: "Try again in a moment.",
    retryAfterMs: RETRY_MS,
  });
