import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';

/** What a connected app may do: the same as a key of that scope. */
const scope = z.enum(field.KEY_SCOPES);

/** An app that speaks OAuth 2.1. */
const app = z.object({
  client_id: z.string(),
  /** What the app calls itself. Anyone can choose any name. */
  name: z.string(),
  /** Host that the app's metadata document was read from; null for an app that registered itself, whose name nothing proves. */
  host: z.string().nullable(),
});

/** An app that a human let in to an agent's memory. */
const connection = z.object({
  id: z.uuid(),
  app,
  scope,
  created_at: field.instant,
  /** To the minute; null before the first call. */
  last_used_at: field.instant.nullable(),
  /** When it ends unless the app uses it before. */
  expires_at: field.instant,
});

/** The parameters of an authorization request, as the app put them into the address (RFC 6749, RFC 7636, RFC 8707). */
const authorizationRequest = z.strictObject({
  client_id: field.text(2_048),
  redirect_uri: field.text(2_048),
  response_type: field.text(64).optional(),
  code_challenge: field.text(128).optional(),
  code_challenge_method: field.text(16).optional(),
  scope: field.text(256).optional(),
  state: field.text(2_048).optional(),
  resource: field.text(2_048).optional(),
});
const requestFields = Object.keys(authorizationRequest.shape);

export const connectionRoutes = {
  /**
   * Reads what an app asks for, to be shown to the human. An unknown app, or one that asks to be answered at an address
   * that is not its own, is an error; any other mistake of the request is its `problem`, with which the human can only
   * go back.
   */
  readAuthorization: route({
    method: 'POST',
    path: '/connections/request',
    access: 'human',
    metering: 'free',
    summary: 'Read what an app asks for by OAuth',
    request: authorizationRequest,
    response: z.object({
      app,
      /** Host, or scheme of an app on this machine, that the browser goes to next. */
      redirect_host: z.string(),
      /** Whether that is a program on the human's own machine, which any program there can pass itself off as. */
      redirect_is_local: z.boolean(),
      /** The most that the app asks for. */
      scope,
      problem: z.string().optional(),
      /** Where the browser goes when the human says no. */
      decline_url: z.string(),
    }),
    verbatim: requestFields,
    idempotent: false,
  }),
  /** Lets an app in to the agent's memory. The code in `redirect_url` is good once, within five minutes. */
  approveAuthorization: route({
    method: 'POST',
    path: '/connections',
    access: 'human',
    humanDecides: true,
    metering: 'free',
    summary: 'Let an app in by OAuth',
    request: authorizationRequest.extend({
      /** What the app may do: at most what it asked for. */
      grant: scope,
    }),
    response: z.object({
      outcome: z.literal('created'),
      /** Where the browser goes now. */
      redirect_url: z.string(),
    }),
    verbatim: requestFields,
    errors: ['CONFLICT'],
    idempotent: false,
  }),
  /** The apps that are let in, newest first. */
  connections: route({
    method: 'GET',
    path: '/connections',
    access: 'human',
    metering: 'free',
    summary: 'List the connected apps',
    request: z.strictObject({}),
    response: z.object({ connections: z.array(connection) }),
  }),
  /** Shuts an app out at once; all its tokens end. */
  revokeConnection: route({
    method: 'DELETE',
    path: '/connections/{id}',
    access: 'human',
    metering: 'free',
    summary: 'Disconnect an app',
    request: z.strictObject({ id: field.id }),
    response: z.object({ connection }),
  }),
};
