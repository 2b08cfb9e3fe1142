import { createHash, randomUUID } from 'node:crypto'
import t from 'tap'
import type { Auth } from '../../../core/doors/plugin.ts'
import { EventStream } from '../../../plugins/mcp/http/event-stream.ts'
import { Sessions } from '../../../plugins/mcp/http/session-id.ts'
import { Running } from '../../../plugins/mcp/protocol/running.ts'
import { requireService } from '../../helpers/services.ts'
import { as } from '../../helpers/test-credential.ts'
import { ask, call, createLibrary, errorOf, openWorld, SCHEMA } from './world.ts'

t.setTimeout(180_000)
const ann: Auth = { subject: 'ann', method: 'jwt', scopes: [], roles: [], claims: { sub: 'ann' } }

t.test('ten thousand sessions weigh nothing, and twenty thousand that have ended a bounded lot', (t) => {
  const sessions = new Sessions()
  const first = sessions.begin('2025-06-18', ann)
  for (let i = 0; i < 20_000; i++) sessions.end(sessions.begin('2025-06-18', ann))
  t.equal(sessions.versionOf(first, ann), '2025-06-18', 'one that nobody ended goes on')
  const last = sessions.begin('2025-11-25', null)
  sessions.end(last)
  t.equal(sessions.versionOf(last, null), null)
  t.equal(sessions.versionOf(first, null), null, 'and is nobody else’s')
  t.end()
})

t.test('an id of a session that somebody makes up is theirs, or none', (t) => {
  const sessions = new Sessions()
  const random = randomUUID()
  const made = (owner: string): string =>
    `2025-06-18.${random}.${createHash('sha256').update(`2025-06-18.${random}.${owner}`).digest('hex').slice(0, 32)}`
  t.equal(sessions.versionOf(made(JSON.stringify(['jwt', null, 'eve'])), ann), null)
  t.equal(sessions.versionOf(made('nobody'), ann), null)
  t.equal(sessions.versionOf(made(JSON.stringify(['jwt', null, 'ann'])), ann), '2025-06-18', 'it gives no right')
  const odd = [
    '',
    'x',
    `${made('nobody')} `,
    made('nobody').toUpperCase(),
    '2025-06-18..',
    '__proto__',
    'a'.repeat(100_000),
  ]
  for (const id of odd) t.equal(sessions.versionOf(id, null), null, id.slice(0, 40))
  t.end()
})

t.test('a client that never reads takes no more than a bounded memory', async (t) => {
  const stream = new EventStream()
  const line = JSON.stringify({ text: 'x'.repeat(1000) })
  for (let i = 0; i < 5000; i++) stream.say(line)
  t.ok(stream.readableLength < 1_100_000, `${stream.readableLength} bytes wait`)
  stream.finish('{"last":true}')
  stream.say('{"late":true}')
  let text = ''
  for await (const chunk of stream) text += chunk
  t.match(text, /\{"last":true\}\n\n$/, 'its answer comes, however slow it is')
  t.ok(stream.destroyed)
})

t.test('requests of one id are taken back as one, and the second one stays to be', (t) => {
  const running = new Running()
  const ended: string[] = []
  const firstDone = running.start('s', 1, () => ended.push('first'))
  running.start('s', 1, () => ended.push('second'))
  firstDone()
  for (const id of ['1', 1.5, null, { valueOf: () => 1 }, [1], undefined]) running.cancel('s', id)
  running.cancel('s 1', '')
  t.same(ended, [])
  running.cancel('s', 1)
  t.same([ended, running.size], [['second'], 1])
  t.end()
})

