import type {
  CompiledArgument,
  CompiledField,
  CompiledMutation,
  CompiledQuery,
  CompiledRead,
  CompiledSchema,
  CompiledSubscription,
  CompiledType,
} from '../../../core/schema/compiled.ts'
import { contentHash } from '../../../core/schema/content-hash.ts'
import { linkSchema } from '../../../core/schema/link/link.ts'
import type { CustomScalarCodec, SchemaModel } from '../../../core/schema/model.ts'

const wire = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

export function field(name: string, type: string, extra: Partial<CompiledField> = {}): CompiledField {
  const read: CompiledRead = { from: 'column', column: name, column_type: null, not_null: type.endsWith('!') }
  return { name, wire_name: wire(name), type, read, ...extra }
}

export function related(name: string, type: string, from: string, to: string): CompiledField {
  const cardinality = type.startsWith('[') ? 'many' : 'one'
  const target = `v_${type.replace(/\W/g, '').toLowerCase()}`
  return field(name, type, {
    read: { from: 'relation', target, cardinality, from_column: from, to_column: to, column_type: 'int8' },
  })
}

function argument(name: string, type: string, extra: Partial<CompiledArgument> = {}): CompiledArgument {
  return { name, wire_name: wire(name), type, ...extra }
}

export function query(name: string, type: string, extra: Partial<CompiledQuery> = {}): CompiledQuery {
  const auto = type.startsWith('[')
  return {
    name,
    wire_name: wire(name),
    type,
    arguments: [],
    source: `v_${type.replace(/\W/g, '').toLowerCase()}`,
    auto_params: { where: auto, order_by: auto, limit: auto, offset: auto, total_count: false },
    argument_reads: {},
    inject_reads: {},
    ...extra,
  }
}

function mutation(name: string, type: string, args: readonly CompiledArgument[]): CompiledMutation {
  return {
    name,
    wire_name: wire(name),
    type,
    arguments: args,
    function: 'fn_any',
    operation: 'CREATE',
    call: [],
    named_call: false,
  }
}

const types: readonly CompiledType[] = [
  {
    name: 'User',
    description: 'Somebody who signed up.',
    sql_source: 'v_user',
    relay: true,
    aggregate: { sum: ['age', 'balance', 'followers'], avg: ['age'], count_distinct: [], group_by: ['status', 'age'] },
    implements: ['Named'],
    cursor: { column: 'pk_user', column_type: 'int8' },
    fields: [
      field('id', 'ID!'),
      field('name', 'String!', { description: 'Shown in public.' }),
      field('email', 'Email', { deprecated: 'Use contact.' }),
      field('age', 'Int'),
      field('balance', 'Decimal!'),
      field('followers', 'BigInt'),
      field('tags', '[String!]'),
      field('status', 'Status', { filter_operators: ['_eq', '_in'] }),
      field('meta', 'JSON'),
      field('isbn', 'Isbn'),
      field('created_at', 'DateTime!'),
      field('secret', 'String', { filterable: false, orderable: false }),
      field('address', 'Address'),
      related('posts', '[Post!]!', 'pk_user', 'fk_user'),
      related('boss', 'User', 'fk_boss', 'pk_user'),
    ],
  },
  { name: 'Address', embedded: true, fields: [field('city', 'String'), field('street', 'String')] },
  {
    name: 'Post',
    sql_source: 'v_post',
    relay: true,
    aggregate: true,
    cursor: { column: 'pk_post', column_type: 'int8' },
    fields: [field('id', 'ID!'), field('title', 'String!'), related('author', 'User!', 'fk_user', 'pk_user')],
  },
  {
    name: 'Shop',
    sql_source: 'v_shop',
    implements: ['Named'],
    fields: [field('id', 'ID!'), field('name', 'String!'), field('owner', 'String')],
  },
]

const userCreated: CompiledSubscription = {
  name: 'user_created',
  wire_name: 'userCreated',
  type: 'User!',
  arguments: [],
  entity_type: 'User',
}

