import {
  type AuthoredField,
  type AuthoredInterface,
  type AuthoredSchema,
  type AuthoredType,
  defineCompilePart,
  type PartContext,
} from '../../core/doors/command.ts'
import { didYouMean, listNames } from '../../core/doors/plugin.ts'
import { hasRow, UNNAMED } from './bindings.ts'
import { type ResolvedPolicy, resolveTables } from './check-tables.ts'
import type { PolicyOptions } from './options.ts'
import { objectPaths } from './rule-tree.ts'
import { tablesOf } from './tables.ts'

/** Types of arguments that identify a row. */
const KEYS = ['ID!', 'Int!', 'UUID!', 'String!', 'BigInt!']

type Policies = ReadonlyMap<string, ResolvedPolicy>
type Context = PartContext<PolicyOptions>

/**
 * Compile part of the policies plugin: reports unknown names, and writes rules and policies into the compiled schema.
 */
export default defineCompilePart<PolicyOptions>({
  functions: {
    policy: 'Decides about access: `(user, { policy }) => true`, or a promise of it; anything else denies.',
  },
  compile(context) {
    const { schema, options } = context
    const functions = (schema.author_functions ?? []).filter(({ kind }) => kind === 'policy').map(({ name }) => name)
    const policies = resolveTables(options, new Set(functions), (id, message) => context.fault(id, message))
    const used = [
      ...bindFields(context, policies),
      ...bindOperations(context, policies),
      ...bindEntries(context, policies),
    ]
    for (const name of policies.keys()) {
      if (used.includes(name) || options.policies.some(({ rule }) => rule === name)) continue
      context.warn(
        'unused',
        `"${name}" is a rule or policy that nothing asks. Name it in field_auth, authorize or requires_policy.`,
      )
    }
    const { rules, policies: all, field_auth: entries } = options
    const isEmpty = rules.length === 0 && all.length === 0 && entries.length === 0
    return isEmpty ? undefined : { block: tablesOf(options) }
  },
})

function bindFields(context: Context, policies: Policies): readonly string[] {
  const owners = [...(context.schema.types ?? []), ...(context.schema.interfaces ?? [])]
  return owners.flatMap((owner) =>
    owner.fields.flatMap((field) => {
      if (field.authorize === undefined) return []
      const place = `${owner.name}.${field.name}: authorize`
      checkField(context, policies, field.authorize, place, owner, field)
      return [field.authorize]
    }),
  )
}

function bindOperations(context: Context, policies: Policies): readonly string[] {
  const { queries = [], mutations = [], subscriptions = [] } = context.schema
  for (const mutation of mutations) {
    const policy = mutation.requires_policy === undefined ? undefined : policies.get(mutation.requires_policy)
    if (policy === undefined || mutation.operation === 'CREATE' || !hasRow(policy)) continue
    if (mutation.arguments?.some(({ name, type }) => name === 'id' && KEYS.includes(type))) continue
    const place = `"${mutation.name}": requires_policy`
    context.fault('object', `${place}: policy "${policy.name}" looks at the row, ${UNNAMED}`, mutation)
  }
  return [...queries, ...mutations, ...subscriptions].flatMap((operation) => {
    const { name, type, requires_policy: policy } = operation
    if (policy === undefined) return []
    checkPolicy(context, policies, policy, `"${name}": requires_policy`, type.replace(/[[\]!]/g, ''), operation)
    return [policy]
  })
}

function bindEntries(context: Context, policies: Policies): readonly string[] {
  const { options, schema } = context
  return options.field_auth.map(({ type_name: typeName, field_name: fieldName, policy }) => {
    const place = `[[security.field_auth]] ${typeName}.${fieldName}`
    const owners = [...(schema.types ?? []), ...(schema.interfaces ?? [])]
    const owner = owners.find(({ name }) => name === typeName)
    if (owner === undefined) {
      const names = owners.map(({ name }) => name)
      context.fault(
        'field-auth',
        `${place}: there is no type "${typeName}".${didYouMean(typeName, names) || ` Types: ${listNames(names)}.`}`,
      )
      return policy
    }
    const field = owner.fields.find(({ name }) => spellings(name).includes(fieldName))
    if (field === undefined) {
      const names = owner.fields.map(({ name }) => name)
      context.fault(
        'field-auth',
        `${place}: ${typeName} has no field "${fieldName}".${didYouMean(fieldName, names) || ` Fields: ${listNames(names)}.`}`,
        owner,
      )
    } else checkField(context, policies, policy, place, owner, field)
    return policy
  })
}

/** Checks a field with a row-level rule, which hides the value in some rows. */
function checkField(
  context: Context,
  policies: Policies,
  name: string,
  place: string,
  owner: AuthoredType | AuthoredInterface,
  field: AuthoredField,
): void {
  checkPolicy(context, policies, name, place, owner.name, field, owner)
  const policy = policies.get(name)
  if (policy === undefined || !hasRow(policy)) return
  const problem = field.type.endsWith('!')
    ? 'the field may not be null, so that no row can do without it. Declare it nullable.'
    : field.on_deny === 'reject'
      ? 'on_deny = "reject" would have to know before it is read. Drop on_deny.'
      : null
  if (problem !== null)
    context.fault('field-auth', `${place}: policy "${name}" looks at the row, and ${problem}`, field, owner)
}

function checkPolicy(
  context: Context,
  policies: Policies,
  name: string,
  place: string,
  typeName: string,
  ...at: Parameters<Context['fault']> extends [string, string, ...infer Rest] ? Rest : never
): void {
  const policy = policies.get(name)
  if (policy === undefined) {
    const known = [...policies.keys()]
    const isFaulty = [...context.options.policies, ...context.options.rules].some((one) => one.name === name)
    if (isFaulty) return
    context.fault(
      'unknown-policy',
      `${place}: there is no policy "${name}".${didYouMean(name, known) || ` Policies: ${listNames(known)}.`}`,
      ...at,
    )
    return
  }
  if (policy.source === null || 'function' in policy.source) return
  for (const { path } of objectPaths(policy.source.tree)) {
    const problem = pathProblem(context.schema, typeName, path)
    if (problem !== null)
      context.fault('object', `${place}: policy "${name}": object.${path.join('.')}: ${problem}`, ...at)
  }
}

function pathProblem(schema: AuthoredSchema, typeName: string, path: readonly string[]): string | null {
  const [name = '', ...rest] = path
  const owner = [...(schema.types ?? []), ...(schema.interfaces ?? [])].find((one) => one.name === typeName)
  if (owner === undefined) return `${typeName} has no fields.`
  const field = owner.fields.find((one) => spellings(one.name).includes(name))
  if (field === undefined) {
    const names = owner.fields.map((one) => one.name)
    return `${typeName} has no field "${name}".${didYouMean(name, names) || ` Fields: ${listNames(names)}.`}`
  }
  return rest.length === 0 ? null : pathProblem(schema, field.type.replace(/[[\]!]/g, ''), rest)
}

/** Returns the declared name and the wire name. */
function spellings(name: string): readonly string[] {
  return [name, name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())]
}