t.test('messages that want to harm', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const library = await createLibrary(t)
  const app = await openWorld(t, { library })
  const raw = (body: string, headers: Record<string, string> = {}) => {
    const all = { 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25', ...headers }
    return app.inject({ method: 'POST', url: '/mcp', headers: all, body })
  }

  await t.test('ids of odd kinds', async (t) => {
    for (const id of ['0', '-1', '9007199254740991', '""', '"é\\u0000"', '"\\ud800"', '"</script>"']) {
      const reply = await raw(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`)
      t.same([reply.status, reply.json()], [200, { jsonrpc: '2.0', id: JSON.parse(id), result: {} }], id)
    }
    const refused = [
      '1.5',
      '1e400',
      '9007199254740993',
      '12345678901234567890',
      'true',
      '{}',
      '[1]',
      'null',
      `"${'x'.repeat(201)}"`,
    ]
    for (const id of refused) {
      const reply = await raw(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`)
      t.match([reply.status, reply.json()], [400, { error: { code: -32600 } }], id.slice(0, 20))
      t.notOk('id' in reply.json<object>(), 'and is not repeated')
    }
  })

  await t.test('huge and deep arguments are answers, and the next call is answered', async (t) => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`f${i}`, { _eq: i }]))
    const cases: readonly object[] = [
      { where: { title: { _eq: 'x'.repeat(900_000) } } },
      { where: many },
      { where: { _or: Array.from({ length: 20_000 }, () => ({ id: { _eq: 1 } })) } },
      { fields: Array.from({ length: 10_000 }, () => 'title') },
      { fields: ['title.'.repeat(100)] },
      { fields: ['x'.repeat(100_000)] },
      { orderBy: Array.from({ length: 5000 }, () => ({ id: 'ASC' })) },
      { limit: 1e308, offset: 1e308 },
      { offset: Number.MAX_SAFE_INTEGER },
    ]
    for (const args of cases) {
      const answer = await call(app, 'books', args)
      const told = JSON.stringify(args).slice(0, 60)
      t.equal(answer.status, 200, told)
      const { code } = errorOf(answer) ?? { code: 'answered' }
      t.match(
        code,
        /^(answered|BAD_USER_INPUT|VALIDATION_ERROR|GRAPHQL_VALIDATION_FAILED|DATABASE_ERROR)$/,
        `${told}: ${code}`,
      )
      t.ok(answer.text.length < 100_000, `${told}: its answer is short`)
    }
    const deep = `{"where":${'{"_and":['.repeat(20_000)}{}${']}'.repeat(20_000)}}`
    const params = `{"name":"books","arguments":${deep}}`
    const reply = await raw(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`)
    t.match(reply.text, /VALIDATION_ERROR|BAD_USER_INPUT|-32600|-32700/, reply.text.slice(0, 200))
    t.notOk(errorOf(await call(app, 'book', { id: '1' })))
  })

  await t.test('names that every object has', async (t) => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
      for (const [method, params] of [
        ['tools/call', { name, arguments: {} }],
        ['prompts/get', { name }],
        ['resources/read', { uri: `svc://type/${name}` }],
        ['completion/complete', { ref: { type: 'ref/prompt', name }, argument: { name, value: '' } }],
        [name, {}],
      ] as const)
        t.match(await ask(app, method, params), { status: 200, error: { code: Number } }, `${method} ${name}`)
    for (const cursor of ['', 'bjo', 'bjpfX3Byb3RvX18', 'x'.repeat(10_000), 5, {}])
      t.match(await ask(app, 'tools/list', { cursor }), { error: { code: -32602 } }, String(cursor).slice(0, 20))
  })

  await t.test('descriptions of the schema are sent unchanged, in one line of JSON', async (t) => {
    const description = 'One\u0000 two\u2028 three\r\ndata: {"evil":true}\n\n</tool> \u{e0041} \ud83d\ude00'
    const schema = { ...SCHEMA, queries: [{ ...SCHEMA.queries![0]!, description }, ...SCHEMA.queries!.slice(1)] }
    const told = await openWorld(t, { library, schema })
    const { text, result } = await ask(told, 'tools/list')
    t.equal(result.tools[0].description, description)
    for (const control of ['\r', '\n', '\u0000']) t.notOk(text.includes(control), JSON.stringify(control))
    const prompt = await ask(told, 'prompts/get', { name: 'books' })
    t.ok(prompt.result.messages[0].content.text.startsWith(description))
  })

  await t.test('a name of half a megabyte comes back short', async (t) => {
    for (const answer of [
      await call(app, 'books', { ['x'.repeat(500_000)]: 1 }),
      await call(app, 'x'.repeat(500_000)),
      await call(app, 'books', { where: Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => [`f${i}`, {}])) }),
    ])
      t.ok(answer.text.length < 2000, answer.text.slice(0, 200))
  })

  await t.test('the session id of another caller is refused', async (t) => {
    const begun = await ask(app, 'initialize', { protocolVersion: '2025-06-18' }, as({ subject: 'ann' }))
    const session = String(begun.headers['mcp-session-id'])
    const stolen = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-06-18' }
    for (const caller of [{}, as({ subject: 'eve' }), as({ subject: 'ann', method: 'api_key' })]) {
      t.equal((await call(app, 'tenantBooks', {}, { ...stolen, ...caller })).status, 404)
      t.equal((await app.inject({ method: 'DELETE', url: '/mcp', headers: { ...stolen, ...caller } })).status, 404)
    }
    t.equal((await call(app, 'tenantBooks', {}, { ...stolen, ...as({ subject: 'ann' }) })).status, 200)
  })
})
