/** A push service on this machine, for tests of a whole daemon. It decrypts as a browser does. */
import { createFakePushService, type FakePushService } from "@hearth/warden/fakes/push-service";

export interface ServedPush extends FakePushService, AsyncDisposable {}

export const servePush = (): ServedPush => {
  const service = createFakePushService();
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => service.fetch(request) });
  return {
    fetch: service.fetch,
    parcels: service.parcels,
    requests: service.requests,
    answer: service.answer,
    subscribe(device) {
      const made = service.subscribe(device);
      return { name: made.name, endpoint: `http://127.0.0.1:${server.port}/${device}`, keys: made.keys };
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
};