const source = (name: string, key: string) => ({ name, kind: 'view' as const, columns: [], key: [key] })

/** A schema with every kind of element, as the compiler would emit it. */
export const SHOP: CompiledSchema = withHash({
  schema_format_version: 1,
  version: '1.0.0',
  content_hash: '',
  naming_convention: 'camelCase',
  requires: [],
  catalog: false,
  types,
  enums: [
    {
      name: 'Status',
      description: 'Where an account stands.',
      values: [
        { name: 'ACTIVE', value: 'active' },
        { name: 'LOCKED', value: 'locked', description: 'No sign-in.' },
        { name: 'OLD', value: 'old', deprecated: 'Gone.' },
      ],
    },
  ],
  interfaces: [{ name: 'Named', sql_source: 'v_named', fields: [field('id', 'ID!'), field('name', 'String!')] }],
  unions: [{ name: 'Hit', members: ['User', 'Post'], sql_source: 'v_hit' }],
  input_types: [
    {
      name: 'NewUser',
      description: 'What a new account needs.',
      fields: [
        { name: 'name', wire_name: 'name', type: 'String!', description: 'Shown in public.' },
        { name: 'age', wire_name: 'age', type: 'Int!', default: 18 },
        { name: 'status', wire_name: 'status', type: 'Status', default: 'ACTIVE' },
        { name: 'tags', wire_name: 'tags', type: '[String!]' },
        { name: 'balance', wire_name: 'balance', type: 'Decimal' },
        { name: 'meta', wire_name: 'meta', type: 'JSON', default: { a: 1 } },
        { name: 'friend', wire_name: 'friend', type: 'NewUser' },
        { name: 'isbn', wire_name: 'isbn', type: 'Isbn' },
      ],
    },
  ],
  custom_scalars: [{ name: 'Isbn', description: 'A book number.', specified_by_url: 'https://example.org/isbn' }],
  queries: [
    query('users', '[User!]!', { description: 'Everybody.' }),
    query('user', 'User', { arguments: [argument('id', 'ID!')] }),
    query('user_pages', '[User!]!', { relay: true }),
    query('counted_posts', '[Post!]!', {
      auto_params: { where: true, order_by: true, limit: true, offset: true, total_count: true },
    }),
    query('named', '[Named!]!'),
    query('search', '[Hit!]!', {
      arguments: [argument('text', 'String!'), argument('top', 'Int!', { default: 10 })],
      auto_params: { where: true, order_by: true, limit: true, offset: true, total_count: false },
    }),
    query('answer', 'Int!', { deprecated: 'Nobody asks.', source: 'v_user' }),
  ],
  mutations: [
    mutation('create_user', 'User!', [argument('input', 'NewUser!')]),
    mutation('lock_users', 'Boolean!', [
      argument('ids', '[ID!]!'),
      argument('status', 'Status', { default: 'LOCKED' }),
    ]),
  ],
  subscriptions: [userCreated],
  observers: [],
  modules: [],
  sources: {
    v_user: source('v_user', 'pk_user'),
    v_post: source('v_post', 'pk_post'),
    v_shop: source('v_shop', 'id'),
    v_named: source('v_named', 'id'),
    v_hit: source('v_hit', 'id'),
  },
  functions: { fn_any: { name: 'fn_any', kind: 'function', parameters: null, returns: null } },
})

export function withHash(schema: CompiledSchema): CompiledSchema {
  return { ...schema, content_hash: contentHash(schema) }
}

const isbn: CustomScalarCodec = {
  parse(value) {
    if (typeof value === 'string' && /^[\d-]+$/.test(value)) return value.replaceAll('-', '')
    throw new Error('An ISBN is made of digits')
  },
}

export function linkShop(): SchemaModel {
  return linkSchema(SHOP, { codecs: new Map([['Isbn', isbn]]) })
}
