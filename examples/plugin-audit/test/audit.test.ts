import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { testOperation, testPlugin } from 'svc/testing'
import t, { type Test } from 'tap'
import audit from '../index.ts'

const write = {
  mutation: 'createUser',
  kind: 'CREATE',
  entityType: 'User',
  entityId: '7',
  entity: '{"password":"secret"}',
  updatedFields: null,
  cascade: null,
} as const

/** Boots the plugin with a file in a folder of the test's own. */
async function start(t: Test, options: Record<string, unknown> = {}) {
  const sink = join(t.testdir({}), 'audit.log')
  const tested = await testPlugin(audit, { options: { sink, ...options } })
  return {
    tested,
    lines: () =>
      readFileSync(sink, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
  }
}

t.test('a mutation is written when it is allowed and when it is committed', async (t) => {
  const { tested, lines } = await start(t)
  const auth = { subject: 'alice', claims: {}, scopes: [], roles: [], method: 'test' }
  const exchange = tested.exchange({ id: 'r1', auth })
  const operation = testOperation({ kind: 'mutation' }, { password: 'secret' })
  await tested.run(exchange, operation)
  await tested.commit([write], { exchange, operation })
  await tested.close()
  t.match(lines(), [
    { event: 'allowed', request: 'r1', subject: 'alice', kind: 'mutation', roots: [] },
    { event: 'written', request: 'r1', subject: 'alice', mutation: 'createUser', entityType: 'User', entityId: '7' },
  ])
  t.notMatch(JSON.stringify(lines()), 'secret', 'no data, only what happened')
})

t.test('queries only when asked for; ignored mutations never', async (t) => {
  const { tested, lines } = await start(t, { reads: true, ignore: ['createUser'] })
  const exchange = tested.exchange()
  const operation = testOperation({
    kind: 'query',
    roots: [{ kind: 'typename', responseKey: '__typename', typeName: 'Query' }],
  })
  await tested.run(exchange, operation)
  await tested.commit([write], { exchange, operation })
  await tested.close()
  t.match(lines(), [{ event: 'allowed', kind: 'query', subject: null, roots: ['__typename'] }])
  t.equal(lines().length, 1)
})

t.test('by default queries leave no line', async (t) => {
  const sink = join(t.testdir({}), 'audit.log')
  const tested = await testPlugin(audit, { options: { sink } })
  await tested.run(tested.exchange(), testOperation())
  await tested.close()
  t.equal(existsSync(sink) ? readFileSync(sink, 'utf8') : '', '')
})

t.test('a sink that cannot be written denies the operation', async (t) => {
  const tested = await testPlugin(audit, { options: { sink: join(t.testdir({}), 'no', 'such', 'folder') } })
  await new Promise((resolve) => setTimeout(resolve, 50))
  const attempt = async () => tested.run(tested.exchange(), testOperation({ kind: 'mutation' }))
  await t.rejects(attempt(), { code: 'ENOENT' })
  await t.rejects(tested.close(), { code: 'SVC_CLOSE_FAILED' })
})

t.test('options are checked', async (t) => {
  await t.rejects(testPlugin(audit), { code: 'SVC_BOOT_FAILED', message: /`sink` is required/ })
  await t.rejects(testPlugin(audit, { options: { sink: 'stdout', read: true } }), {
    message: /unknown option `read`\. Did you mean "reads"\?/,
  })
})
