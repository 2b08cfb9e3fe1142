import { randomUUID } from 'node:crypto'
import t from 'tap'
import auditLog from '../../../plugins/audit-log/index.ts'
import { entry } from '../../helpers/kernel.ts'
import { openApp } from '../../helpers/open-app.ts'
import { as, testCredential } from '../../helpers/test-credential.ts'
import { tableSchema } from '../../schemas/table-schema.ts'
import { restPlugin } from '../rest/world.ts'
import { onMariaDb } from './open-mysql.ts'

const SQL = `
CREATE TABLE post (id INT AUTO_INCREMENT PRIMARY KEY, body VARCHAR(100) NOT NULL UNIQUE);
DELIMITER //
CREATE PROCEDURE fn_write(IN body VARCHAR(100)) BEGIN
  INSERT INTO post (body) VALUES (body);
  SELECT LAST_INSERT_ID() AS id;
END//
DELIMITER ;`

const SCHEMA = tableSchema(
  { name: 'Post', sql_source: 'post', list: 'posts', fields: { id: 'ID!', body: 'String!' } },
  {
    mutations: [
      {
        name: 'write',
        type: 'Post',
        sql_source: 'fn_write',
        operation: 'CREATE',
        arguments: [{ name: 'body', type: 'String!' }],
      },
    ],
  },
)

await onMariaDb(t, 'a write with an Idempotency-Key happens once', SQL, async (t, url) => {
  const app = await openApp(t, { kind: 'mysql', url }, SCHEMA, { plugins: [restPlugin({}), testCredential()] })
  const key = randomUUID()
  const send = (body: string, headers: Readonly<Record<string, string>> = { 'idempotency-key': key }) =>
    app.inject({
      method: 'POST',
      url: '/rest/v1/posts',
      headers: { ...as({ subject: 'ann' }), ...headers },
      body: { body },
    })
  const both = await Promise.all([send('a'), send('a')])
  t.ok(
    both.some(({ status }) => status < 300),
    both.map(({ text }) => text).join(),
  )
  const again = await send('a')
  t.ok(again.status < 300, again.text)
  t.equal((await send('other')).json<{ error: { code: string } }>().error.code, 'IDEMPOTENCY_CONFLICT')
  const failed = randomUUID()
  t.equal((await send('a', { 'idempotency-key': failed })).status, 409, 'the row is there')
  t.strictSame((await app.graphql('{ posts { body } }')).data.posts, [{ body: 'a' }])
})

await onMariaDb(t, 'the audit log keeps events in a table, each once', SQL, async (t, url) => {
  const app = await openApp(t, { kind: 'mysql', url }, SCHEMA, {
    plugins: [testCredential(), entry(auditLog as never, { enabled: true, sink: 'table' })],
  })
  const written = await app.graphql('mutation { write(body: "x") { id } }', {}, as({ subject: 'ann' }))
  t.strictSame(written.errors, undefined)
  await app.kernel.settled(2000)
  const read = {
    name: null,
    text: 'SELECT actor, action, outcome, LEFT(occurred_at, 10) = CURRENT_DATE FROM svc_audit_log',
  }
  let rows: readonly unknown[] = []
  for (let i = 0; i < 100 && rows.length === 0; i++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    rows = (await app.database.query(read, [], null)).rows
  }
  t.strictSame(rows, [['ann', 'mutate', 'success', '1']])
})
