import { filterOperators, type InterfaceType, namesKey } from '../../core/doors/front.ts'
import {
  didYouMean,
  type FieldModel,
  listNames,
  nodeGuardsOf,
  type ObjectType,
  type OperationModel,
  type SchemaModel,
} from '../../core/doors/plugin.ts'
import type { ResolvedPolicy } from './check-tables.ts'
import { type FieldOf, fieldNamed, operatorsOf } from './evaluate-rule.ts'
import type { FieldAuthEntry } from './options.ts'
import { objectPaths } from './rule-tree.ts'

/** A policy that decides access to a field. */
export interface FieldBinding {
  /** The field as `Type.field`: `User.email`. */
  readonly target: string
  readonly policy: ResolvedPolicy
  readonly fieldOf: FieldOf
  readonly onDeny: 'mask' | 'reject'
}
export interface OperationBinding {
  readonly policy: ResolvedPolicy
  readonly fieldOf: FieldOf
  /** Type whose rows the policy's rule filters; `null`: the rule does not depend on rows. */
  readonly type: string | null
}

export interface Bindings {
  readonly fields: readonly FieldBinding[]
  readonly operations: ReadonlyMap<OperationModel, OperationBinding>
  /** Policies that the root field `node` requires for the rows of a type. `target` is `node:User` for type `User`. */
  readonly nodes: readonly { readonly target: string; readonly binding: OperationBinding }[]
}

const FUNCTION_NAMES = { years: 'age', days: 'age', length: 'length', contains: 'contains' } as const

type Say = (message: string) => void

/** End of an error message: why a rule about a row cannot guard a mutation whose arguments do not identify the row. */
export const UNNAMED =
  'and no argument says which row that is before it is written: what it sets could make the rule true, and a row that was deleted can no longer be asked. Declare an argument "id" of the type "ID!"; or give the function the caller with inject, and take a policy about the user alone.'

/**
 * Finds the fields and operations that policies apply to: `authorize` of fields, `[[security.field_auth]]`, and
 * `requires_policy` of operations.
 * @param say called with the message of each problem
 */
export function bindPolicies(
  schema: SchemaModel,
  policies: ReadonlyMap<string, ResolvedPolicy>,
  entries: readonly FieldAuthEntry[],
  say: Say,
): Bindings {
  const fields: FieldBinding[] = []
  const operations = new Map<OperationModel, OperationBinding>()

  const policyOf = (name: string, place: string): ResolvedPolicy | undefined => {
    const policy = policies.get(name)
    if (policy === undefined) {
      say(
        `${place}: there is no policy "${name}".${didYouMean(name, policies.keys()) || ` Policies: ${listNames(policies.keys())}.`}`,
      )
    }
    return policy
  }

  function bindField(type: ObjectType, field: FieldModel, name: string, place: string): void {
    const policy = policyOf(name, place)
    if (policy === undefined) return
    const fieldOf = resolveFields(policy, type, place, say)
    const problem = hasRow(policy) ? rowProblem(field) : null
    if (problem !== null) {
      say(`${place}: policy "${name}" looks at the row, and ${problem}`)
      return
    }
    fields.push({ target: `${type.name}.${field.wireName}`, policy, fieldOf, onDeny: field.onDeny })
  }

  for (const type of schema.types.values()) {
    if (type.kind !== 'object') continue
    for (const field of type.fields.values()) {
      const asking = [field, ...type.interfaces.flatMap(({ fields: own }) => own.get(field.wireName) ?? [])]
      const names = new Set(asking.flatMap(({ authorize }) => authorize ?? []))
      for (const name of names) bindField(type, field, name, `${type.name}.${field.name}: authorize`)
    }
  }
  for (const { type_name: typeName, field_name: fieldName, policy } of entries) {
    const place = `[[security.field_auth]] ${typeName}.${fieldName}`
    const type = schema.types.get(typeName)
    if (type?.kind !== 'object' && type?.kind !== 'interface') {
      const names = [...schema.types.values()].flatMap(({ kind, name }) =>
        kind === 'object' || kind === 'interface' ? [name] : [],
      )
      say(`${place}: there is no type "${typeName}".${didYouMean(typeName, names) || ` Types: ${listNames(names)}.`}`)
      continue
    }
    const field = fieldNamed(type, fieldName)
    if (field === undefined) {
      const names = [...type.fields.values()].map(({ name }) => name)
      say(
        `${place}: ${typeName} has no field "${fieldName}".${didYouMean(fieldName, names) || ` Fields: ${listNames(names)}.`}`,
      )
      continue
    }
    for (const member of type.kind === 'object' ? [type] : type.members) {
      const own = member.fields.get(field.wireName)
      if (own !== undefined) bindField(member, own, policy, place)
    }
  }
  for (const [kind, all] of [
    ['Query', schema.queries],
    ['Query', schema.arrowQueries],
    ['Mutation', schema.mutations],
    ['Subscription', schema.subscriptions],
  ] as const) {
    for (const operation of all.values()) {
      if (operation.requiresPolicy === undefined) continue
      const place = `${kind} "${operation.name}": requires_policy`
      const policy = policyOf(operation.requiresPolicy, place)
      if (policy === undefined) continue
      const { named } = operation
      if (!hasRow(policy)) operations.set(operation, { policy, fieldOf: () => [], type: null })
      else if ((named.kind !== 'object' && named.kind !== 'interface') || named.source === null) {
        say(`${place}: policy "${policy.name}" looks at the row, and ${named.name} has no rows of its own.`)
      } else if (operation.kind === 'mutation' && operation.operation !== 'CREATE' && !namesKey(operation)) {
        say(`${place}: policy "${policy.name}" looks at the row, ${UNNAMED}`)
      } else operations.set(operation, { policy, fieldOf: resolveFields(policy, named, place, say), type: named.name })
    }
  }
  const nodes = [...nodeGuardsOf(schema)].flatMap(([name, guards]) =>
    guards.flatMap((guard) => {
      const binding = operations.get(guard as OperationModel)
      return binding === undefined ? [] : [{ target: `node:${name}`, binding }]
    }),
  )
  return { fields, operations, nodes }
}

