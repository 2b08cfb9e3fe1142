import type { AuthoredField, AuthoredSchema } from '../../core/doors/command.ts'
import { toWireName } from '../../core/doors/front.ts'
import type { FederationBlock } from './block.ts'
import { parseFieldSet } from './check/field-set.ts'
import type { Owner, Owners } from './check/owners.ts'

interface Guarded {
  readonly authenticated?: boolean
  readonly requires_scope?: string
}

/**
 * Prints the federation directives of types and fields as SDL, by `Type` or `Type.field`.
 * @param rights `true` also prints directives of access rules, such as `@authenticated` and `@policy`
 */
export function marksOf(schema: AuthoredSchema, owners: Owners, rights: boolean): FederationBlock['marks'] {
  const marks: Record<string, readonly string[]> = {}
  const add = (place: string, of: readonly string[]): void => {
    if (of.length > 0) marks[place] = of
  }
  for (const owner of owners.all()) {
    add(owner.name, typeMarks(owners, owner))
    for (const field of owner.fields) {
      const guards = rights ? [...rightMarks(field), ...policyMarks(field.authorize)] : []
      add(`${owner.name}.${toWireName(field.name)}`, [...fieldMarks(owners, owner, field), ...guards])
    }
  }
  if (!rights) return marks
  const roots = { Query: schema.queries, Mutation: schema.mutations, Subscription: schema.subscriptions }
  for (const [root, operations] of Object.entries(roots)) {
    for (const operation of operations ?? []) {
      add(`${root}.${toWireName(operation.name)}`, [
        ...rightMarks(operation),
        ...policyMarks(operation.requires_policy),
      ])
    }
  }
  return marks
}

function typeMarks(owners: Owners, owner: Owner): readonly string[] {
  const keys = owners.keysOf(owner).map(({ text, fields }) => {
    const selection = fields === null ? text : owners.toWire(owner, fields)
    return `@key(fields: ${JSON.stringify(selection)}${owner.resolvable === false ? ', resolvable: false' : ''})`
  })
  const common = [...keys, ...visibility(owner)]
  if (!owners.isObject(owner)) return common
  return [
    ...(owner.extends === true ? ['@extends'] : []),
    ...(owner.interface_object === true ? ['@interfaceObject'] : []),
    ...common,
    ...(owner.shareable === true ? ['@shareable'] : []),
    ...(owner.directives ?? []),
  ]
}

function visibility({ inaccessible, tags = [] }: Pick<Owner, 'inaccessible' | 'tags'>): readonly string[] {
  return [
    ...(inaccessible === true ? ['@inaccessible'] : []),
    ...tags.map((tag) => `@tag(name: ${JSON.stringify(tag)})`),
  ]
}

function fieldMarks(owners: Owners, owner: Owner, field: AuthoredField): readonly string[] {
  const { requires, provides, override, override_label: label } = field
  const behind = owners.behind(field)
  return [
    ...(field.external === true ? ['@external'] : []),
    ...(requires === undefined ? [] : [`@requires(fields: ${wired(owners, owner, requires)})`]),
    ...(provides === undefined || behind === undefined
      ? []
      : [`@provides(fields: ${wired(owners, behind, provides)})`]),
    ...(override === undefined
      ? []
      : [
          `@override(from: ${JSON.stringify(override)}${label === undefined ? '' : `, label: ${JSON.stringify(label)}`})`,
        ]),
    ...(field.shareable === true ? ['@shareable'] : []),
    ...visibility(field),
  ]
}

/** Converts a selection to wire names. An invalid one was reported before. */
function wired(owners: Owners, owner: Owner, text: string): string {
  try {
    return JSON.stringify(owners.toWire(owner, parseFieldSet(text)))
  } catch {
    return JSON.stringify(text)
  }
}

/** Returns the directives of access rules. All scopes of a space-separated list are required. Federation has no directive for roles. */
function rightMarks({ authenticated, requires_scope: scope }: Guarded): readonly string[] {
  const scopes = scope?.split(/\s+/).filter((one) => one !== '') ?? []
  return [
    ...(authenticated === true ? ['@authenticated'] : []),
    ...(scopes.length === 0 ? [] : [`@requiresScopes(scopes: ${JSON.stringify([scopes])})`]),
  ]
}

function policyMarks(policy: string | undefined): readonly string[] {
  return policy === undefined ? [] : [`@policy(policies: ${JSON.stringify([[policy]])})`]
}
