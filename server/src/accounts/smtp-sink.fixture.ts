import { EventEmitter, once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { useServer } from '../../../test/kit/use-server.ts';

/** A mail as it arrived. */
interface Received {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** A mail server on this machine that takes every mail and keeps it. */
export interface SmtpSink {
  readonly url: string;
  readonly mails: readonly Received[];
  /** The next mail is put off, as servers do with senders whom they do not know. */
  putOff(): void;
  /** The newest mail to an address with this beginning of a subject; it may still be on its way. */
  mailTo(address: string, subject: string): Promise<Received>;
}

/** Starts a mail server for all tests of a file. */
export function useSmtpSink(): SmtpSink {
  const mails: Received[] = [];
  const arrivals = new EventEmitter();
  let isPutOff = false;
  const server = useServer(
    createServer((socket) => {
      receive(socket, (mail) => {
        if (isPutOff) {
          isPutOff = false;
          return '451 try again later';
        }
        mails.push(mail);
        arrivals.emit('mail');
        return '250 kept';
      });
    }),
  );
  return {
    get url() {
      return `smtp://127.0.0.1:${server.port}?from=memory@example.com`;
    },
    mails,
    putOff: () => {
      isPutOff = true;
    },
    mailTo: async (address, subject) => {
      for (;;) {
        const mail = mails.findLast((mail) => mail.to === address && mail.subject.startsWith(subject));
        if (mail) return mail;
        await once(arrivals, 'mail');
      }
    },
  };
}

/** Speaks as much SMTP as a sender needs; `deliver` answers each mail. */
function receive(socket: Socket, deliver: (mail: Received) => string): void {
  let pending = '';
  let to = '';
  let inData = false;
  const reply = (line: string) => socket.write(`${line}\r\n`);
  reply('220 sink');
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    pending += chunk;
    for (;;) {
      const mark = inData ? '\r\n.\r\n' : '\r\n';
      const end = pending.indexOf(mark);
      if (end < 0) return;
      const line = pending.slice(0, end);
      pending = pending.slice(end + mark.length);
      if (inData) {
        inData = false;
        reply(deliver({ to, subject: /^subject: (.*)$/im.exec(line)?.[1] ?? '', text: plainText(line) }));
      } else if (/^RCPT/i.test(line)) {
        to = /<(.+)>/.exec(line)?.[1] ?? '';
        reply('250 ok');
      } else if (/^DATA/i.test(line)) {
        inData = true;
        reply('354 go on');
      } else if (/^QUIT/i.test(line)) {
        socket.end('221 bye\r\n');
      } else reply('250 ok');
    }
  });
  socket.on('error', () => {});
}

function plainText(message: string): string {
  const body = message.slice(message.indexOf('\r\n\r\n') + 4);
  if (!/^content-transfer-encoding: quoted-printable/im.test(message)) return body;
  return body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
