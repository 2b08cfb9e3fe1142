import t from 'tap'
import { collectSchema } from '../../../core/authoring/collect.ts'
import { field } from '../../../core/authoring/field.ts'
import * as authoring from '../../../core/authoring/index.ts'
import {
  Boolean,
  DateTime,
  Decimal,
  Email,
  enum_,
  ID,
  Int,
  input,
  interface_,
  JSON as JsonScalar,
  list,
  mutation,
  nullable,
  query,
  ref,
  String,
  scalar,
  type,
  union,
  validate,
} from '../../../core/authoring/index.ts'
import { withFreshRegistry } from '../../../core/authoring/registry.ts'
import { printSchemaJson } from '../../../core/compiler/write-schema-json.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { BUILTIN_SCALARS } from '../../../core/schema/scalars.ts'

const parse = (value: unknown): unknown => value

function withDecorators(): unknown {
  @enum_({ description: 'State of a user' })
  class Status {
    static ACTIVE = 'active'
    static GONE = { value: 'gone', description: 'Left', deprecated: 'never used' }
    static SAME = 'SAME'
  }

  @scalar({ baseType: Decimal, description: 'An amount', specifiedByUrl: 'https://example.org/money' })
  class Money {
    static parse = parse
  }

  @interface_({ sqlSource: 'v_named', typeColumn: 'kind' })
  class Named {
    @field(ID) id!: string
    @field(String, { description: 'Shown in public' }) name!: string
  }

  @type({ relay: true, sqlSource: 'v_user', implements: [Named], description: 'A person', keyFields: ['id'] })
  class User extends Named {
    @field(nullable(Email), { requiresScope: 'read:email', onDeny: 'reject' }) email!: string | null
    @field(Status, { default: 'ACTIVE' }) status!: string
    @field(Money, { filterOperators: ['_eq'], orderable: false }) balance!: string
    @field(() => list(Post), { relation: { from: 'pk_user', to: 'fk_author' } }) posts!: Post[]
    @field(() => list(Post), {
      relation: { from: 'pk_user', to: 'pk_post', through: { sqlSource: 'tb_like', from: 'fk_user', to: 'fk_post' } },
    })
    liked!: Post[]
  }

  @type
  class Post {
    @field(ID) id!: string
    @field(nullable(list(nullable(String))), { searchable: true, column: 'labels' }) tags!: string[] | null
    @field(User) author!: User
  }

  @union({ members: () => [User, Post], sqlSource: 'v_search', description: 'Anything' })
  class SearchResult {}

  @input
  class CreateUser {
    @validate({ any: ['required', { length: { max: 3 } }] })
    @field(String, { validate: { minLength: 1, pattern: /^\w+$/, message: 'Letters only' } })
    @validate('required')
    name!: string
    @field(Int, { default: 3 }) rank!: number
  }

  class Api {
    @query(() => list(User), { sqlSource: 'v_user', cacheTtl: 60, autoParams: { offset: false, totalCount: true } })
    users!: unknown

    @query(() => nullable(User), { args: { id: ID, deep: { type: Boolean, default: false, description: 'All' } } })
    user!: unknown

    @query(list(SearchResult), { autoParams: false, inject: { owner_id: 'jwt:sub' }, requiresRole: ['a', 'b'] })
    search!: unknown

    @mutation(() => User, { sqlSource: 'fn_create_user', operation: 'CREATE', args: { input: CreateUser } })
    createUser!: unknown

    @mutation(nullable(JsonScalar), { invalidates: ['v_user'], public: true, restPath: '/ping', restMethod: 'POST' })
    ping() {
      return DateTime
    }
  }
  return Api
}

function withFunctions(): void {
  const Status = enum_(
    'Status',
    { ACTIVE: 'active', GONE: { value: 'gone', description: 'Left', deprecated: 'never used' }, SAME: 'SAME' },
    { description: 'State of a user' },
  )
  const Money = scalar('Money', {
    baseType: Decimal,
    description: 'An amount',
    specifiedByUrl: 'https://example.org/money',
    parse,
  })
  const Named = interface_('Named', {
    sqlSource: 'v_named',
    typeColumn: 'kind',
    fields: { id: ID, name: field(String, { description: 'Shown in public' }) },
  })
  const User = type('User', {
    relay: true,
    sqlSource: 'v_user',
    implements: [Named],
    description: 'A person',
    keyFields: ['id'],
    fields: {
      ...Named.fields,
      email: field(nullable(Email), { requiresScope: 'read:email', onDeny: 'reject' }),
      status: field(Status, { default: 'ACTIVE' }),
      balance: field(Money, { filterOperators: ['_eq'], orderable: false }),
      posts: field(list(ref('Post')), { relation: { from: 'pk_user', to: 'fk_author' } }),
      liked: field(list(ref('Post')), {
        relation: { from: 'pk_user', to: 'pk_post', through: { sqlSource: 'tb_like', from: 'fk_user', to: 'fk_post' } },
      }),
    },
  })
  const Post = type('Post', {
    fields: {
      id: ID,
      tags: field(nullable(list(nullable(String))), { searchable: true, column: 'labels' }),
      author: User,
    },
  })
  const SearchResult = union('SearchResult', [User, Post], { sqlSource: 'v_search', description: 'Anything' })
  const CreateUser = input('CreateUser', {
    fields: {
      name: field(String, {
        validate: [
          { minLength: 1, pattern: '^\\w+$', message: 'Letters only' },
          'required',
          { any: ['required', { length: { max: 3 } }] },
        ],
      }),
      rank: field(Int, { default: 3 }),
    },
  })
  query('users', list(User), {
    sqlSource: 'v_user',
    cacheTtl: 60,
    autoParams: { offset: false, totalCount: true },
  })
  query('user', nullable(User), { args: { id: ID, deep: { type: Boolean, default: false, description: 'All' } } })
  query('search', list(SearchResult), {
    autoParams: false,
    inject: { owner_id: 'jwt:sub' },
    requiresRole: ['a', 'b'],
  })
  mutation('createUser', User, { sqlSource: 'fn_create_user', operation: 'CREATE', args: { input: CreateUser } })
  mutation('ping', nullable(JsonScalar), {
    invalidates: ['v_user'],
    public: true,
    restPath: '/ping',
    restMethod: 'POST',
  })
}

