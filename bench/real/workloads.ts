import { createHash } from 'node:crypto'

type Variables = Readonly<Record<string, unknown>>

/** One request on the realistic data, in svc's dialect, and the hand-written statement with the same result. */
export interface RealWorkload {
  readonly id: string
  readonly title: string
  readonly query: string
  /** Variables of the requests, sent in turn. */
  readonly samples: readonly Variables[]
  /** `$1` is the first variable of the query, and so on; its values are texts. */
  readonly hand: string
  /** The same in PostGraphile's dialect; `null`: it cannot say it without further plugins. */
  readonly postgraphile: string | null
  /** Can the Mercurius server of the kit say it? */
  readonly mercurius: boolean
  /** The variable `after` holds the number of the post before a page; each server needs its own cursors. */
  readonly pages?: true
}

const SAMPLES = 48
const md5 = (text: string): string => createHash('md5').update(text).digest('hex')
/** Numbers between 1 and `most`, spread evenly, the same in every run. */
const spread = <T>(most: number, make: (n: number) => T): readonly T[] =>
  Array.from({ length: SAMPLES }, (_, i) => make(1 + Math.floor(most * ((i * 0.618_034) % 1))))
/** Small ones are frequent, as in the data. */
const zipf = <T>(most: number, make: (n: number) => T): readonly T[] =>
  spread(1000, (n) => make(Math.min(most, Math.floor((most + 1) ** (n / 1001)))))

/** When a post was made. */
const timeOf = (n: number): string => new Date(Date.UTC(2018, 0, 1) + n * 120_000).toISOString()

const answer = (name: string, value: string): string => `SELECT '{"data":{"${name}":' || ${value} || '}}'`
const listOf = (item: string, rows: string): string =>
  `coalesce((SELECT '[' || string_agg(${item}, ',') || ']' FROM (${rows}) p), '[]')`
const POST = `'{"id":"' || p.id || '","title":' || to_json(p.title) || ',"slug":' || to_json(p.slug) || '}'`
const SHORT = `'{"id":"' || p.id || '","title":' || to_json(p.title) || '}'`
const AUTHOR = `'{"id":"' || p.id || '","name":' || to_json(p.name) || '}'`
const posts = (where: string, order = 'pk_post'): string =>
  answer('posts', listOf(POST, `SELECT * FROM post WHERE ${where} ORDER BY ${order} LIMIT 20`))
const POST_FIELDS = 'id title slug'
const PG_FIELDS = 'id: rowId title slug'

/**
 * @param count of posts that the database has
 * @param words of the texts, from the most frequent one on
 */
