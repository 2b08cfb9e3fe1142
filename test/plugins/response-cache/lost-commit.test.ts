import t from 'tap'
import { definePlugin, SvcError } from '../../../core/doors/plugin.ts'
import responseCache from '../../../plugins/response-cache/index.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { entry } from '../../helpers/kernel.ts'
import { openApp } from '../../helpers/open-app.ts'
import { requireService } from '../../helpers/services.ts'

const SQL = `
CREATE TABLE tb_post (id int PRIMARY KEY, n int NOT NULL);
INSERT INTO tb_post VALUES (1, 0);
CREATE VIEW v_post AS SELECT id, n FROM tb_post;
CREATE FUNCTION fn_set_n(n int) RETURNS boolean LANGUAGE sql AS $$ UPDATE tb_post SET n = fn_set_n.n RETURNING true $$;`

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
  const schema = {
    version: '1',
    types: [
      {
        name: 'Post',
        sql_source: 'v_post',
        fields: [
          { name: 'id', type: 'ID!' },
          { name: 'n', type: 'Int!' },
        ],
      },
    ],
    queries: [{ name: 'posts', type: '[Post!]!', sql_source: 'v_post', cache_ttl: 60 }],
    mutations: [
      {
        name: 'set_n',
        type: 'Boolean',
        sql_source: 'fn_set_n',
        operation: 'UPDATE',
        arguments: [{ name: 'n', type: 'Int!' }],
      },
    ],
  } as const
  const app = await openApp(t, { kind: 'postgres', url }, schema as never, {
    plugins: [entry(responseCache as never, { enabled: true, response_header: true }), entry(loseAnswers as never)],
  })
  const query = '{ posts(orderBy: [{ id: ASC }]) { n } }'
  const ask = async () => {
    const { data, headers } = await app.graphql(query)
    return [data?.posts?.[0]?.n, headers['x-cache']]
  }
  t.strictSame(
    [await ask(), await ask()],
    [
      [0, 'MISS'],
      [0, 'HIT'],
    ],
  )
  const { errors } = await app.graphql('mutation { setN(n: 7) }')
  t.equal(errors?.[0]?.extensions.code, 'SERVICE_UNAVAILABLE')
  t.strictSame(
    [await ask(), await ask()],
    [
      [7, 'MISS'],
      [7, 'HIT'],
    ],
    'the next reader has what was written',
  )
})
