import { SvcError } from '../../../core/base/errors/svc-error.ts'
import type { AccessControl, RowCondition } from '../../../core/contract/access.ts'
import type { SessionConfig, SessionVariable } from '../../../core/contract/session-variable.ts'
import type { Handler } from '../../../core/contract/stages.ts'
import { rowFilter } from '../../../core/engine/access/row-filter.ts'
import type { AuthoredQuery, AuthoredSchema, AuthoredType } from '../../../core/schema/authored.ts'

import { RIGHTS_RULES, type RightsRule } from './rights-rules.ts'

/** Every option of a type (`label` is a test plugin's own), and whether it says which rows are seen: a new option does not type-check until that is said. */
export const TYPE_OPTIONS: Readonly<Record<Exclude<keyof AuthoredType, 'label'>, 'rule' | null>> = {
  name: null,
  description: null,
  sql_source: null,
  jsonb_column: null,
  key: null,
  implements: null,
  relay: null,
  embedded: null,
  database: null,
  dataplane: null,
  requires_role: 'rule',
  is_error: null,
  // What it is to other subgraphs.
  key_fields: null,
  keys: null,
  resolvable: null,
  extends: null,
  shareable: null,
  inaccessible: null,
  tags: null,
  interface_object: null,
  directives: null,
  inject: 'rule',
  row_filter: 'rule',
  open: null,
  // What is offered, not which rows.
  aggregate: null,
  fields: null,
  $place: null,
}

/** What the hooks of authorize can say, and the rules that it makes. */
export const SAID: Readonly<Record<keyof AccessControl, readonly Rule[]>> = {
  deny: ['deny field', 'deny type', 'deny unless'],
  mask: ['mask field'],
  where: ['where filter', 'where authored'],
  // A value for a rule of the database's own.
  set: ['set variable'],
}

/** What the configuration can give every statement, and the rules that it makes. `null`: it is the same for everybody. */
export const CONFIGURED: Readonly<Record<SessionVariable['source'] | keyof SessionConfig['database'], Rule | null>> = {
  jwt: 'session jwt',
  header: 'session header',
  literal: null,
  role_claim: 'role claim',
  // Who has no credential is nobody in the grid.
  anonymous_role: null,
}

type RulesOfType = 'inject' | 'row_filter'
export type Rule =
  | `type ${RulesOfType & keyof AuthoredType}`
  | `query ${RulesOfType & keyof AuthoredQuery}`
  | `where ${RowCondition['kind']}`
  | 'deny field'
  | 'deny type'
  | 'mask field'
  | 'set variable'
  | `session ${Exclude<SessionVariable['source'], 'literal'>}`
  | 'role claim'
  | RightsRule

export interface RuleRow {
  /** Which rows are seen; of the queries alone; a field or a type is closed to ann, a field in the rows of others; a field is shown to her otherwise. */
  readonly hides: 'rows' | 'rows of queries' | 'rows of policies' | 'field' | 'field of rows' | 'field masked' | 'type'
  readonly schema: (base: AuthoredSchema) => AuthoredSchema
  readonly authorize: Handler<'authorize'>
  /** What the configuration gives every statement. */
  readonly session?: SessionConfig
  /** What is told to whom the value is lacking. Default: UNAUTHENTICATED. */
  readonly absence?: string
  /** Its plugin says it by access, which other rules lead through both forms. */
  readonly packedOnly?: true
  /** The only dialect that has it. */
  readonly dialect?: string
}

/** `[session_variables]` with the one variable that the rule of the database reads. */
function reader(from: Pick<SessionVariable, 'source' | 'claim' | 'header'>): Partial<RuleRow> {
  const variables = [{ name: 'app.reader', required: true, ...from }]
  return { session: { session_variables: { variables }, database: {} }, dialect: 'postgres' }
}

const same = (base: AuthoredSchema): AuthoredSchema => base
const nothing = (): void => {}
/** What {@link initial} makes of every title. */
export const MASKED = 'O…'
const initial = (title: unknown): string => `${String(title)[0]}…`

function ofType(rules: Partial<AuthoredType>): RuleRow['schema'] {
  return (base) => ({
    ...base,
    types: base.types?.map((type) => (type.name === 'Book' ? { ...type, ...rules } : type)) ?? [],
  })
}

function ofQueries(rules: Partial<AuthoredQuery>): RuleRow['schema'] {
  return (base) => ({
    ...base,
    queries: base.queries?.map((query) => (/\bBook\b/.test(query.type) ? { ...query, ...rules } : query)) ?? [],
  })
}

/** Of ann: she sees neither books of others, nor (where that is the rule) titles, nor books. */
export const RULES: Readonly<Record<Rule, RuleRow>> = {
  ...RIGHTS_RULES,
  'type inject': { hides: 'rows', schema: ofType({ inject: { owner: 'jwt:sub' } }), authorize: nothing },
  'type row_filter': { hides: 'rows', schema: ofType({ row_filter: 'owner = {user}' }), authorize: nothing },
  'query inject': { hides: 'rows of queries', schema: ofQueries({ inject: { owner: 'jwt:sub' } }), authorize: nothing },
  'query row_filter': {
    hides: 'rows of queries',
    schema: ofQueries({ row_filter: 'owner = {user}' }),
    authorize: nothing,
  },
  'where filter': {
    hides: 'rows',
    schema: same,
    authorize: ({ auth }, _operation, access) => access.where('Book', { owner: { _eq: auth?.subject } }),
  },
  'where authored': {
    hides: 'rows',
    schema: same,
    authorize: ({ auth }, _operation, access) => access.where('Book', rowFilter('owner = {me}', { me: auth?.subject })),
  },
  'deny field': {
    hides: 'field',
    schema: same,
    authorize: ({ auth }, _operation, access) => {
      if (auth?.subject === 'ann') access.deny('Book.title', new SvcError('FORBIDDEN', 'No titles.'))
    },
  },
  'deny type': {
    hides: 'type',
    schema: same,
    authorize: ({ auth }, _operation, access) => {
      if (auth?.subject === 'ann') access.deny('Book', new SvcError('FORBIDDEN', 'No books.'))
    },
  },
  'mask field': {
    hides: 'field masked',
    schema: same,
    authorize: ({ auth }, _operation, access) => {
      if (auth?.subject === 'ann') access.mask('Book.title', initial)
    },
  },
  'set variable': {
    hides: 'rows',
    schema: same,
    authorize: ({ auth }, _operation, access) => access.set('app.reader', auth?.subject),
    dialect: 'postgres',
  },
  'session jwt': { hides: 'rows', schema: same, authorize: nothing, ...reader({ source: 'jwt', claim: 'sub' }) },
  'session header': {
    hides: 'rows',
    schema: same,
    authorize: nothing,
    ...reader({ source: 'header', header: 'X-Reader' }),
    absence: 'REQUEST_ERROR',
  },
  'role claim': {
    hides: 'rows',
    schema: same,
    authorize: nothing,
    session: { session_variables: { variables: [] }, database: { role_claim: 'role' } },
    dialect: 'postgres',
  },
}
