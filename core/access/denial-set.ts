import type { Access, Denial, DenialOf, DenialSet } from '../contract/access.ts'
import type { SchemaModel } from '../schema/model.ts'
import { CollectedAccess, variantOf } from './collected-access.ts'
import { addDenial } from './denials.ts'
import { invalid } from './invalid.ts'

/** All of it is known before anybody asks: the access of who is denied this and nothing else is made once, too. */
class PreparedDenials {
  readonly schema: SchemaModel
  readonly denied: ReadonlyMap<string, Denial>
  readonly access: Access

  constructor(schema: SchemaModel, denied: ReadonlyMap<string, Denial>) {
    this.schema = schema
    this.denied = denied
    const nothing = { conditions: new Map(), values: Object.freeze({}), settings: Object.freeze([]) }
    this.access = new CollectedAccess({ denied, ...nothing, variant: variantOf(denied, new Map()) })
  }
}

/**
 * Fields and types for `access.deny`, checked and put together once: for a hook that denies the same to everybody who has
 * the same rights. Of one target the first error stays, and `reject` wins.
 * @throws SvcError SVC_ACCESS_INVALID: there is no such field or type
 */
export function denialSet(schema: SchemaModel, denials: readonly DenialOf[]): DenialSet {
  const denied = new Map<string, Denial>()
  for (const { target, error, onDeny } of denials) addDenial(denied, schema, target, error, onDeny)
  return new PreparedDenials(schema, denied) as unknown as DenialSet
}

/** @returns `null`: it is the name of a target */
export function readDenialSet(set: unknown, schema: SchemaModel): PreparedDenials | null {
  if (!(set instanceof PreparedDenials)) return null
  if (set.schema !== schema) {
    throw invalid('access.deny: the set was made for another schema. Make it with scope.perGeneration.')
  }
  return set
}

export type { PreparedDenials }
