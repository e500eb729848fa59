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

/**
 * Sends mail over SMTP.
 *
 * @param url `smtp://user:password@host:587` or `smtps://…`; `?from=` names the sender, default `no-reply@` the host of
 * `publicUrl`.
 */
export function createSmtpMailer(url: string, publicUrl: string): Mailer {
  const server = new URL(url);
  const from =
    server.searchParams.get('from') ?? `Agent Memory Service <no-reply@${new URL(publicUrl).hostname}>`;
  server.searchParams.delete('from');
  return {
    delivers: true,
    send: async (mail) => {
      const { createTransport } = await import('nodemailer');
      await createTransport(server.href).sendMail({ from, ...mail });
    },
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
