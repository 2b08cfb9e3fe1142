import { nodeGuardsOf, type ObjectType, type SchemaModel } from '../../core/doors/plugin.ts'
import { type Need, needsOf } from './need.ts'

/** A type or a field of one that not everybody may see. */
export interface ProtectedTarget {
  /** `User`, `User.email`, `node:User`. */
  readonly target: string
  /** All of them. */
  readonly needs: readonly Need[]
  readonly onDeny: 'mask' | 'reject'
}

/** What of the types of a schema is protected; equal needs are one object. */
export interface SchemaNeeds {
  readonly targets: readonly ProtectedTarget[]
  /** By key; those of the targets. */
  readonly needs: ReadonlyMap<string, Need>
}

/**
 * Read once per schema. What an interface asks for its fields, it asks of every type that implements it: else the same
 * value could be had by another name.
 */
export function schemaNeeds(schema: SchemaModel): SchemaNeeds {
  const needs = new Map<string, Need>()
  const shared = (need: Need): Need => {
    const known = needs.get(need.key)
    if (known !== undefined) return known
    needs.set(need.key, need)
    return need
  }
  const targets: ProtectedTarget[] = []
  for (const type of schema.types.values()) {
    if (type.kind !== 'object') continue
    for (const target of targetsOf(type)) targets.push({ ...target, needs: target.needs.map(shared) })
  }
  for (const [name, guards] of nodeGuardsOf(schema)) {
    const wanted = guards.flatMap(needsOf).map(shared)
    if (wanted.length > 0) targets.push({ target: `node:${name}`, needs: wanted, onDeny: 'mask' })
  }
  return { targets, needs }
}

function targetsOf(type: ObjectType): readonly ProtectedTarget[] {
  const own = needsOf({ requiresRole: type.requiresRole })
  const targets: ProtectedTarget[] = []
  if (own.length > 0) targets.push({ target: type.name, needs: own, onDeny: 'mask' })
  for (const field of type.fields.values()) {
    const asking = [field, ...type.interfaces.flatMap(({ fields }) => fields.get(field.wireName) ?? [])]
    const needs = asking.flatMap(needsOf)
    if (needs.length === 0) continue
    const onDeny = asking.some((one) => one.onDeny === 'reject') ? 'reject' : 'mask'
    targets.push({ target: `${type.name}.${field.wireName}`, needs, onDeny })
  }
  return targets
}
