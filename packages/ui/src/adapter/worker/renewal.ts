/** Gives the house the new subscription of this browser, if the house still has its device. */

/** The fields of a subscription that the house needs. */
export interface NewSubscription {
  toJSON(): { readonly endpoint?: string; readonly keys?: Readonly<Record<string, string>> };
}

export type SendRequest = (path: string, init: RequestInit) => Promise<Response>;

const DEVICES_PATH = "/api/notifications/devices";

/** A device that its person removed or logged out stays removed: `subscribe` is then not called. */
export const renew = async (
  sendRequest: SendRequest,
  subscribe: (publicKey: string) => Promise<NewSubscription>,
): Promise<void> => {
  const requestJson = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const response = await sendRequest(path, { ...init, credentials: "same-origin" });
    if (!response.ok) throw new TypeError(`${path} was answered with ${response.status}`);
    return response.json();
  };
  const { devices } = (await requestJson("/api/notifications")) as {
    readonly devices: readonly { readonly name: string; readonly isThis: boolean }[];
  };
  const device = devices.find(({ isThis }) => isThis);
  if (device === undefined) return;
  const { publicKey } = (await requestJson("/api/notifications/key", { method: "POST" })) as {
    readonly publicKey: string;
  };
  const { endpoint = "", keys = {} } = (await subscribe(publicKey)).toJSON();
  const body = JSON.stringify({ name: device.name, endpoint, keys: { p256dh: keys["p256dh"], auth: keys["auth"] } });
  // The house replaces the former device of this session.
  await requestJson(DEVICES_PATH, { method: "POST", headers: { "content-type": "application/json" }, body });
};
