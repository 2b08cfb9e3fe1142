import {
  apiKeyRequired,
  authenticated,
  field,
  ID,
  list,
  mutation,
  nullable,
  query,
  requiresScope,
  role,
  String,
  subscription,
  type,
} from 'svc/authoring'

@type({ sqlSource: 'v_user' })
export class User {
  @field(ID) id!: string
  @requiresScope('read:email', 'read:user') @field(nullable(String)) email!: string | null
  @role('admin', 'owner') @field(nullable(String), { onDeny: 'mask' }) phone!: string | null
  @requiresScope('read:note') @role('admin') @field(nullable(String)) note!: string | null
}

export class Operations {
  @authenticated @query(() => list(User)) users!: unknown
  @requiresScope('read:user') @role('admin') @query(() => nullable(User), { args: { id: ID } }) user!: unknown
  @query(() => list(User)) @apiKeyRequired() @authenticated() partners!: unknown
  @role('admin', 'owner') @mutation(() => User, { args: { id: ID } }) lock_user!: unknown
  @requiresScope('read:user') @subscription(() => User) user_changed!: unknown
}
