import type { Location } from '../../core/doors/front.ts'
import {
  type AccessControl,
  type Auth,
  denialSet,
  guardOf,
  nodeGuardsOf,
  type ObjectType,
  type OperationTemplate,
  reachOf,
  type SchemaModel,
} from '../../core/doors/plugin.ts'
import { type Need, needsOf } from './need.ts'
import { createRightsOf, type Rights } from './rights.ts'

type DenialSet = ReturnType<typeof denialSet>

/** Requirements of a document, independent of its caller. */
interface Demand {
  /** Requirements of the roots, in their order. */
  readonly needs: readonly { readonly need: Need; readonly path: string; readonly location: Location | null }[]
  /** Can the document reveal protected values? */
  readonly touches: boolean
  /** Does a set of denials affect the document? */
  readonly concerned: WeakMap<DenialSet, boolean>
}

interface Denials {
  /** Denied targets; `null`: none. */
  readonly set: DenialSet | null
  readonly targets: readonly string[]
}

/**
 * Checks the scopes, roles and API keys that an operation requires. It throws for a denied operation, and denies fields
 * and types in `access`.
 */
export type Guards = (auth: Auth | null, template: OperationTemplate, access: AccessControl) => void

/**
 * Creates the checks of scopes, roles and API keys for a schema.
 * @returns a function that throws FORBIDDEN, or UNAUTHENTICATED without a credential
 */
export function createGuards(schema: SchemaModel): Guards {
  const { targets, needs } = schemaNeeds(schema)
  const rightsOf = createRightsOf()
  const demands = new WeakMap<OperationTemplate, Demand>()
  const byRights = new WeakMap<Rights, Denials>()
  // Callers whose permissions differ only in ways that this schema does not check share a set of denials, and therefore plans.
  const byVerdict = new Map<string, Denials>()

  function demandOf(template: OperationTemplate): Demand {
    let demand = demands.get(template)
    if (demand === undefined) {
      demand = {
        needs: template.roots.flatMap((root) => {
          const location = 'location' in root ? root.location : null
          // For `node`, the guards of each type apply.
          const guards = root.kind === 'node' ? [] : guardOf(root, schema).flatMap(needsOf)
          return guards.map((need) => ({ need, path: root.responseKey, location }))
        }),
        touches: targets.length > 0 && targets.some(({ target }) => reachOf(template).has(target)),
        concerned: new WeakMap(),
      }
      demands.set(template, demand)
    }
    return demand
  }

  function denialsOf(rights: Rights): Denials {
    let denials = byRights.get(rights)
    if (denials === undefined) {
      const verdict = `${rights.known}${[...needs.values()].map((need) => (rights.meets(need) ? '1' : '0')).join('')}`
      denials = byVerdict.get(verdict) ?? deny(rights)
      if (byVerdict.size < MOST_VERDICTS) byVerdict.set(verdict, denials)
      byRights.set(rights, denials)
    }
    return denials
  }

  function deny(rights: Rights): Denials {
    const closed = targets.flatMap(({ target, needs, onDeny }) => {
      const need = needs.find((one) => !rights.meets(one))
      return need === undefined ? [] : [{ target, error: need.error(rights.known), onDeny }]
    })
    return {
      set: closed.length === 0 ? null : denialSet(schema, closed),
      targets: closed.map(({ target }) => target),
    }
  }

  function concerns({ set, targets }: Denials, { concerned }: Demand, template: OperationTemplate): boolean {
    if (set === null) return false
    let does = concerned.get(set)
    if (does === undefined) {
      const reach = reachOf(template)
      does = targets.some((target) => reach.has(target))
      concerned.set(set, does)
    }
    return does
  }

  return (auth, template, access) => {
    const demand = demandOf(template)
    if (demand.needs.length === 0 && !demand.touches) return
    const rights = rightsOf(auth)
    for (const { need, path, location } of demand.needs) {
      if (rights.meets(need)) continue
      throw need.error(rights.known, { path: [path], locations: location === null ? undefined : [location] })
    }
    if (!demand.touches) return
    const denials = denialsOf(rights)
    if (denials.set !== null && concerns(denials, demand, template)) access.deny(denials.set)
  }
}

/** Maximum number of shared sets of denials, more than a schema with many scopes needs. Beyond it, sets are not shared. */
const MOST_VERDICTS = 1000

/** A protected type or field. */
interface ProtectedTarget {
  /** Target such as `User`, `User.email` or `node:User`. */
  readonly target: string
  /** Requirements, which must all be met. */
  readonly needs: readonly Need[]
  readonly onDeny: 'mask' | 'reject'
}

/** Protected targets of a schema. Equal requirements are one object. */
interface SchemaNeeds {
  readonly targets: readonly ProtectedTarget[]
  /** Requirements of the targets, by key. */
  readonly needs: ReadonlyMap<string, Need>
}

/**
 * Collects the types, fields and operations of a schema that require scopes, roles or an API key. A requirement of an
 * interface's field applies to all types that implement it, because they expose the same value.
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
