/** One e-mail, as plain text. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends e-mail, or shows it where there is no mail server. */
export interface Mailer {
  /** True where a mail reaches its address, and so proves whose it is; false where it is only shown to the operator. */
  readonly delivers: boolean;
  send(mail: Mail): Promise<void>;
}

/** A mail server. */
export interface SmtpMailer extends Mailer {
  /** Signs in there without sending anything. */
  verify(): Promise<void>;
}

// Milliseconds. By default a server that stands still is waited for two minutes, in a connection each mail has of its own.
const PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/**
 * Sends mail over SMTP.
 *
 * @param url `smtp://user:password@host:587` or `smtps://…`; `?from=` names the sender, default `no-reply@` the host of
 * `publicUrl`.
 */
export function createSmtpMailer(url: string, publicUrl: string): SmtpMailer {
  const server = new URL(url);
  const from =
    server.searchParams.get('from') ?? `Agent Memory Service <no-reply@${new URL(publicUrl).hostname}>`;
  server.searchParams.delete('from');
  for (const [name, milliseconds] of Object.entries(PATIENCE)) {
    if (!server.searchParams.has(name)) server.searchParams.set(name, String(milliseconds));
  }
  const connect = async () => (await import('nodemailer')).createTransport(server.href);
  return {
    delivers: true,
    send: async (mail) => void (await (await connect()).sendMail({ from, ...mail })),
    verify: async () => void (await (await connect()).verify()),
  };
}

/** Prints mail instead of sending it: for a service on the user's own machine. */
export function createPrintingMailer(print: (text: string) => void): Mailer {
  return {
    delivers: false,
    send: async ({ to, subject, text }) => {
      print(
        `\n--- E-mail to ${to}, shown here because SVC_SMTP_URL is not set ---\n${subject}\n\n${text}\n---\n`,
      );
    },
  };
}
