import type { Socket } from "./watch";

/** A socket of this site. One let go while it is still being made is closed once it is there: the browser calls
 * anything else an error. */
export function openSocket(path: string): Socket {
  const socket = new WebSocket(`${window.location.origin.replace(/^http/, "ws")}${path}`);
  return {
    addEventListener: socket.addEventListener.bind(socket) as Socket["addEventListener"],
    close: () => {
      if (socket.readyState === WebSocket.CONNECTING) socket.addEventListener("open", () => socket.close());
      else socket.close();
    },
  };
}