export function realWorkloads(count: number, words: readonly string[]): readonly RealWorkload[] {
  return [
    {
      id: 'W9',
      title: 'prefix search, 20 posts',
      query: `query W9($prefix: String!) { posts(where: { slug: { _startswith: $prefix } }, limit: 20) { ${POST_FIELDS} } }`,
      samples: spread(count, (n) => ({ prefix: `p-${md5(`slug:${n}`).slice(0, 4)}` })),
      hand: posts(`slug LIKE $1 || '%'`),
      postgraphile: `query W9($prefix: String!) { posts: allPostsList(filter: { slug: { startsWith: $prefix } }, first: 20, orderBy: PRIMARY_KEY_ASC) { ${PG_FIELDS} } }`,
      mercurius: true,
    },
    {
      id: 'W10',
      title: 'trigram search, 20 posts',
      query: `query W10($part: String!) { posts(where: { title: { _icontains: $part } }, limit: 20) { ${POST_FIELDS} } }`,
      samples: spread(count, (n) => ({ part: md5(`title:${n}`).slice(3, 9).toUpperCase() })),
      hand: posts(`title ILIKE '%' || $1 || '%'`),
      postgraphile: `query W10($part: String!) { posts: allPostsList(filter: { title: { includesInsensitive: $part } }, first: 20, orderBy: PRIMARY_KEY_ASC) { ${PG_FIELDS} } }`,
      mercurius: true,
    },
    {
      id: 'W11',
      title: 'what a JSON document contains, 20 posts',
      query: `query W11($doc: JSON!) { posts(where: { doc: { _contains: $doc } }, limit: 20) { ${POST_FIELDS} } }`,
      samples: spread(count, (n) => ({ doc: { ref: Math.floor(n / 8) } })),
      hand: posts('doc @> $1::jsonb'),
      postgraphile: null,
      mercurius: true,
    },
    {
      id: 'W12',
      title: 'a rare value, with the count of all',
      query:
        'query W12($status: String!) { counted(where: { status: { _eq: $status } }, limit: 10) { totalCount items { id title } } }',
      samples: zipf(40, (n) => ({ status: `state${n}` })),
      hand: answer(
        'counted',
        `'{"totalCount":' || (SELECT count(*) FROM post WHERE status = $1) || ',"items":' || ${listOf(SHORT, 'SELECT * FROM post WHERE status = $1 ORDER BY pk_post LIMIT 10')} || '}'`,
      ),
      postgraphile:
        'query W12($status: String!) { counted: allPosts(filter: { status: { equalTo: $status } }, first: 10, orderBy: PRIMARY_KEY_ASC) { totalCount items: nodes { id: rowId title } } }',
      mercurius: true,
    },
    {
      id: 'W13',
      title: 'a rare value, the newest first',
      query: `query W13($status: String!) { posts(where: { status: { _eq: $status } }, orderBy: [{ madeAt: DESC }], limit: 20) { ${POST_FIELDS} } }`,
      samples: zipf(40, (n) => ({ status: `state${n}` })),
      hand: posts('status = $1', 'made_at DESC'),
      postgraphile: `query W13($status: String!) { posts: allPostsList(filter: { status: { equalTo: $status } }, first: 20, orderBy: MADE_AT_DESC) { ${PG_FIELDS} } }`,
      mercurius: true,
    },
    {
      id: 'W14',
      title: 'a filter over the parent',
      query: `query W14($email: String!) { posts(where: { author: { email: { _eq: $email } } }, limit: 20) { ${POST_FIELDS} } }`,
      samples: spread(120_001, (n) => ({ email: `mail${n % 12 === 0 ? 100_001 + (n % 40) : n}@example.org` })),
      hand: answer(
        'posts',
        listOf(
          POST,
          'SELECT p.* FROM post p JOIN author a ON a.pk_author = p.fk_author WHERE a.email = $1 ORDER BY p.pk_post LIMIT 20',
        ),
      ),
      postgraphile: `query W14($email: String!) { posts: allPostsList(filter: { authorByFkAuthor: { email: { equalTo: $email } } }, first: 20, orderBy: PRIMARY_KEY_ASC) { ${PG_FIELDS} } }`,
      mercurius: true,
    },
    {
      id: 'W15',
      title: 'some of the children',
      query:
        'query W15($status: String!) { authors(where: { posts: { some: { status: { _eq: $status } } } }, limit: 20) { id name } }',
      samples: zipf(40, (n) => ({ status: `state${n}` })),
      hand: answer(
        'authors',
        listOf(
          AUTHOR,
          'SELECT * FROM author a WHERE EXISTS (SELECT FROM post p WHERE p.fk_author = a.pk_author AND p.status = $1) ORDER BY pk_author LIMIT 20',
        ),
      ),
      postgraphile:
        'query W15($status: String!) { authors: allAuthorsList(filter: { postsByFkAuthor: { some: { status: { equalTo: $status } } } }, first: 20, orderBy: PRIMARY_KEY_ASC) { id: rowId name } }',
      mercurius: true,
    },
    {
      id: 'W16',
      title: 'page 5,000 behind a cursor',
      query:
        'query W16($after: String) { postPages(first: 20, after: $after) { edges { node { id title } } pageInfo { hasNextPage } } }',
      samples: spread(2000, (n) => ({ after: Math.floor(count / 20) + n })),
      hand: answer(
        'postPages',
        `(SELECT '{"edges":' || coalesce('[' || string_agg('{"node":' || j || '}', ',') FILTER (WHERE n <= 20) || ']', '[]') || ',"pageInfo":{"hasNextPage":' || (count(*) > 20) || '}}' FROM (SELECT row_number() OVER () AS n, ${SHORT} AS j FROM (SELECT * FROM post WHERE pk_post > $1::int ORDER BY pk_post LIMIT 21) p) q)`,
      ),
      postgraphile:
        'query W16($after: Cursor) { postPages: allPosts(first: 20, after: $after, orderBy: PRIMARY_KEY_ASC) { edges { node { id: rowId title } } pageInfo { hasNextPage } } }',
      mercurius: true,
      pages: true,
    },
    {
      id: 'W17',
      title: 'groups with a count and a sum, under a filter',
      query:
        'query W17($from: DateTime!, $to: DateTime!) { postsGroups(where: { madeAt: { _gte: $from, _lt: $to } }, groupBy: [status]) { keys { status } count sum { score } } }',
      samples: spread(count - 5040, (n) => ({ from: timeOf(n), to: timeOf(n + 5040) })),
      hand: answer(
        'postsGroups',
        `coalesce((SELECT '[' || string_agg('{"keys":{"status":' || to_json(status) || '},"count":' || n || ',"sum":{"score":' || to_json(s::text) || '}}', ',') || ']' FROM (SELECT status, count(*) AS n, sum(score) AS s FROM post WHERE made_at >= $1::timestamptz AND made_at < $2::timestamptz GROUP BY status ORDER BY status) g), '[]')`,
      ),
      postgraphile: null,
      mercurius: true,
    },
    {
      id: 'W18',
      title: 'full-text search, the best match first',
      query: `query W18($search: String!) { searched(search: $search, limit: 20) { ${POST_FIELDS} } }`,
      samples: spread(12_000, (n) => ({ search: `${words[2000 + n]} ${words[n % 40]}` })),
      hand: answer(
        'searched',
        listOf(
          POST,
          `SELECT * FROM post WHERE search_vector @@ websearch_to_tsquery('english', $1) ORDER BY ts_rank(search_vector, websearch_to_tsquery('english', $1)) DESC, pk_post LIMIT 20`,
        ),
      ),
      postgraphile: null,
      mercurius: true,
    },
    {
      id: 'W19',
      title: '20 parents, each with its 5 newest children by a filter',
      query:
        'query W19($from: DateTime!, $likes: Int!) { posts(where: { madeAt: { _gte: $from } }, orderBy: [{ madeAt: ASC }], limit: 20) { id comments(where: { likes: { _gte: $likes } }, orderBy: [{ madeAt: DESC }], limit: 5) { id body } } }',
      samples: spread(count - 100, (n) => ({
        from: timeOf(n),
        likes: 20,
      })),
      hand: answer(
        'posts',
        listOf(
          `'{"id":"' || p.id || '","comments":' || coalesce((SELECT '[' || string_agg('{"id":"' || c.id || '","body":' || to_json(c.body) || '}', ',') || ']' FROM (SELECT * FROM comment c WHERE c.fk_post = p.pk_post AND c.likes >= $2::int ORDER BY made_at DESC LIMIT 5) c), '[]') || '}'`,
          'SELECT * FROM post WHERE made_at >= $1::timestamptz ORDER BY made_at LIMIT 20',
        ),
      ),
      postgraphile:
        'query W19($from: Datetime!, $likes: Int!) { posts: allPostsList(filter: { madeAt: { greaterThanOrEqualTo: $from } }, orderBy: MADE_AT_ASC, first: 20) { id: rowId comments: commentsByFkPostList(filter: { likes: { greaterThanOrEqualTo: $likes } }, orderBy: MADE_AT_DESC, first: 5) { id: rowId body } } }',
      mercurius: true,
    },
  ]
}
