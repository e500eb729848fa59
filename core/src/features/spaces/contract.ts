import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';
import { guardianRoutes } from '../guardian/contract.ts';

/** Spaces that an agent may be in: each is searched by every recall. */
export const MOST_SPACES = 20;
/** Agents that may share a space. */
export const MOST_MEMBERS = 100;

const NAME_CHARACTERS = 64;

/**
 * It stands, between quotes, in the titles of what an agent reads at the start of a session, so it holds nothing that could be more
 * than a name: no quotes that would end it, no marks of Markdown or HTML that begin anything, and no line ends.
 */
const name = field
  .label(NAME_CHARACTERS)
  .refine((value) => /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._'’&(),+-]*$/u.test(value), {
    message: "must be letters, digits, spaces and . _ - ' ’ & ( ) , + only, and begin with a letter or digit",
    // One message says enough.
    when: ({ issues }) => issues.length === 0,
  });

const right = z.enum(field.SPACE_RIGHTS);

const member = z.object({
  tenant_id: z.uuid(),
  display_name: z.string(),
  /** `read`: what is in the space. `write`: also store and change. `manage`: also members, protected memories and undo. */
  right,
  since: field.instant,
});

const space = z.object({
  id: z.uuid(),
  name: z.string(),
  /** What the caller may do there. */
  right,
  created_at: field.instant,
});
export type Space = z.output<typeof space>;

const listedSpace = space.extend({
  members: z.int(),
  /** Active memories. */
  memories: z.int(),
  /** What its Guardian keeps until a manager or the human decides. */
  waiting: z.int(),
});

/** The space itself, as a path names it: one that is no UUID names nothing, as an unknown one does. */
const inSpace = z.strictObject({ space_id: field.id });
const change = inSpace.extend({ id: field.id, reason: field.text(1_000).optional() });
const decided = guardianRoutes.approveChange.response;

export const spaceRoutes = {
  /** Makes a space; the agent may manage it. */
  createSpace: route({
    method: 'POST',
    path: '/spaces',
    access: 'write',
    metering: 'limited',
    summary: 'Make a space that agents of one account share',
    request: z.strictObject({ name }),
    response: z.object({ outcome: z.literal('created'), space, redacted: field.redacted }),
    errors: ['CONFLICT'],
  }),
  /** The spaces of the agent; for the human, all of the account. */
  spaces: route({
    method: 'GET',
    path: '/spaces',
    access: 'read',
    metering: 'free',
    summary: 'List the spaces',
    request: z.strictObject({}),
    response: z.object({ spaces: z.array(listedSpace) }),
  }),
  /** One space, its members, and how its Guardian judges. */
  space: route({
    method: 'GET',
    path: '/spaces/{space_id}',
    access: 'read',
    metering: 'free',
    spaces: 'read',
    summary: 'Show a space and its members',
    request: inSpace,
    response: z.object({
      space,
      members: z.array(member),
      guardian: guardianRoutes.guardianSettings.response.shape.settings,
    }),
  }),
  /** Gives the space another name. */
  renameSpace: route({
    method: 'PATCH',
    path: '/spaces/{space_id}',
    access: 'write',
    metering: 'counted',
    spaces: 'manage',
    summary: 'Rename a space',
    request: inSpace.extend({ name }),
    response: z.object({ space, redacted: field.redacted }),
    errors: ['FORBIDDEN'],
  }),
  /** Deletes the space with all that is in it, for good. */
  deleteSpace: route({
    method: 'DELETE',
    path: '/spaces/{space_id}',
    access: 'write',
    metering: 'counted',
    spaces: 'manage',
    summary: 'Delete a space with all that is in it',
    request: inSpace,
    response: z.object({ space: z.object({ id: z.uuid() }) }),
    errors: ['FORBIDDEN'],
    idempotent: false,
  }),
  /** Lets an agent of the same account into the space, or changes what it may do there. */
  setSpaceMember: route({
    method: 'POST',
    path: '/spaces/{space_id}/members/{tenant_id}',
    access: 'write',
    metering: 'counted',
    spaces: 'manage',
    summary: 'Give an agent a right in a space',
    request: inSpace.extend({ tenant_id: field.id, right }),
    response: z.object({ member }),
    errors: ['FORBIDDEN', 'CONFLICT'],
  }),
  /** Takes an agent out of the space; every member may leave. */
  removeSpaceMember: route({
    method: 'DELETE',
    path: '/spaces/{space_id}/members/{tenant_id}',
    access: 'write',
    metering: 'counted',
    spaces: 'read',
    summary: 'Take an agent out of a space',
    request: inSpace.extend({ tenant_id: field.id }),
    /** `right`: what it had, by which it can be let in again. */
    response: z.object({ removed: z.object({ tenant_id: z.uuid(), right }) }),
    errors: ['FORBIDDEN', 'CONFLICT'],
    idempotent: false,
  }),
  /** What was asked of the space's core memories, which are all protected, newest first. */
  spaceGuardianQueue: route({
    method: 'GET',
    path: '/spaces/{space_id}/guardian',
    access: 'read',
    metering: 'free',
    spaces: 'read',
    summary: 'List Guardian entries of a space',
    request: guardianRoutes.guardianQueue.request.extend(inSpace.shape),
    response: guardianRoutes.guardianQueue.response,
  }),
  /** A manager, or the human of the account, lets a change happen. */
  approveSpaceChange: route({
    method: 'POST',
    path: '/spaces/{space_id}/guardian/{id}/approve',
    access: 'write',
    metering: 'counted',
    spaces: 'manage',
    summary: 'Approve a change to a protected memory of a space',
    request: change,
    response: decided,
    errors: ['FORBIDDEN', 'CONFLICT'],
  }),
  /** A manager, or the human of the account, refuses a change. */
  rejectSpaceChange: route({
    method: 'POST',
    path: '/spaces/{space_id}/guardian/{id}/reject',
    access: 'write',
    metering: 'counted',
    spaces: 'manage',
    summary: 'Reject a change to a protected memory of a space',
    request: change,
    response: decided,
    errors: ['FORBIDDEN', 'CONFLICT'],
  }),
};
