import { createHash } from 'node:crypto'
import t from 'tap'
import { SvcError } from '../../../../core/base/errors/svc-error.ts'
import apq from '../../../../plugins/apq/index.ts'
import cache from '../../../../plugins/response-cache/index.ts'
import { cachingNginx } from '../../../helpers/caching-nginx.ts'
import { createPostgresDatabase } from '../../../helpers/databases.ts'
import { entry, plugin } from '../../../helpers/kernel.ts'
import { openApp } from '../../../helpers/open-app.ts'
import { requireService } from '../../../helpers/services.ts'
import { restPlugin } from '../../../plugins/rest/world.ts'
import { tableSchema } from '../../../schemas/table-schema.ts'

const SQL = `
CREATE TABLE tb_note (id text PRIMARY KEY, owner text NOT NULL, text text NOT NULL);
INSERT INTO tb_note VALUES ('1', 'ann', 'of ann'), ('2', 'bob', 'of bob'), ('3', 'nobody', 'of all');
CREATE VIEW v_note AS SELECT * FROM tb_note;`

const SCHEMA = tableSchema(
  { name: 'Note', sql_source: 'v_note', fields: { id: 'ID!', owner: 'String!', text: 'String!' } },
  { queries: [{ name: 'notes', type: '[Note!]!', rest_path: '/notes', rest_method: 'GET' }] },
)

/** Believes a header of its own; a rule of its own shows each caller his own rows. */
const team = (name: string, describes: boolean) =>
  entry(
    plugin(name, (scope) => {
      if (describes) scope.credentials({ in: 'header', name: 'X-Team-Key', scheme: 'key' })
      scope.on('authenticate', ({ headers }) => {
        const key = headers['x-team-key']
        if (key === undefined) return undefined
        if (key === 'bad') throw new SvcError('UNAUTHENTICATED', 'The key is not valid.')
        return { subject: String(key), claims: {}, scopes: [], roles: [], method: name }
      })
      scope.on('authorize', ({ auth }, _operation, access) =>
        access.where('Note', { owner: { _eq: auth?.subject ?? 'nobody' } }),
      )
    }),
  )

/** Who is told what, in the order of asking; the last one again, so that each cache has had its chance. */
const CALLERS = [null, 'ann', 'bob', null, 'ann', 'bob'] as const
const TEXTS = { ann: 'of ann', bob: 'of bob' } as const

for (const describes of [true, false])
  t.test(describes ? 'a plugin that describes its credential' : 'a plugin that does not', async (t) => {
    if (!(await requireService(t, 'postgres'))) return
    const database = await createPostgresDatabase(t, { sql: SQL })
    const app = await openApp(t, { kind: 'postgres', url: database }, SCHEMA, {
      plugins: [
        team('team-keys', describes),
        restPlugin({ default_cache_ttl: 60 }),
        entry(apq as never, {}),
        entry(cache as never, {}),
      ],
    })
    const upstream = await app.listen()
    const nginx = await cachingNginx(t, upstream)
    if (nginx === null) return
    const get = async (path: string, key: string | null) => {
      const reply = await fetch(`${nginx.url}${path}`, { headers: key === null ? {} : { 'x-team-key': key } })
      return { reply, text: await reply.text(), status: reply.status, cache: reply.headers.get('x-cache-status') }
    }

    const query = encodeURIComponent('{ notes { text } }')
    for (const path of [`/graphql?query=${query}`, '/rest/v1/notes', '/rest/v1/notes?select=text'])
      await t.test(`each caller gets its own rows at ${path.slice(0, 20)}`, async (t) => {
        for (const caller of CALLERS) {
          const { text, status } = await get(path, caller)
          const own = caller === null ? 'of all' : TEXTS[caller]
          t.equal(status, 200)
          for (const some of ['of ann', 'of bob', 'of all'])
            t.equal(text.includes(some), some === own, `${caller}: ${some}`)
        }
        t.equal((await get(path, 'bad')).status, 401, 'a credential that is bad is looked at')
        t.equal((await get(path, null)).status, 200, 'and its refusal is not told to others')
      })

    t.test('an error is not kept', async (t) => {
      for (const path of ['/rest/v1/notes/nope', '/rest/v1/nowhere', '/graphql', '/graphql?query=%7B'])
        for (let n = 0; n < 2; n++) t.not((await get(path, null)).cache, 'HIT', path)
      t.equal((await get('/rest/v1/notes?limit=x', null)).status, 400)
      t.not((await get('/rest/v1/notes?limit=x', null)).cache, 'HIT')
    })

    t.test('a persisted query is served as soon as it is known', async (t) => {
      const text = `{ notes { id text } } # ${describes}`
      const hash = createHash('sha256').update(text).digest('hex')
      const extensions = encodeURIComponent(JSON.stringify({ persistedQuery: { version: 1, sha256Hash: hash } }))
      t.match((await get(`/graphql?extensions=${extensions}`, null)).text, /PERSISTED_QUERY_NOT_FOUND/)
      t.match((await get(`/graphql?extensions=${extensions}&query=${encodeURIComponent(text)}`, null)).text, /of all/)
      t.match((await get(`/graphql?extensions=${extensions}`, null)).text, /of all/)
    })

    t.test('a shareable answer is shared', async (t) => {
      await get('/rest/v1/notes?limit=1', null)
      const again = await get('/rest/v1/notes?limit=1', null)
      t.equal(again.cache === 'HIT', describes, 'where a caller is known by a header that has a name')
      t.match(again.reply.headers.get('cache-control'), describes ? /^public, / : /^private, /)
      const vary = (again.reply.headers.get('vary') ?? '').split(', ')
      t.equal(vary.includes('X-Team-Key'), describes)
      t.ok(vary.includes('Authorization'))
    })
  })
