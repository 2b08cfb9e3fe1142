import type { Access, Denial, DenialOf, DenialSet } from '../../contract/access.ts'
import type { SchemaModel } from '../../schema/model.ts'
import { CollectedAccess, variantOf } from './collected-access.ts'
import { addDenial } from './denials.ts'
import { invalid } from './invalid.ts'

/** A checked set of denials, with the `Access` of callers who have no other restrictions. */
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
 * Checks denials once, so that `access.deny` can apply the set for every caller with the same rights. If a type or
 * field occurs twice, the first error counts, and `onDeny: "reject"` takes precedence.
 * @throws SvcError SVC_ACCESS_INVALID: unknown field or type
 */
export function denialSet(schema: SchemaModel, denials: readonly DenialOf[]): DenialSet {
  const denied = new Map<string, Denial>()
  for (const { target, error, onDeny } of denials) addDenial(denied, schema, target, error, onDeny)
  return new PreparedDenials(schema, denied) as unknown as DenialSet
}

/**
 * Returns the first argument of `access.deny` if {@link denialSet} made it; `null`: the argument is a target such as
 * `User.email`.
 * @throws SvcError SVC_ACCESS_INVALID: the set was made for another schema
 */
export function readDenialSet(set: unknown, schema: SchemaModel): PreparedDenials | null {
  if (!(set instanceof PreparedDenials)) return null
  if (set.schema !== schema) {
    throw invalid('access.deny: the set was made for another schema. Make it with scope.perGeneration.')
  }
  return set
}

export type { PreparedDenials }