/** Tests whether the decision of a policy depends on the row, because its rule reads fields of the row. */
export function hasRow({ source }: ResolvedPolicy): boolean {
  return source !== null && 'tree' in source && objectPaths(source.tree).length > 0
}

function rowProblem({ type, named, onDeny }: FieldModel): string | null {
  if (!type.nullable) return 'the field may not be null, so that no row can do without it. Declare it nullable.'
  if (named.kind !== 'scalar' && named.kind !== 'enum') {
    return 'only the value of a scalar or enum can be hidden row by row. Guard the query, by requires_policy.'
  }
  return onDeny === 'reject' ? 'on_deny = "reject" would have to know before it is read. Drop on_deny.' : null
}

function resolveFields(policy: ResolvedPolicy, type: ObjectType | InterfaceType, place: string, say: Say): FieldOf {
  const found = new Map<string, readonly FieldModel[]>()
  if (policy.source === null || 'function' in policy.source) return () => []
  for (const node of objectPaths(policy.source.tree)) {
    const { path } = node
    const fields = resolvePath(type, node, `${place}: policy "${policy.name}": object.${path.join('.')}`, say)
    if (fields !== null) found.set(path.join('.'), fields)
  }
  return (path) => found.get(path.join('.')) ?? []
}

function resolvePath(
  type: ObjectType | InterfaceType,
  node: ReturnType<typeof objectPaths>[number],
  place: string,
  say: Say,
): readonly FieldModel[] | null {
  const { path } = node
  const fields: FieldModel[] = []
  let at: ObjectType | InterfaceType = type
  for (const [index, name] of path.entries()) {
    const field = fieldNamed(at, name)
    if (field === undefined) {
      const names = [...at.fields.values()].map(({ name: own }) => own)
      say(`${place}: ${at.name} has no field "${name}".${didYouMean(name, names) || ` Fields: ${listNames(names)}.`}`)
      return null
    }
    fields.push(field)
    const { named } = field
    const isLast = index === path.length - 1
    if (isLast) {
      if (
        (named.kind === 'scalar' || named.kind === 'enum') &&
        (!field.list || node.call?.name === 'length' || node.call?.name === 'contains') &&
        operatorsOf(node, field).every((name) => filterOperators.findAny(field, name) !== undefined)
      )
        return fields
      say(
        `${place}: its values cannot be compared with "${node.call === undefined ? node.operator : `${FUNCTION_NAMES[node.call.name]}()`}".`,
      )
      return null
    }
    if ((named.kind !== 'object' && named.kind !== 'interface') || field.list) {
      say(`${place}: "${name}" is no single object, so that there is nothing behind it.`)
      return null
    }
    at = named
  }
  return null
}
