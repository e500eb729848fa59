import { connect } from 'node:net';

/** An answer read from the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: string;
  readonly body: unknown;
}

/**
 * Sends bytes as they are, for what no HTTP client would send, and reads until the service closes the connection (the
 * request should say `Connection: close`).
 */
export function sendRaw(port: number, ...bytes: (string | Uint8Array)[]): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      for (const part of bytes) socket.write(part);
    });
    let received = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text;
    });
    socket.once('error', reject);
    socket.once('close', () => {
      const [headers = '', ...rest] = received.split('\r\n\r\n');
      const text = rest.join('\r\n\r\n');
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(headers)?.[1] ?? 0);
      // Only answers with a length are read as JSON; the service sends no others.
      resolve({ status, headers, body: /^\s*\{/.test(text) ? JSON.parse(text) : text });
    });
  });
}

/** A request as text; header values are sent as they are. */
export function requestText(method: string, path: string, headers: readonly string[], body = ''): string {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: close', ...headers];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
