import type { Location } from '../../core/doors/front.ts'
import {
  type AccessControl,
  type Auth,
  type DenialSet,
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

/** What a document asks of its caller, whoever that is. */
interface Demand {
  /** Of its roots, in their order. */
  readonly needs: readonly { readonly need: Need; readonly path: string; readonly location: Location | null }[]
  /** May it tell something of what is protected? */
  readonly touches: boolean
  /** Whether what is denied concerns it. */
  readonly concerned: WeakMap<DenialSet, boolean>
}

interface Denials {
  /** `null`: nothing. */
  readonly set: DenialSet | null
  readonly targets: readonly string[]
}

/** The checks of one schema. Everything that does not depend on the caller is read once. */
export type Guards = (auth: Auth | null, template: OperationTemplate, access: AccessControl) => void

/** @returns checks that throw FORBIDDEN, or UNAUTHENTICATED where there is no credential */
export function createGuards(schema: SchemaModel): Guards {
  const { targets, needs } = schemaNeeds(schema)
  const rightsOf = createRightsOf()
  const demands = new WeakMap<OperationTemplate, Demand>()
  const byRights = new WeakMap<Rights, Denials>()
  // Of callers whose rights differ in what nothing here asks for: one set, and with it one plan.
  const byVerdict = new Map<string, Denials>()

  function demandOf(template: OperationTemplate): Demand {
    let demand = demands.get(template)
    if (demand === undefined) {
      const reach = reachOf(template)
      demand = {
        needs: template.roots.flatMap((root) => {
          const location = 'location' in root ? root.location : null
          // Of `node` each type is guarded by itself.
          const guards = root.kind === 'node' ? [] : guardOf(root, schema).flatMap(needsOf)
          return guards.map((need) => ({ need, path: root.responseKey, location }))
        }),
        touches: targets.length > 0 && targets.some(({ target }) => reach.has(target)),
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

/** More of them than a schema of many scopes makes of its callers; then the sets are made for each. */
const MOST_VERDICTS = 1000

/** A type or a field of one that not everybody may see. */
interface ProtectedTarget {
  /** `User`, `User.email`, `node:User`. */
  readonly target: string
  /** All of them. */
  readonly needs: readonly Need[]
  readonly onDeny: 'mask' | 'reject'
}

/** What of the types of a schema is protected; equal needs are one object. */
interface SchemaNeeds {
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
