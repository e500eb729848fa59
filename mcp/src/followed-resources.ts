import { type JSONRPCMessage, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Subscriptions } from './create-server.ts';
import type { ResourceWatch } from './resource-watch.ts';

/**
 * The resources that a client on stdio follows. A client of 2025 subscribes to each; a newer one names them in
 * `subscriptions/listen`, which the library answers by itself, so that its messages are read along.
 */
export class FollowedResources implements Subscriptions {
  readonly #openWatch: () => Promise<ResourceWatch>;
  readonly #subscribed = new Set<string>();
  readonly #listened = new Map<string | number, readonly string[]>();
  #watch: Promise<ResourceWatch> | undefined;

  /** @param openWatch Called with the first resource that is followed. */
  constructor(openWatch: () => Promise<ResourceWatch>) {
    this.#openWatch = openWatch;
  }

  /** @throws ProtocolError `InvalidParams` where as many are followed as may be */
  async add(uri: string): Promise<void> {
    this.#subscribed.add(uri);
    const followed = await this.#follow();
    if (followed.has(uri)) return;
    this.#subscribed.delete(uri);
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `This client follows ${followed.size} resources, the most there may be: unsubscribe from one first.`,
    );
  }

  async remove(uri: string): Promise<void> {
    this.#subscribed.delete(uri);
    await this.#follow();
  }

  /**
   * Takes note of a message before it is answered; whoever listens is answered once it is known how things are now.
   *
   * @returns the message to answer
   */
  read(message: JSONRPCMessage): JSONRPCMessage | Promise<JSONRPCMessage> {
    if (!('method' in message)) return message;
    if ('id' in message && message.method === 'subscriptions/listen')
      return this.#listen(message.id, message);
    if (message.method !== 'notifications/cancelled') return message;
    const { requestId } = Object(message.params);
    return this.#listened.delete(requestId) ? this.#follow().then(() => message) : message;
  }

  async #listen(id: string | number, message: JSONRPCMessage): Promise<JSONRPCMessage> {
    const uris = listenedUris(message);
    this.#listened.set(id, uris);
    const followed = await this.#follow();
    // It may have been taken back meanwhile.
    if (this.#listened.has(id))
      this.#listened.set(
        id,
        uris.filter((uri) => followed.has(uri)),
      );
    return listeningTo(message, followed);
  }

  /** Whether a client of 2025 follows this resource; to newer ones the library sends only what they listen for. */
  isFollowed(uri: string): boolean {
    return this.#subscribed.has(uri) || this.#listened.size > 0;
  }

  async #follow(): Promise<ReadonlySet<string>> {
    this.#watch ??= this.#openWatch();
    return (await this.#watch).follow([...this.#subscribed, ...[...this.#listened.values()].flat()]);
  }
}

/** The resources that a `subscriptions/listen` names, none of other messages; what is none is left to the library to refuse. */
export function listenedUris(message: unknown): string[] {
  const { method, params } = Object(message);
  if (method !== 'subscriptions/listen') return [];
  const { resourceSubscriptions: uris } = Object(Object(params).notifications);
  return Array.isArray(uris) && uris.every((uri) => typeof uri === 'string') ? uris : [];
}

/** The same message, naming only what is followed: what it names the library acknowledges. */
export function listeningTo<M>(message: M, followed: ReadonlySet<string>): M {
  const uris = listenedUris(message);
  if (uris.length === 0) return message;
  const { params } = Object(message);
  const resourceSubscriptions = uris.filter((uri) => followed.has(uri));
  const notifications = { ...params.notifications, resourceSubscriptions };
  return { ...message, params: { ...params, notifications } };
}
