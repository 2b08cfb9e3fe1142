import { SvcError } from '../../../core/base/errors/svc-error.ts'
import type { Handler } from '../../../core/contract/stages.ts'
import type { AuthoredField, AuthoredQuery, AuthoredSchema, AuthoredType } from '../../../core/schema/authored.ts'
import type { SchemaModel } from '../../../core/schema/model.ts'
import { bindPolicies } from '../../../plugins/policies/bindings.ts'
import { resolveTables } from '../../../plugins/policies/check-tables.ts'
import { createDecide } from '../../../plugins/policies/decide.ts'
import { createGuards as createPolicyGuards } from '../../../plugins/policies/guards.ts'
import type { PolicyEntry, PolicyTables } from '../../../plugins/policies/options.ts'
import { createGuards } from '../../../plugins/scopes/guards.ts'
import type { RuleRow } from './rules.ts'

/** Rules that plugins make of the schema and the configuration: bob has what they ask for, ann has not. */
export type RightsRule =
  | 'deny unless'
  | 'field requires_scope'
  | 'field requires_role'
  | 'type requires_role'
  | `field policy ${PolicyEntry['type']}`
  | 'field policy of the row'
  | 'query policy of the row'

const fail = (message: string): never => {
  throw new Error(message)
}

/** The guards of the plugin, once per schema. */
function once(build: (schema: SchemaModel) => Handler<'authorize'>): Handler<'authorize'> {
  const built = new WeakMap<SchemaModel, Handler<'authorize'>>()
  return (exchange, operation, access) => {
    const { schema } = exchange.generation
    const guard = built.get(schema) ?? build(schema)
    built.set(schema, guard)
    return guard(exchange, operation, access)
  }
}

const scopes = once((schema) => {
  const guards = createGuards(schema)
  return ({ auth }, { template }, access) => guards(auth, template, access)
})

function policies(tables: Partial<PolicyTables>): Handler<'authorize'> {
  return once((schema) => {
    const all = { rules: [], policies: [], field_auth: [], ...tables }
    const resolved = resolveTables(all, new Set(['isBob']), (_id, message) => fail(message))
    const bindings = bindPolicies(schema, resolved, all.field_auth, fail)
    const functions = new Map([['isBob', (user: { readonly id: string | null } | null) => user?.id === 'bob']])
    const report = (_policy: string, error: unknown) => fail(String(error))
    const decides = new Map<object, ReturnType<typeof createDecide>>()
    const guards = createPolicyGuards(bindings, schema, (binding) => {
      const decide =
        decides.get(binding) ??
        createDecide(binding.policy, { functions, timeoutMs: 1000, report, fieldOf: binding.fieldOf })
      decides.set(binding, decide)
      return decide
    })
    return (exchange, { template }, access) =>
      guards({ ...exchange, aborted: false, onAbort: () => () => {} }, template, access)
  })
}

const title =
  (more: Partial<AuthoredField>) =>
  (base: AuthoredSchema): AuthoredSchema =>
    changeBook(base, ({ fields, ...type }) => ({
      ...type,
      fields: fields.map((field) => (field.name === 'title' ? { ...field, ...more } : field)),
    }))

function changeBook(base: AuthoredSchema, change: (type: AuthoredType) => AuthoredType): AuthoredSchema {
  return { ...base, types: base.types?.map((type) => (type.name === 'Book' ? change(type) : type)) ?? [] }
}

const ofQueries =
  (more: Partial<AuthoredQuery>) =>
  (base: AuthoredSchema): AuthoredSchema => ({
    ...base,
    queries: base.queries?.map((query) => (/\bBook\b/.test(query.type) ? { ...query, ...more } : query)) ?? [],
  })

const same = (base: AuthoredSchema): AuthoredSchema => base
const ON_TITLE = [{ type_name: 'Book', field_name: 'title', policy: 'p' }]
const OWN = { rules: [{ name: 'p', rule: 'user.id == object.owner' }] }
const fieldPolicy = (policy: Omit<PolicyEntry, 'name'>): RuleRow => ({
  hides: 'field',
  packedOnly: true,
  schema: same,
  authorize: policies({ policies: [{ name: 'p', ...policy }], field_auth: ON_TITLE }),
})

export const RIGHTS_RULES: Readonly<Record<RightsRule, RuleRow>> = {
  'deny unless': {
    hides: 'field of rows',
    schema: same,
    authorize: ({ auth }, _operation, access) =>
      access.deny('Book.title', new SvcError('FORBIDDEN', 'Not yours.'), { unless: { owner: { _eq: auth?.subject } } }),
  },
  'field requires_scope': {
    hides: 'field',
    packedOnly: true,
    schema: title({ requires_scope: 'read:title' }),
    authorize: scopes,
  },
  'field requires_role': {
    hides: 'field',
    packedOnly: true,
    schema: title({ requires_role: ['x', 'reader'] }),
    authorize: scopes,
  },
  'type requires_role': {
    hides: 'type',
    packedOnly: true,
    schema: (base) => changeBook(base, (type) => ({ ...type, requires_role: 'reader' })),
    authorize: scopes,
  },
  'field policy rbac': fieldPolicy({ type: 'rbac', roles: ['reader'], strategy: 'exactly' }),
  'field policy abac': fieldPolicy({ type: 'abac', rule: 'user.sub == "bob"' }),
  'field policy custom': fieldPolicy({ type: 'custom', rule: 'isBob' }),
  'field policy hybrid': fieldPolicy({ type: 'hybrid', roles: ['reader'], rule: 'user.id == "bob"' }),
  'field policy of the row': {
    hides: 'field of rows',
    packedOnly: true,
    schema: same,
    authorize: policies({ ...OWN, field_auth: ON_TITLE }),
  },
  'query policy of the row': {
    hides: 'rows of policies',
    packedOnly: true,
    schema: ofQueries({ requires_policy: 'p' }),
    authorize: policies(OWN),
  },
}