const collect = (declare: () => unknown): Promise<AuthoredSchema> =>
  withFreshRegistry(async () => {
    declare()
    return collectSchema()
  })

// proves: compile.two-styles
t.test('decorators and plain functions give the same schema.json', async (t) => {
  const decorated = printSchemaJson(await collect(withDecorators))
  t.equal(printSchemaJson(await collect(withFunctions)), decorated)
  t.equal(printSchemaJson(await collect(withDecorators)), decorated, 'and the same text every time')
  t.notMatch(decorated, '$place')
})

t.test('schema.json says what was declared', async (t) => {
  const schema: unknown = JSON.parse(printSchemaJson(await collect(withFunctions)))
  t.strictSame(schema, {
    $schema: 'https://svc.dev/schema/schema.schema.json',
    version: '2.0.0',
    types: [
      {
        name: 'User',
        description: 'A person',
        sql_source: 'v_user',
        implements: ['Named'],
        relay: true,
        key_fields: ['id'],
        fields: [
          { name: 'id', type: 'ID!' },
          { name: 'name', type: 'String!', description: 'Shown in public' },
          { name: 'email', type: 'Email', requires_scope: 'read:email', on_deny: 'reject' },
          { name: 'status', type: 'Status!', default: 'ACTIVE' },
          { name: 'balance', type: 'Money!', orderable: false, filter_operators: ['_eq'] },
          { name: 'posts', type: '[Post!]!', relation: { from: 'pk_user', to: 'fk_author' } },
          {
            name: 'liked',
            type: '[Post!]!',
            relation: {
              from: 'pk_user',
              to: 'pk_post',
              through: { sql_source: 'tb_like', from: 'fk_user', to: 'fk_post' },
            },
          },
        ],
      },
      {
        name: 'Post',
        fields: [
          { name: 'id', type: 'ID!' },
          { name: 'tags', type: '[String]', searchable: true, column: 'labels' },
          { name: 'author', type: 'User!' },
        ],
      },
    ],
    enums: [
      {
        name: 'Status',
        description: 'State of a user',
        values: [
          { name: 'ACTIVE', value: 'active' },
          { name: 'GONE', value: 'gone', description: 'Left', deprecated: 'never used' },
          { name: 'SAME' },
        ],
      },
    ],
    interfaces: [
      {
        name: 'Named',
        sql_source: 'v_named',
        type_column: 'kind',
        fields: [
          { name: 'id', type: 'ID!' },
          { name: 'name', type: 'String!', description: 'Shown in public' },
        ],
      },
    ],
    unions: [{ name: 'SearchResult', description: 'Anything', members: ['User', 'Post'], sql_source: 'v_search' }],
    input_types: [
      {
        name: 'CreateUser',
        fields: [
          {
            name: 'name',
            type: 'String!',
            validate: [
              { min_length: 1, pattern: '^\\w+$', message: 'Letters only' },
              'required',
              { any: ['required', { length: { max: 3 } }] },
            ],
          },
          { name: 'rank', type: 'Int!', default: 3 },
        ],
      },
    ],
    custom_scalars: [
      {
        name: 'Money',
        description: 'An amount',
        specified_by_url: 'https://example.org/money',
        base_type: 'Decimal',
      },
    ],
    queries: [
      {
        name: 'users',
        type: '[User!]!',
        sql_source: 'v_user',
        auto_params: { offset: false, total_count: true },
        cache_ttl: 60,
      },
      {
        name: 'user',
        type: 'User',
        arguments: [
          { name: 'id', type: 'ID!' },
          { name: 'deep', type: 'Boolean!', description: 'All', default: false },
        ],
      },
      {
        name: 'search',
        type: '[SearchResult!]!',
        inject: { owner_id: 'jwt:sub' },
        requires_role: ['a', 'b'],
        auto_params: false,
      },
    ],
    mutations: [
      {
        name: 'createUser',
        type: 'User!',
        arguments: [{ name: 'input', type: 'CreateUser!' }],
        sql_source: 'fn_create_user',
        operation: 'CREATE',
      },
      {
        name: 'ping',
        type: 'JSON',
        public: true,
        rest_path: '/ping',
        rest_method: 'POST',
        invalidates: ['v_user'],
      },
    ],
  })
})

t.test('a name of its own, and a subclass with a name of its own', async (t) => {
  const schema = await collect(() => {
    @type({ name: 'Account' })
    class User {
      @field(ID) id!: string
      @field(Int) size!: number
    }
    @type
    class Admin extends User {
      @field(() => String) override size = 0
    }
    query('me', User)
    return Admin
  })
  t.strictSame(
    schema.types?.map((one) => [one.name, one.fields.map((each) => `${each.name}: ${each.type}`)]),
    [
      ['Account', ['id: ID!', 'size: Int!']],
      ['Admin', ['id: ID!', 'size: String!']],
    ],
  )
  t.equal(schema.queries?.[0]?.type, 'Account!')
})

t.test('every built-in scalar can be imported by its name', async (t) => {
  for (const name of BUILTIN_SCALARS.keys()) {
    t.equal((authoring as unknown as Record<string, { readonly name: string } | undefined>)[name]?.name, name)
  }
})
