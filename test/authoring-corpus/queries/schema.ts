import {
  arrowQuery,
  Boolean,
  Decimal,
  field,
  ID,
  Int,
  input,
  list,
  nullable,
  query,
  String,
  type,
  union,
} from 'svc/authoring'

@type({ relay: true, sqlSource: 'v_post', aggregate: true })
export class Post {
  @field(ID) id!: string
  @field(String) title!: string
}

@type({ dataplane: 'arrow', sqlSource: 'va_sale' })
export class Sale {
  @field(ID) id!: string
  @field(Decimal) total!: string
}

@union({ members: () => [Post], sqlSource: 'v_hit' })
export class Hit {}

@input({ description: 'A range of sizes', validate: { anyOf: ['min', 'max'] } })
export class Size {
  @field(nullable(Int)) min!: number | null
  @field(nullable(Int)) max!: number | null
}

export class Queries {
  @query(() => list(Post), {
    description: 'Posts of the caller',
    deprecated: 'Use feed',
    args: {
      id: nullable(ID),
      title: {
        type: nullable(String),
        description: 'The whole title',
        deprecated: 'Use words',
        validate: { minLength: 2 },
      },
      words: {
        type: nullable(String),
        fullText: { column: 'search', query: 'websearch', config: 'simple', rank: true },
      },
      plain: { type: nullable(String), fullText: 'search' },
      pinned: { type: Boolean, default: false },
      none: { type: nullable(Int), default: null },
      rate: { type: nullable(Decimal), default: '1.50' },
    },
    validate: { oneOf: ['id', 'words'] },
    sqlSource: 'v_post_of_author',
    inject: { author_id: 'jwt:sub' },
    requiresRole: 'editor',
    requiresScope: 'read:post read:draft',
    requiresPolicy: 'own',
    authenticated: true,
    apiKeyRequired: true,
    restPath: '/authors/{id}/posts',
    restMethod: 'GET',
    database: 'default',
    autoParams: { where: false, orderBy: true, limit: true, offset: true, totalCount: true },
    jsonbColumn: 'doc',
    typeColumn: 'kind',
    cacheTtl: 30,
    cache: true,
    additionalViews: ['v_author'],
    idArg: 'id',
    rowFilter: 'tenant_id = {tenant}',
    aggregate: false,
    extra: { label: 'Posts' },
  })
  posts!: unknown

  @query(() => list(Post), { relay: true, public: true }) feed!: unknown
  @query(() => list(Hit), { autoParams: false }) hits!: unknown
  @query(() => list(Post), { autoParams: true, cache: false }) drafts!: unknown

  @arrowQuery(() => list(Sale), {
    sqlSource: 'va_sale',
    autoParams: { where: true, orderBy: false, limit: true, offset: false },
    jsonbColumn: 'doc',
    rowFilter: 'year = 2025',
    requiresRole: ['analyst', 'admin'],
  })
  sales!: unknown
}
