import { expect, test } from "bun:test";
import { createAddressSet } from "./address.ts";

test.each([
  [
    ["10.0.0.1"],
    ["10.0.0.1", "::ffff:10.0.0.1", "::ffff:a00:1"],
    ["10.0.0.2", "::10.0.0.1", "::ff00:a00:1", "::fe:a00:1"],
  ],
  [["10.0.0.0/8"], ["10.0.0.0", "10.255.255.255", "::ffff:10.1.2.3"], ["11.0.0.0", "9.255.255.255", "::fffe:10.1.2.3"]],
  [["192.168.4.0/23"], ["192.168.4.0", "192.168.5.255"], ["192.168.3.255", "192.168.6.0"]],
  [["2001:db8::/32"], ["2001:db8::1", "2001:DB8:ffff::"], ["2001:db9::1", "32.1.13.184"]],
  [["::1"], ["::1"], ["::2", "0.0.0.1", "::ffff:0.0.0.1", "127.0.0.1"]],
  [["127.0.0.0/8", "::1"], ["127.9.9.9", "::1"], ["128.0.0.1"]],
  [[], [], ["127.0.0.1", "::1"]],
])("%j has its addresses, also in IPv6 form, and no others", (set, inside, outside) => {
  const has = createAddressSet(set);
  expect([inside.filter((address) => !has(address)), outside.filter(has)]).toEqual([[], []]);
  expect(["", "localhost", "10.0.0", "10.0.0.1/8", "010.0.0.1", ":::1"].filter(has)).toEqual([]);
});
