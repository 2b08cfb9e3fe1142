import t from 'tap'
import { definePlugin, SvcError } from '../../../core/doors/plugin.ts'
import responseCache from '../../../plugins/response-cache/index.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { entry } from '../../helpers/kernel.ts'
import { openApp } from '../../helpers/open-app.ts'
import { requireService } from '../../helpers/services.ts'
import { ITEMS } from '../../schemas/items.ts'

const SQL = `${ITEMS.sql}INSERT INTO item (name) VALUES ('one')`

/** Inside the cache: loses the answer of a write that the database has committed, as a connection that breaks behind COMMIT does. */
const loseAnswers = definePlugin(
  { name: 'lose-answers', version: '1.0.0', kernelApi: 1, description: 'Loses answers.' },
  (scope) => {
    scope.on(
      'resolve',
      async (_ctx, operation, next) => {
        const result = await next()
        if (operation.template.kind === 'mutation') throw new SvcError('SERVICE_UNAVAILABLE', 'The answer was lost.')
        return result
      },
      { position: 'share' },
    )
  },
)

t.test('a write that was committed and whose answer is lost lets go what was read before it', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: SQL })
  const [items] = ITEMS.schema.queries
  const schema = { ...ITEMS.schema, queries: [{ ...items, cache_ttl: 60 }] }
  const app = await openApp(t, { kind: 'postgres', url }, schema, {
    plugins: [entry(responseCache as never, { enabled: true, response_header: true }), entry(loseAnswers as never)],
  })
  const query = '{ items(orderBy: [{ id: ASC }]) { name } }'
  const ask = async () => {
    const { data, headers } = await app.graphql(query)
    return [data?.items?.[0]?.name, headers['x-cache']]
  }
  t.strictSame(
    [await ask(), await ask()],
    [
      ['one', 'MISS'],
      ['one', 'HIT'],
    ],
  )
  const { errors } = await app.graphql('mutation { rename(id: 1, name: "two") { id } }')
  t.equal(errors?.[0]?.extensions.code, 'SERVICE_UNAVAILABLE')
  t.strictSame(
    [await ask(), await ask()],
    [
      ['two', 'MISS'],
      ['two', 'HIT'],
    ],
    'the next reader has what was written',
  )
})
