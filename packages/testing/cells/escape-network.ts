/**
 * Escape attempts to the network: the host's loopback and sockets, other machines, and kernel
 * sockets.
 */
import { type Escape, perlCommand } from "./escape.ts";

const network = (all: Readonly<Record<string, string>>): readonly Escape[] =>
  Object.entries(all).map(([name, script]) => ({
    name,
    wall: "net",
    script: perlCommand(`my ($socket, $other, $word, $list); ${script}`),
  }));

const openSocket = (family: number, type: number, protocol: number): string =>
  `reached() if socket($socket, ${family}, ${type}, ${protocol})`;

/** Reached when the listener answers with its canary. */
const checkCanary = "sysread($socket, $word, 100) && $word eq $ENV{CANARY} && reached()";
/** Reached when the kernel has a route there. Nothing is sent. */
const checkRoute = (address: string, port: number): string =>
  `socket($socket, AF_INET, SOCK_DGRAM, 0) && connect($socket, sockaddr_in(${port}, inet_aton("${address}"))) && reached()`;

export const networkEscapes: readonly Escape[] = network({
  "connecting to the host's loopback by TCP": `socket($socket, AF_INET, SOCK_STREAM, 0)
    && connect($socket, sockaddr_in($ENV{TCP_PORT}, inet_aton("127.0.0.1"))) && ${checkCanary}`,
  "connecting to the host's loopback as 0.0.0.0": `socket($socket, AF_INET, SOCK_STREAM, 0)
    && connect($socket, sockaddr_in($ENV{TCP_PORT}, inet_aton("0.0.0.0"))) && ${checkCanary}`,
  "connecting to the host's loopback as an IPv6-mapped address": `socket($socket, AF_INET6, SOCK_STREAM, 0)
    && connect($socket, pack("SnNa16N", AF_INET6, $ENV{TCP_PORT}, 0, "\\0" x 10 . "\\xff\\xff\\x7f\\0\\0\\1", 0)) && ${checkCanary}`,
  "connecting to the host's loopback by UDP": `socket($socket, AF_INET, SOCK_DGRAM, 0)
    && connect($socket, sockaddr_in($ENV{UDP_PORT}, inet_aton("127.0.0.1"))) && syswrite($socket, "who") && ${checkCanary}`,
  "connecting to a unix socket of the host by its path": `socket($socket, AF_UNIX, SOCK_STREAM, 0)
    && connect($socket, sockaddr_un($ENV{UNIX_PATH})) && ${checkCanary}`,
  "connecting to a unix socket of the host through a link": `symlink($ENV{UNIX_PATH}, "socket"); socket($socket, AF_UNIX, SOCK_STREAM, 0)
    && connect($socket, sockaddr_un("socket")) && ${checkCanary}`,
  "connecting to an abstract unix socket of the host": `socket($socket, AF_UNIX, SOCK_STREAM, 0)
    && connect($socket, pack("S", AF_UNIX) . "\\0$ENV{UNIX_NAME}") && ${checkCanary}`,
  "connecting to a unix socket of the host from a socket pair": `socketpair($socket, $other, AF_UNIX, SOCK_DGRAM, 0)
    && connect($socket, sockaddr_un("$ENV{UNIX_PATH}.datagrams")) && reached()`,
  "a route to the internet": checkRoute("192.0.2.1", 443),
  "a route to a name server": checkRoute("192.0.2.53", 53),
  "a route to the cloud metadata address": checkRoute("169.254.169.254", 80),
  broadcasting: `socket($socket, AF_INET, SOCK_DGRAM, 0) && setsockopt($socket, SOL_SOCKET, SO_BROADCAST, 1)
    && connect($socket, sockaddr_in(9, inet_aton("255.255.255.255"))) && reached()`,
  multicasting: checkRoute("239.255.255.250", 1900),
  "listing the host's connections": `my $port = sprintf(":%04X", $ENV{TCP_PORT});
    open($list, "<", "/proc/net/tcp") && grep { /$port/ } <$list> and reached()`,
  "listing the host's network interfaces": `open($list, "<", "/proc/net/dev") && grep { /^\\s*(?!lo:|sit0:|tunl0:|ip6tnl0:)\\w+:/ } <$list> and reached()`,
  "raw IP sockets": openSocket(2, 3, 1),
  "packet sockets": openSocket(17, 3, 768),
  "ping sockets": openSocket(2, 2, 1),
  "netlink sockets for routes": openSocket(16, 3, 0),
  "netlink sockets for the audit log": openSocket(16, 3, 9),
  "netlink sockets for device events": openSocket(16, 3, 15),
  "netlink sockets for the firewall": openSocket(16, 3, 12),
  "vsock sockets": openSocket(40, 1, 0),
  "sockets of the kernel's crypto API": openSocket(38, 5, 0),
  "multipath TCP sockets": openSocket(2, 1, 262),
  "XDP sockets": openSocket(44, 3, 0),
  "IPsec key sockets": openSocket(15, 3, 2),
});
