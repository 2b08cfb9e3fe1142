// Mercurius on Fastify, with resolvers by hand: one prepared statement for each list, loaders against N+1.
import { kitModule } from './kit-module.mjs'

const [{ default: Fastify }, { default: mercurius }, { GraphQLScalarType }, { default: pg }] = await Promise.all(
  ['fastify', 'mercurius', 'graphql', 'pg'].map(kitModule),
)
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.PG_POOL) })
const rows = (name, text, values) => pool.query({ name, text, values }).then((result) => result.rows)
const POST = 'p.pk_post AS pk, p.id, p.title, p.slug'
const posts = (name, where, values, order = 'p.pk_post') =>
  rows(name, `SELECT ${POST} FROM post p WHERE ${where} ORDER BY ${order} LIMIT 20`, values)

const schema = /* GraphQL */ `
  scalar JSON
  scalar DateTime
  enum Direction { ASC DESC }
  enum PostGroupKey { status }
  input TextFilter { _eq: String _startswith: String _icontains: String }
  input JSONFilter { _contains: JSON }
  input IntFilter { _gte: Int }
  input TimeFilter { _gte: DateTime _lt: DateTime }
  input AuthorWhere { email: TextFilter posts: PostsWhere }
  input PostsWhere { some: PostWhere }
  input PostWhere { slug: TextFilter title: TextFilter doc: JSONFilter status: TextFilter author: AuthorWhere madeAt: TimeFilter }
  input CommentWhere { likes: IntFilter }
  input Order { madeAt: Direction }
  type Author { id: ID! name: String! }
  type Post { id: ID! title: String! slug: String! comments(where: CommentWhere, orderBy: [Order!], limit: Int): [Comment!]! }
  type Comment { id: ID! body: String! }
  type Counted { totalCount: Int! items: [Post!]! }
  type Edge { node: Post! }
  type PageInfo { hasNextPage: Boolean! }
  type Page { edges: [Edge!]! pageInfo: PageInfo! }
  type Keys { status: String }
  type Sum { score: String }
  type Group { keys: Keys! count: Int! sum: Sum! }
  type Query {
    posts(where: PostWhere, orderBy: [Order!], limit: Int): [Post!]!
    authors(where: AuthorWhere, limit: Int): [Author!]!
    counted(where: PostWhere, limit: Int): Counted!
    postPages(first: Int!, after: String): Page!
    postsGroups(where: PostWhere, groupBy: [PostGroupKey!]): [Group!]!
    searched(search: String!, limit: Int): [Post!]!
  }
`

const Query = {
  posts(_, { where, orderBy }) {
    if (where.slug) return posts('W9', `p.slug LIKE $1 || '%'`, [where.slug._startswith])
    if (where.title) return posts('W10', `p.title ILIKE '%' || $1 || '%'`, [where.title._icontains])
    if (where.doc) return posts('W11', 'p.doc @> $1::jsonb', [JSON.stringify(where.doc._contains)])
    if (where.author)
      return posts('W14', 'p.fk_author = (SELECT pk_author FROM author WHERE email = $1)', [where.author.email._eq])
    if (where.madeAt) return posts('W19', 'p.made_at >= $1', [where.madeAt._gte], 'p.made_at')
    return posts('W13', 'p.status = $1', [where.status._eq], orderBy ? 'p.made_at DESC' : 'p.pk_post')
  },
  authors: (_, { where }) =>
    rows(
      'W15',
      'SELECT id, name FROM author a WHERE EXISTS (SELECT FROM post p WHERE p.fk_author = a.pk_author AND p.status = $1) ORDER BY pk_author LIMIT 20',
      [where.posts.some.status._eq],
    ),
  async counted(_, { where }) {
    const values = [where.status._eq]
    const [items, [{ count }]] = await Promise.all([
      rows('W12', `SELECT ${POST} FROM post p WHERE p.status = $1 ORDER BY p.pk_post LIMIT 10`, values),
      rows('W12-count', 'SELECT count(*)::int FROM post WHERE status = $1', values),
    ])
    return { items, totalCount: count }
  },
  async postPages(_, { first, after }) {
    const found = await rows('W16', `SELECT ${POST} FROM post p WHERE p.pk_post > $1 ORDER BY p.pk_post LIMIT $2`, [
      after,
      first + 1,
    ])
    return { edges: found.slice(0, first).map((node) => ({ node })), pageInfo: { hasNextPage: found.length > first } }
  },
  async postsGroups(_, { where: { madeAt } }) {
    const found = await rows(
      'W17',
      'SELECT status, count(*)::int, sum(score)::text AS score FROM post WHERE made_at >= $1 AND made_at < $2 GROUP BY status ORDER BY status',
      [madeAt._gte, madeAt._lt],
    )
    return found.map(({ status, count, score }) => ({ keys: { status }, count, sum: { score } }))
  },
  searched: (_, { search }) =>
    rows(
      'W18',
      `SELECT ${POST} FROM post p, websearch_to_tsquery('english', $1) q WHERE p.search_vector @@ q ORDER BY ts_rank(p.search_vector, q) DESC, p.pk_post LIMIT 20`,
      [search],
    ),
}
const loaders = {
  Post: {
    async comments(queries) {
      const keys = queries.map(({ obj }) => obj.pk)
      const [{ params }] = queries
      const found = await rows(
        'comments',
        `SELECT k.pk AS post, c.id, c.body FROM unnest($1::int[]) k(pk) CROSS JOIN LATERAL
          (SELECT * FROM comment WHERE fk_post = k.pk AND likes >= $2 ORDER BY made_at DESC LIMIT $3) c`,
        [keys, params.where.likes._gte, params.limit],
      )
      const by = new Map(keys.map((key) => [key, []]))
      for (const row of found) by.get(row.post).push(row)
      return keys.map((key) => by.get(key))
    },
  },
}
const same = { serialize: (value) => value, parseValue: (value) => value }
const resolvers = {
  Query,
  JSON: new GraphQLScalarType({ name: 'JSON', ...same }),
  DateTime: new GraphQLScalarType({ name: 'DateTime', ...same }),
}
const app = Fastify({ logger: false })
app.register(mercurius, { schema, resolvers, loaders, jit: 1, graphiql: false })
app.get('/', async () => 'ok')
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
