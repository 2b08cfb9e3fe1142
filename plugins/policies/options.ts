import type { JsonSchema } from '../../core/doors/plugin.ts'

/** An entry of `[[security.rules]]`: a named condition on the caller and the row. */
export interface RuleEntry {
  readonly name: string
  readonly rule: string
  readonly description?: string
  readonly cacheable?: boolean
  readonly cache_ttl_seconds?: number
}

/** An entry of `[[security.policies]]`: a named decision by roles, a rule or a function of the author. */
export interface PolicyEntry {
  readonly name: string
  readonly type: 'rbac' | 'abac' | 'custom' | 'hybrid'
  readonly description?: string
  readonly roles?: readonly string[]
  readonly strategy?: 'any' | 'all' | 'exactly'
  readonly rule?: string
  readonly cache_ttl_seconds?: number
}

/** An entry of `[[security.field_auth]]`: a field of the schema, and the policy that protects it. */
export interface FieldAuthEntry {
  readonly type_name: string
  readonly field_name: string
  readonly policy: string
}

/**
 * The rules, policies and protected fields of the configuration. The compiled schema has a copy, to check that both
 * agree.
 */
export interface PolicyTables {
  readonly rules: readonly RuleEntry[]
  readonly policies: readonly PolicyEntry[]
  readonly field_auth: readonly FieldAuthEntry[]
}

export interface PolicyOptions extends PolicyTables {
  readonly policy_timeout_ms: number
}

const text = (description: string): JsonSchema => ({ type: 'string', minLength: 1, description })
const ttl: JsonSchema = {
  type: 'integer',
  minimum: 0,
  description: 'Keep a verdict for as many seconds, per caller; 0 or absent = ask each time.',
}
const table = (description: string, required: readonly string[], properties: object, example: object): JsonSchema => ({
  type: 'array',
  default: [],
  description,
  examples: [[example]],
  items: { type: 'object', required, additionalProperties: false, properties },
})

export const options: JsonSchema = {
  type: 'object',
  properties: {
    rules: table(
      'Named conditions: `name`, `rule` (an expression over `user` and `object`), `description`, `cacheable`, `cache_ttl_seconds`.',
      ['name', 'rule'],
      {
        name: text('What policies and bindings call it.'),
        rule: text('`user.id == object.owner_id`.'),
        description: { type: 'string', description: 'For people.' },
        cacheable: {
          type: 'boolean',
          description: 'May verdicts be kept? Absent: where there is a time to keep them.',
        },
        cache_ttl_seconds: ttl,
      },
      { name: 'owner', rule: 'user.id == object.owner_id' },
    ),
    policies: table(
      'Policies: `name`, `type` (`rbac`, `abac`, `custom`, `hybrid`), `roles` and `strategy` (`any`, `all`, `exactly`), `rule`, `cache_ttl_seconds`.',
      ['name', 'type'],
      {
        name: text('What bindings call it.'),
        type: {
          enum: ['rbac', 'abac', 'custom', 'hybrid'],
          description: 'By roles, by a rule, by a function or rule, by both.',
        },
        description: { type: 'string', description: 'For people.' },
        roles: {
          type: 'array',
          minItems: 1,
          items: { type: 'string', minLength: 1 },
          description: 'Of rbac and hybrid.',
        },
        strategy: {
          enum: ['any', 'all', 'exactly'],
          description: 'One of the roles, each of them, these and no others. Default `any`.',
        },
        rule: text('Of abac, custom and hybrid: an expression, the name of a rule, of custom also of a function.'),
        cache_ttl_seconds: ttl,
      },
      { name: 'staff', type: 'rbac', roles: ['hr', 'admin'], strategy: 'any' },
    ),
    field_auth: table(
      'Which policy decides about a field: `type_name`, `field_name`, `policy`.',
      ['type_name', 'field_name', 'policy'],
      {
        type_name: text('A type or interface.'),
        field_name: text('As declared, or as on the wire.'),
        policy: text('Name of a policy or rule.'),
      },
      { type_name: 'User', field_name: 'salary', policy: 'staff' },
    ),
    policy_timeout_ms: {
      type: 'integer',
      minimum: 1,
      maximum: 60_000,
      default: 2000,
      description: 'A function that decides has as many milliseconds; after them it has denied.',
    },
  },
}
